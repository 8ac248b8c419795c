#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "verify/checks/routes.hpp"
#include "verify/errata.hpp"
#include "verify/oracles/interval.hpp"

namespace assay::verify {

constexpr long erratum_bits = 96;

// The papers, by the project's keys.
constexpr const char* birrell2024 = "birrell2024";
constexpr const char* mironov2019 = "mironov2019";
constexpr const char* chua2025 = "chua2025";
constexpr const char* aydin2024 = "aydin2024";

/// The numbers of one erratum, in the order they were added.
class Numbers {
public:
    /// The oracle's value there, and its entry. Throws Error when `assay eval` answers with an
    /// interval that has no point in common with it.
    Interval add(const std::string& name, const char* quantity, Method method, const Point& point);
    /// A value of our own making.
    const Interval& add(const std::string& name, const Interval& value);
    void add(const std::string& name, long count);
    void add(const std::string& name, const std::string& text);

    [[nodiscard]] const Json& json() const { return json_; }

private:
    /// A new one: throws Error when the name is taken.
    [[nodiscard]] Json& entry(const std::string& name);

    Json json_ = Json::object();
};

/// The value alone, held against the library in the same way.
[[nodiscard]] Interval agreed_value(const char* quantity, Method method, const Point& point);

[[nodiscard]] Interval number(double x);

/// "confirmed" or "not confirmed".
[[nodiscard]] Erratum tried(int item, const char* paper, std::string statement,
                            const Numbers& numbers, bool confirmed);
/// With the reason why numbers cannot decide.
[[nodiscard]] Erratum not_decidable(int item, const char* paper, std::string statement,
                                    Numbers numbers, const std::string& reason);

// The lists of errata_on_trial(), one file each.
[[nodiscard]] std::vector<Erratum> theorem_errata();           // birrell2024: 1 .. 3
[[nodiscard]] std::vector<Erratum> with_replacement_errata();  // birrell2024: 4, and 3's other half
[[nodiscard]] std::vector<Erratum> formula_errata();           // birrell2024: 5 .. 7
[[nodiscard]] std::vector<Erratum> accounting_errata();        // birrell2024: 8, 9, 37, 38
[[nodiscard]] std::vector<Erratum> figure_errata();            // birrell2024: 10 .. 12
[[nodiscard]] std::vector<Erratum> sampled_gaussian_errata();  // mironov2019: 13 .. 15, 35, 36
[[nodiscard]] std::vector<Erratum> balls_and_bins_errata();    // chua2025: 16 .. 26
[[nodiscard]] std::vector<Erratum> batch_size_errata();        // chua2025: 39
[[nodiscard]] std::vector<Erratum> local_privacy_errata();     // aydin2024: 27 .. 34

}  // namespace assay::verify
