#include "assay/account/solve.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

Release one_phase(const Mechanism& mechanism, std::int64_t count,
                  Adjacency adjacency = Adjacency::add_remove) {
    return {adjacency, {{mechanism, count}}};
}

}  // namespace

TEST_CASE("steps of a Gaussian mechanism are counted to the last one", "[solve]") {
    // mu^2 = steps / noise^2 exactly: 25 steps at noise 10 are 1/2-Gaussian, 26 are not.
    const Release release = one_phase(Gaussian{10.0}, 1);
    const LargestAllowed mu = largest_repetitions(release, 0, MuTarget{0.5000001, 0.0}, 1e-6);
    CHECK(mu.allowed == 25.0);
    CHECK(mu.refused == 26.0);
    CHECK(mu.is_monotone);
    const double delta_of_25 = delta(one_phase(Gaussian{10.0}, 25), 1.0).upper.value;
    const LargestAllowed found =
        largest_repetitions(release, 0, PrivacyTarget{1.0, delta_of_25 * 1.001}, 1e-6);
    CHECK(found.allowed == 25.0);
    CHECK(found.refused == 26.0);
    CHECK(found.risk.upper.value <= delta_of_25 * 1.001);
    // One step is too much already.
    const LargestAllowed none = largest_repetitions(release, 0, MuTarget{0.05, 0.0});
    CHECK(none.allowed == 0.0);
    CHECK(none.refused == 1.0);
    CHECK_FALSE(none.note.empty());
}

TEST_CASE("sampling probabilities and batch sizes have certain ends", "[solve]") {
    const auto with_q = [](double q) { return one_phase(SampledGaussian{1.0, q}, 200); };
    const PrivacyTarget target{1.0, 1e-6};
    const LargestAllowed q = largest_sampling_probability(with_q(0.5), 0, target);
    CHECK(q.allowed > 0.0);
    CHECK(q.refused < 1.0);
    CHECK(q.upper == q.refused);
    CHECK(q.refused - q.allowed <= 1e-3 * q.refused);
    CHECK(delta(with_q(q.allowed), 1.0, goal_of(Effort::thorough)).lower.value <= 1e-6);
    CHECK(delta(with_q(q.refused), 1.0, goal_of(Effort::thorough)).upper.value > 1e-6);
    const LargestAllowed batch = largest_batch_size(with_q(0.5), 0, 10'000, 0.0, target);
    CHECK(batch.allowed == std::floor(batch.allowed));
    CHECK(batch.allowed / 10'000 <= q.refused);
    CHECK(batch.refused / 10'000 >= q.allowed);
    CHECK(batch.is_monotone);
    // With epochs, fewer steps go with larger batches: no order is claimed.
    const LargestAllowed epochs = largest_batch_size(with_q(0.5), 0, 10'000, 1.0, target);
    CHECK_FALSE(epochs.is_monotone);
    CHECK_FALSE(epochs.note.empty());
    CHECK(epochs.upper == 9'999.0);
}

TEST_CASE("truncated batches are asked up to their maximum size", "[solve]") {
    const auto cut_at = [](std::int64_t most, std::int64_t size) {
        return one_phase(TruncatedPoissonGaussian{1.0, size, 60'000, most}, 1000);
    };
    const PrivacyTarget target{2.0, 1e-6};
    const LargestAllowed inside = largest_batch_size(cut_at(700, 1), 0, 60'000, 0.0, target);
    CHECK(inside.allowed >= 1.0);
    CHECK(inside.refused <= 700.0);
    CHECK(inside.refused == inside.allowed + 1.0);
    CHECK_FALSE(inside.is_monotone);
    const auto delta_of = [&](double size) {
        return delta(cut_at(700, static_cast<std::int64_t>(size)), 2.0);
    };
    CHECK(delta_of(inside.allowed).upper.value <= 1e-6);
    CHECK(delta_of(inside.refused).lower.value > 1e-6);
    // Every size up to the maximum is allowed.
    const LargestAllowed each = largest_batch_size(cut_at(3, 1), 0, 60'000, 0.0, target);
    CHECK(each.allowed == 3.0);
    CHECK(each.upper == 3.0);
    CHECK(inside.upper == 700.0);
}

TEST_CASE("where all is allowed nothing is refused", "[solve]") {
    const LargestAllowed found = largest_sampling_probability(
        one_phase(SampledGaussian{50.0, 0.5}, 1), 0, PrivacyTarget{1.0, 1e-3});
    CHECK(found.allowed > 0.999);
    CHECK(found.refused == std::numeric_limits<double>::infinity());
    CHECK_FALSE(found.note.empty());
}

TEST_CASE("noise for the power of a test, mu and the advantage", "[solve]") {
    const Release open = one_phase(Gaussian{0.0}, 4);
    // TPR at FPR 0.01 of mu = 2/noise.
    const double power = true_positive_rate(one_phase(Gaussian{3.0}, 4), 0.01).upper.value;
    const Calibration by_power = calibrate(open, RiskTarget(PowerTarget{0.01, power}));
    CHECK(by_power.sufficient == Approx(3.0).epsilon(2e-3));
    CHECK(by_power.insufficient <= 3.0);
    CHECK(by_power.sufficient >= 3.0 * (1.0 - 1e-12));
    const Calibration by_mu = calibrate(open, RiskTarget(MuTarget{0.5, 0.0}));
    CHECK(by_mu.insufficient <= 4.0);
    CHECK(by_mu.sufficient == Approx(4.0).epsilon(2e-3));
    const double advantage = delta(one_phase(Gaussian{5.0}, 4), 0.0).upper.value;
    const Calibration by_advantage = calibrate(open, RiskTarget(AdvantageTarget{advantage}));
    CHECK(by_advantage.sufficient == Approx(5.0).epsilon(2e-3));
}

TEST_CASE("targets and phases outside their domain are refused", "[solve]") {
    const Release release = one_phase(SampledGaussian{1.0, 0.1}, 10);
    CHECK_THROWS_AS(largest_repetitions(release, 1, PrivacyTarget{1.0, 1e-6}), DomainError);
    CHECK_THROWS_AS(largest_repetitions(release, 0, PrivacyTarget{1.0, 0.0}), DomainError);
    CHECK_THROWS_AS(largest_repetitions(release, 0, PowerTarget{0.5, 0.4}), DomainError);
    CHECK_THROWS_AS(largest_repetitions(release, 0, MuTarget{-1.0, 0.0}), DomainError);
    CHECK_THROWS_AS(
        largest_sampling_probability(one_phase(Gaussian{1.0}, 1), 0, MuTarget{1.0, 0.0}),
        DomainError);
    CHECK_THROWS_AS(largest_batch_size(release, 0, 1, 0.0, MuTarget{1.0, 0.0}), DomainError);
}

}  // namespace assay
