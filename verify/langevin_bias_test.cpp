#include "verify/langevin_bias.hpp"

#include "assay/ldp/gibbs.hpp"
#include "assay/ldp/langevin.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using assay::test_support::effort;
using namespace assay::verify;

namespace {

RestrictedResponse mechanism_of(double epsilon) {
    return {.categories = 3, .epsilon = epsilon, .budget_share = 0.9};
}

/// The answers of the known posterior, S being empty.
ResponseHistory history_of(const KnownPosterior& posterior, double epsilon) {
    ResponseHistory history(mechanism_of(epsilon));
    for (int y = 0; y < 3; ++y)
        for (double i = 0.0; i < posterior.counts[static_cast<std::size_t>(y)]; i += 1.0)
            history.add(CategorySubset(3), y);
    return history;
}

/// Standard deviations of a trace of three numbers an update, after the first tenth.
ThreeNumbers deviations(const std::vector<double>& trace) {
    const std::size_t first = trace.size() / 30 * 3;
    const double count = static_cast<double>((trace.size() - first) / 3);
    ThreeNumbers mean{};
    ThreeNumbers square{};
    for (std::size_t i = first; i < trace.size(); ++i) {
        mean[i % 3] += trace[i] / count;
        square[i % 3] += trace[i] * trace[i] / count;
    }
    for (std::size_t i = 0; i < 3; ++i) square[i] = std::sqrt(square[i] - mean[i] * mean[i]);
    return square;
}

}  // namespace

// With epsilon = 40 an answer is the category: Dir(751, 501, 251).
TEST_CASE("the known posterior of honest answers is a Dirichlet distribution", "[langevin_bias]") {
    const KnownPosterior posterior = known_posterior(40.0);
    const ThreeNumbers shape{751.0, 501.0, 251.0};
    for (std::size_t i = 0; i < 3; ++i) {
        const double mean = shape[i] / 1503.0;
        CHECK(posterior.mean[i] == Approx(mean).epsilon(1e-5));
        CHECK(posterior.deviation[i] ==
              Approx(std::sqrt(mean * (1.0 - mean) / 1504.0)).epsilon(1e-4));
    }
}

TEST_CASE("the Gibbs sampler has the deviations of the known posterior", "[langevin_bias]") {
    for (const double epsilon : {1.0, 3.0}) {
        const KnownPosterior posterior = known_posterior(epsilon);
        GibbsSampler sampler({}, mechanism_of(epsilon), std::vector<double>(3, 1.0));
        const int sweeps = 60'000 * effort();
        constexpr std::uint64_t seed = 5401;
        RandomStream stream(seed, Purpose::gibbs, 0);
        std::vector<double> trace(3 * static_cast<std::size_t>(sweeps));
        sampler.advance(history_of(posterior, epsilon), stream, sweeps, trace);
        const ThreeNumbers found = deviations(trace);
        for (std::size_t i = 0; i < 3; ++i) {
            CAPTURE(seed, epsilon, i);
            CHECK(found[i] == Approx(posterior.deviation[i]).epsilon(0.04));
        }
    }
}

TEST_CASE("Langevin dynamics has the bias of a program that shares nothing with it",
          "[langevin_bias]") {
    for (const double epsilon : {1.0, 3.0}) {
        const KnownPosterior posterior = known_posterior(epsilon);
        const LangevinBias bias = langevin_bias(epsilon);
        LangevinSampler sampler({.updates = 1, .subsample = 50, .step = paper_step(1500)},
                                mechanism_of(epsilon), std::vector<double>(3, 1.0));
        const int updates = 1'000'000 * effort();
        constexpr std::uint64_t seed = 5402;
        RandomStream stream(seed, Purpose::langevin, 0);
        std::vector<double> trace(3 * static_cast<std::size_t>(updates));
        sampler.advance(history_of(posterior, epsilon), stream, updates, trace);
        const ThreeNumbers found = deviations(trace);
        for (std::size_t i = 0; i < 3; ++i) {
            const double ratio = found[i] / posterior.deviation[i];
            CAPTURE(seed, epsilon, i, ratio, bias.ratio[i]);
            CHECK(ratio == Approx(bias.ratio[i]).epsilon(0.05));
            CHECK(ratio > 1.05);
        }
        CHECK(sampler.mean_sum_phi() == Approx(bias.mean_sum).epsilon(0.15));
    }
}
