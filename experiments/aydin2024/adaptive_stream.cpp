#include "experiments/aydin2024/adaptive_stream.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/ldp/simulation.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// Streams differ in every draw.
AdaptiveSettings seeded(AdaptiveSettings settings, std::uint64_t stream) {
    settings.seed = RandomStream(settings.seed, Purpose::population, stream).bits();
    return settings;
}

}  // namespace

std::vector<double> geometric_distribution(int categories, double ratio) {
    std::vector<double> theta;
    theta.reserve(static_cast<std::size_t>(categories));
    for (int i = 0; i < categories; ++i) theta.push_back(std::pow(ratio, -i));
    const double sum = std::accumulate(theta.begin(), theta.end(), 0.0);
    for (double& part : theta) part /= sum;
    return theta;
}

int best_subset_size(const AdaptiveSettings& settings, const std::vector<double>& theta) {
    SubsetUtilities utilities(settings.mechanism);
    return choose_size(settings.rule, utilities, theta);
}

AdaptiveStream::AdaptiveStream(const AdaptiveSettings& settings, const std::vector<double>& theta,
                               std::uint64_t stream)
    : estimator_(seeded(settings, stream)),
      cumulated_(theta.size()),
      members_(settings.seed, Purpose::population, stream + (1ULL << 32U)),
      answers_(settings.seed, Purpose::local_response, stream) {
    std::partial_sum(theta.begin(), theta.end(), cumulated_.begin());
}

void AdaptiveStream::advance() {
    const int category = category_at(cumulated_, members_.uniform());
    estimator_.feed(respond(answers_, estimator_.distribution(), estimator_.subset(), category));
}

}  // namespace assay::experiments::aydin2024
