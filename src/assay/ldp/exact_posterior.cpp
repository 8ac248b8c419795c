#include "assay/ldp/exact_posterior.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

/// How often each category stands behind the answers so far.
using Counts = std::vector<std::uint16_t>;
using Weights = std::map<Counts, RealInterval>;

constexpr double most_operations = 5e6;

/// K C(n + K, K), at least.
double operations(int categories, std::size_t answers) {
    double product = categories;
    for (int i = 1; i <= categories && product <= most_operations; ++i)
        product *= 1.0 + static_cast<double>(answers) / i;
    return product;
}

void check(const RestrictedResponse& mechanism, std::span<const double> rho,
           std::span<const AnswerWithSubset> answers) {
    validate(mechanism);
    if (rho.size() != static_cast<std::size_t>(mechanism.categories))
        throw DomainError("rho", fmt::format("{} values", rho.size()),
                          fmt::format("one a category, {}", mechanism.categories));
    for (const double r : rho) require(r > 0.0 && std::isfinite(r), "rho", r, "numbers > 0");
    if (operations(mechanism.categories, answers.size()) > most_operations)
        throw DomainError("answers", fmt::format("{} of them", answers.size()),
                          fmt::format("few enough to expand: K C(n + K, K) <= 5e6, K = {}",
                                      mechanism.categories));
}

}  // namespace

ExactPosterior exact_posterior(const RestrictedResponse& mechanism, std::span<const double> rho,
                               std::span<const AnswerWithSubset> answers) {
    check(mechanism, rho, answers);
    const std::size_t size = rho.size();
    RealInterval mass;  // sum rho + t
    for (const double r : rho) mass += r;

    Weights weights{{Counts(size), 1.0L}};
    for (const AnswerWithSubset& answer : answers) {
        const ResponseLikelihood likelihood(mechanism, answer);
        Weights next;
        for (const auto& [counts, weight] : weights) {
            allow_interruption();
            const RealInterval each = weight / mass;
            Counts grown = counts;
            for (std::size_t x = 0; x < size; ++x) {
                ++grown[x];
                next[grown] += each * likelihood.coefficient(static_cast<int>(x)) *
                               (RealInterval(rho[x]) + counts[x]);
                --grown[x];
            }
        }
        weights.swap(next);
        mass += 1.0L;
    }

    RealInterval evidence;
    for (const auto& [counts, weight] : weights) evidence += weight;
    ExactPosterior posterior;
    posterior.log_marginal_likelihood = log(evidence);
    for (std::size_t i = 0; i < size; ++i) {
        allow_interruption();
        const auto shape = [&](const Counts& counts) { return RealInterval(rho[i]) + counts[i]; };
        RealInterval mean;
        for (const auto& [counts, weight] : weights) mean += weight * shape(counts);
        mean = mean / evidence;
        // Within the Dirichlet distributions, and between their means.
        RealInterval within;
        RealInterval between;
        for (const auto& [counts, weight] : weights) {
            const RealInterval a = shape(counts);
            const RealInterval gap = abs(a - mean);
            within += weight * a * (mass - a);
            between += weight * gap * gap;
        }
        const RealInterval square = mass * mass;
        posterior.mean.push_back(mean / mass);
        posterior.variance.push_back((within / (square * (mass + 1.0L)) + between / square) /
                                     evidence);
    }
    return posterior;
}

}  // namespace assay
