#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
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
        std::vector<std::string> details;
        double lowest = 1.0;
        double least_sure = 0.0;
        int arriving = 0;
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
            lowest = std::min(lowest, at.back().mean);
            const double less_sure = std::max(p, trends.back().p_rises);
            least_sure = std::max(least_sure, less_sure);
            arriving += less_sure < significance_level ? 1 : 0;
            details.push_back(fmt::format(
                "ε = {}: {:.3f} among the first {} users, {:.3f} among the last (above {}: p = "
                "{:.1g}), mean slope against log t {}",
                epsilon, at.front().mean, marks.front(), at.back().mean, nearly_one, p,
                trends.back().text()));
        }
        const Verdict rises = all_rising(trends);
        const bool is_exact = name == "gibbs";
        const Verdict verdict =
            is_exact && (rises == Verdict::differs || arrives) ? rises : Verdict::undecidable;
        std::string would_decide;
        if (!is_exact)
            would_decide =
                "No run: the theorem assumes perfect sampling, so that nothing that SGLD does "
                "decides it; a proof for SGLD would.";
        else if (verdict == Verdict::undecidable)
            would_decide = fmt::format("{} streams of {} users (about a minute on two cores).",
                                       4 * streams, marks.back());
        claims.push_back(claim(
            "theorem-4-" + name, "Theorem 4", "Under perfect sampling P(S_t = S*) tends to 1.",
            fmt::format("With {} the frequency of S* among the last of {} users is at least "
                        "{:.3f}, and rises significantly to above {} at {} of {} ε (t tests over "
                        "{} streams; the least sure, p = {:.1g}).",
                        is_exact ? "exact Gibbs sampling" : "SGLD instead of perfect sampling",
                        marks.back(), lowest, nearly_one, arriving, trends.size(), streams,
                        least_sure),
            verdict,
            {.criterion = fmt::format(
                 "Reproduced under perfect sampling if every mean slope is above 0 and every last "
                 "frequency above {} at p < {}; undecidable for SGLD, which the theorem does not "
                 "cover.",
                 nearly_one, significance_level),
             .details = details,
             .would_decide = would_decide}));
    }
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::aydin2024
