#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <cmath>

#include "assay/privacy/citations.hpp"
#include "experiments/aydin2024/adaptive_stream.hpp"
#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/aydin2024/statistics.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// A frequency that is near 1.
constexpr double nearly_one = 0.9;

/// Whether the set is {0, .., k-1}.
bool is_leading(const CategorySubset& subset, int size) {
    if (subset.size() != size) return false;
    for (int i = 0; i < size; ++i)
        if (subset.member(i) >= size) return false;
    return true;
}

/// By stream: the share of the users since the last mark whose set was S*, at each mark.
std::vector<std::vector<double>> frequencies(const AdaptiveSettings& settings,
                                             const std::vector<double>& theta,
                                             const std::vector<std::int64_t>& marks,
                                             std::int64_t streams) {
    const int best = best_subset_size(settings, theta);
    const auto count = static_cast<std::size_t>(streams);
    std::vector<std::vector<double>> all(count);
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        AdaptiveStream stream(settings, theta, i);
        std::int64_t before = 0;
        for (const std::int64_t mark : marks) {
            std::int64_t hits = 0;
            while (stream.estimator().responses() < mark) {
                hits += is_leading(stream.estimator().subset(), best) ? 1 : 0;
                stream.advance();
            }
            all[i].push_back(static_cast<double>(hits) / static_cast<double>(mark - before));
            before = mark;
        }
    });
    return all;
}

/// One-sided p-value of "the frequency after the last mark but one is nearly one".
double p_nearly_one(const std::vector<std::vector<double>>& by_stream) {
    std::vector<double> last;
    last.reserve(by_stream.size());
    for (const std::vector<double>& stream : by_stream) last.push_back(stream.back());
    return paired_p_value(last, std::vector<double>(last.size(), nearly_one));
}

}  // namespace

FigureResult run_theorem04_best_subset(const Params& params) {
    const int categories = static_cast<int>(params.integer("categories"));
    const std::vector<double> theta = geometric_distribution(categories, params.number("ratio"));
    const std::vector<std::int64_t> marks = params.integers("users");
    const std::vector<double> log_users = logarithms(marks);
    const auto total = static_cast<double>(marks.back());
    const std::int64_t streams = params.integer("streams");
    const auto small = [&](const char* key) { return static_cast<int>(params.integer(key)); };
    const std::vector<std::pair<std::string, PosteriorSampler>> samplers{
        {"gibbs", GibbsSettings{.updates = small("sweeps")}},
        {"langevin",
         LangevinSettings{.updates = small("updates"),
                          .subsample = small("subsample"),
                          .step = {.first = params.number("step_over_users") / total}}}};
    Table table({{.name = "users", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "epsilon", .unit = "nats", .golden_tolerance = 0.0},
                 {.name = "frequency", .unit = "1", .golden_tolerance = 1e-9},
                 {.name = "standard_error", .unit = "1", .golden_tolerance = 1e-9},
                 {.name = "best_size", .unit = "categories", .golden_tolerance = 0.0}});
    std::vector<Claim> claims;
    for (const auto& [name, sampler] : samplers) {
        table.add_series({name, name == "gibbs" ? "Gibbs (exact)" : "SGLD (Section 7's step)",
                          Direction::estimate, cite::aydin2024_theorem_4});
        std::string found;
        std::vector<TrendTest> trends;
        bool arrives = true;
        for (const double epsilon : params.numbers("epsilons")) {
            AdaptiveSettings settings;
            settings.mechanism = {categories, epsilon, params.number("budget_share"),
                                  ResponseVariant::theorem};
            settings.sampler = sampler;
            settings.seed = static_cast<std::uint64_t>(params.integer("seed"));
            const auto best = static_cast<double>(best_subset_size(settings, theta));
            const auto seen = frequencies(settings, theta, marks, streams);
            const std::vector<Spread> at = spreads(seen);
            for (std::size_t m = 0; m < marks.size(); ++m)
                table.add(name,
                          {static_cast<double>(marks[m]), epsilon, at[m].mean,
                           at[m].deviation / std::sqrt(static_cast<double>(streams)), best},
                          "statistical");
            trends.push_back(trend_test(log_users, seen));
            const double p = p_nearly_one(seen);
            arrives = arrives && p < significance_level;
            found += fmt::format("{}ε = {}: {:.3f} -> {:.3f} (above {}: p = {:.1g}), slope {}",
                                 found.empty() ? "" : "; ", epsilon, at.front().mean,
                                 at.back().mean, nearly_one, p, trends.back().text());
        }
        const Verdict rises = all_rising(trends);
        const bool is_exact = name == "gibbs";
        claims.push_back(claim(
            "theorem-4-" + name, "Theorem 4",
            fmt::format("{}; found: frequency among the first {} users and the last of {}, and "
                        "its mean slope against log t over {} streams (t tests)",
                        is_exact ? "Under perfect sampling P(S_t = S*) tends to 1"
                                 : "Not covered by the theorem: the same with SGLD",
                        marks.front(), marks.back(), streams),
            found,
            is_exact && (rises == Verdict::differs || arrives) ? rises : Verdict::undecidable));
    }
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::aydin2024
