#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <cmath>

#include "assay/privacy/citations.hpp"
#include "experiments/aydin2024/adaptive_stream.hpp"
#include "experiments/aydin2024/aydin2024.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// Whether the set is {0, .., k-1}.
bool is_leading(const CategorySubset& subset, int size) {
    if (subset.size() != size) return false;
    for (int i = 0; i < size; ++i)
        if (subset.member(i) >= size) return false;
    return true;
}

/// The share of the users since the last mark whose set was S*, at each mark; mean over streams.
std::vector<double> frequencies(const AdaptiveSettings& settings, const std::vector<double>& theta,
                                const std::vector<std::int64_t>& marks, std::int64_t streams) {
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
    std::vector<double> mean(marks.size(), 0.0);
    for (const auto& one : all)
        for (std::size_t m = 0; m < mean.size(); ++m)
            mean[m] += one[m] / static_cast<double>(count);
    return mean;
}

}  // namespace

FigureResult run_theorem04_best_subset(const Params& params) {
    const int categories = static_cast<int>(params.integer("categories"));
    const std::vector<double> theta = geometric_distribution(categories, params.number("ratio"));
    const std::vector<std::int64_t> marks = params.integers("users");
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
                 {.name = "best_size", .unit = "categories", .golden_tolerance = 0.0}});
    std::vector<Claim> claims;
    for (const auto& [name, sampler] : samplers) {
        table.add_series({name, name == "gibbs" ? "Gibbs (exact)" : "SGLD (Section 7's step)",
                          Direction::estimate, cite::aydin2024_theorem_4});
        std::string found;
        bool rises = true;
        for (const double epsilon : params.numbers("epsilons")) {
            AdaptiveSettings settings;
            settings.mechanism = {categories, epsilon, params.number("budget_share"),
                                  ResponseVariant::theorem};
            settings.sampler = sampler;
            settings.seed = static_cast<std::uint64_t>(params.integer("seed"));
            const auto best = static_cast<double>(best_subset_size(settings, theta));
            const std::vector<double> seen = frequencies(settings, theta, marks, streams);
            for (std::size_t m = 0; m < marks.size(); ++m)
                table.add(name, {static_cast<double>(marks[m]), epsilon, seen[m], best},
                          "heuristic");
            rises = rises && seen.back() > seen.front() && seen.back() > 0.9;
            found += fmt::format("{}ε = {}: {:.3f} -> {:.3f}", found.empty() ? "" : ", ", epsilon,
                                 seen.front(), seen.back());
        }
        claims.push_back(claim(
            "theorem-4-" + name, "Theorem 4",
            name == "gibbs"
                ? fmt::format("Under perfect sampling P(S_t = S*) tends to 1; found: frequency "
                              "among the first {} users and the last of {}",
                              marks.front(), marks.back())
                : fmt::format("Not covered by the theorem: the same with SGLD; found: frequency "
                              "among the first {} users and the last of {}",
                              marks.front(), marks.back()),
            found, name == "gibbs" ? decide(rises) : Verdict::undecidable));
    }
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::aydin2024
