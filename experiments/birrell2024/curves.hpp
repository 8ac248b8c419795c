#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "experiments/claims.hpp"
#include "experiments/params.hpp"
#include "experiments/table.hpp"

namespace assay::experiments::birrell2024 {

/// The theorems that the figures draw.
namespace drawn {
inline constexpr Theorem thm_3_3{"birrell2024 Theorem 3.3", Standing::published};
inline constexpr Theorem thm_3_4{"birrell2024 Theorem 3.4", Standing::published};
inline constexpr Theorem thm_3_6{"birrell2024 Theorem 3.6 as (112)", Standing::published};
inline constexpr Theorem thm_3_7{"birrell2024 Theorem 3.7 as (126)", Standing::published};
inline constexpr Theorem thm_c_9{"birrell2024 Theorem C.9", Standing::published};
inline constexpr Theorem thm_c_9_repaired{"birrell2024 Theorem C.9, its (80) by Lemma C.5",
                                          Standing::ours};
inline constexpr Theorem wang_upper{"wang2019 Theorem 9", Standing::published};
inline constexpr Theorem wang_lower{"wang2019 Proposition 11", Standing::published};
}  // namespace drawn

/// Columns x, y, lower, upper: y is the end of [lower, upper] that its series certifies.
[[nodiscard]] Table curve_table(const std::string& x_unit, const std::string& y_unit);

/// Declares a series and adds a row for each x. An end that is infinite makes the row vacuous.
void add_curve(Table& table, const Series& series, std::span<const double> x,
               std::span<const Enclosure> y, std::string_view status = "certified");

/// f at every x.
[[nodiscard]] std::vector<Enclosure> at_each(std::span<const double> x,
                                             const std::function<Enclosure(double)>& f);

[[nodiscard]] std::vector<double> as_doubles(std::span<const std::int64_t> integers);

/// The settings that most captions share: sigma, |B|, |D| and q = |B|/|D|.
struct Setting {
    double sigma = 0.0;
    std::int64_t batch = 0;
    std::int64_t dataset = 0;
    double q = 0.0;
};
[[nodiscard]] Setting read_setting(const Params& params);

/// A claim of this paper, its id prefixed by "birrell2024-".
[[nodiscard]] Claim claim(std::string_view id, std::string where, std::string statement,
                          std::string found, Verdict verdict, Basis basis = {});

/// "relative difference below 1e-12" where it is: rounding noise is not worth recording.
[[nodiscard]] std::string describe_gap(double relative_difference, double tolerance);

/// The midpoint of a / the midpoint of b.
[[nodiscard]] double ratio(const Enclosure& a, const Enclosure& b);

/// Smallest and largest value of a list of ratios, and where they occur.
struct Range {
    double least = 0.0;
    double least_at = 0.0;
    double most = 0.0;
    double most_at = 0.0;
};
[[nodiscard]] Range range_of_ratios(std::span<const double> x, std::span<const double> numerators,
                                    std::span<const double> denominators);
[[nodiscard]] Range range_of_ratios(const Table& table, std::string_view numerator,
                                    std::string_view denominator);
/// "1.0000 (delta 1e-05) to 1.2000 (delta 1e-03)", where x is delta.
[[nodiscard]] std::string over_deltas(const Range& range);

/// The x in [low, high] at which an increasing f crosses `level`, by bisection; `high` where it
/// does not.
[[nodiscard]] double crossing(const std::function<double(double)>& f, double level, double low,
                              double high);

/// The value beyond which a curve no longer follows its flat or leading behaviour.
inline constexpr double departure = 2.0;

}  // namespace assay::experiments::birrell2024
