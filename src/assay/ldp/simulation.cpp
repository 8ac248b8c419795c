#include "assay/ldp/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

/// Answers between two reports of progress.
constexpr std::int64_t at_once = 256;

void validate(const SimulationPlan& plan) {
    require(plan.concentration > 0.0 && plan.concentration <= 1e6, "concentration",
            plan.concentration, "a number in (0, 1000000]");
    if (plan.users < 1 || plan.users > 4'000'000'000)
        throw DomainError("users", fmt::format("{}", plan.users), "1 .. 4000000000");
}

}  // namespace

std::vector<double> draw_distribution(RandomStream& stream, int categories, double concentration) {
    require(categories >= 1, "categories", categories, "an integer >= 1");
    require(concentration > 0.0 && std::isfinite(concentration), "concentration", concentration,
            "a positive finite number");
    std::vector<double> theta(static_cast<std::size_t>(categories));
    // Gamma(rho) = Gamma(rho + 1) U^(1/rho).
    for (double& log_part : theta)
        log_part =
            std::log(stream.gamma(concentration + 1.0)) - stream.exponential() / concentration;
    const double largest = *std::ranges::max_element(theta);
    for (double& part : theta) part = std::exp(part - largest);
    const double sum = std::accumulate(theta.begin(), theta.end(), 0.0);
    for (double& part : theta) part /= sum;
    return theta;
}

int category_at(std::span<const double> running_sums, double u) {
    const auto found = std::ranges::upper_bound(running_sums, u * running_sums.back());
    const auto last = static_cast<std::ptrdiff_t>(running_sums.size()) - 1;
    return static_cast<int>(std::min(found - running_sums.begin(), last));
}

SimulationResult simulate(const SimulationPlan& plan, std::uint64_t run,
                          const std::function<void(std::int64_t answers)>& progress,
                          const std::function<void(const CategorySubset&, int)>& take) {
    validate(plan);
    const std::uint64_t seed = plan.settings.seed;
    RandomStream population(seed, Purpose::population, run);
    RandomStream answers(seed, Purpose::local_response, run);
    AdaptiveSettings settings = plan.settings;
    settings.seed = population.bits();
    AdaptiveEstimator estimator(std::move(settings));
    SimulationResult result;
    result.truth = draw_distribution(population, estimator.categories(), plan.concentration);
    std::vector<double> cumulated(result.truth.size());
    std::partial_sum(result.truth.begin(), result.truth.end(), cumulated.begin());
    for (std::int64_t user = 0; user < plan.users;) {
        const std::int64_t begin = user;
        for (const std::int64_t end = std::min(begin + at_once, plan.users); user < end; ++user) {
            const int category = category_at(cumulated, population.uniform());
            const int response =
                respond(answers, estimator.distribution(), estimator.subset(), category);
            if (take) take(estimator.subset(), response);
            estimator.feed(response);
        }
        if (progress) progress(user - begin);
    }
    PosteriorEstimate posterior = estimator.estimate(plan.final_updates, plan.discarded);
    for (std::size_t i = 0; i < result.truth.size(); ++i)
        result.total_variation += 0.5 * std::fabs(posterior.mean[i] - result.truth[i]);
    const bool confined = !std::holds_alternative<NonAdaptive>(plan.settings.rule);
    result.mean_subset_size = confined ? estimator.mean_subset_size() : estimator.categories();
    result.mean_sum_phi = posterior.mean_sum_phi.value_or(0.0);
    result.estimate = std::move(posterior.mean);
    return result;
}

}  // namespace assay
