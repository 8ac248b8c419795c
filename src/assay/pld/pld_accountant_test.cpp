#include "assay/pld/pld_accountant.hpp"

#include <algorithm>

#include "assay/pld/near_bracket.hpp"
#include "assay/privacy/citations.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::gaussian_delta_wide;
using test_support::Wide;

std::vector<Phase> one(const Mechanism& mechanism, std::int64_t steps) {
    return {{mechanism, steps}};
}

DeltaBracket delta_at(const std::vector<Phase>& phases, Adjacency adjacency, double epsilon,
                      const PldOptions& options = {}) {
    const double epsilons[] = {epsilon};
    return pld_delta(phases, adjacency, epsilons, options).points.front();
}

TEST_CASE("the Gaussian's closed form lies in the bracket, down to 1e-12", "[pld_accountant]") {
    const std::vector<Phase> phases = one(Gaussian{.noise_multiplier = 10.0}, 64);
    const std::vector<double> epsilons{0.0, 0.25, 1.0, 2.0, 4.0, 5.5};
    const DeltaCurve curve = pld_delta(phases, Adjacency::zero_out, epsilons);
    CHECK(curve.relative_gap <= 1e-3);
    CHECK(curve.note.empty());
    for (const DeltaBracket& point : curve.points) {
        CAPTURE(point.epsilon);
        const Wide truth = gaussian_delta_wide(10, 64, point.epsilon);
        CHECK(Wide(point.lower.value) <= truth);
        CHECK(Wide(point.upper.value) >= truth);
        CHECK(point.lower.status == Status::certified);
    }
}

// Brackets computed independently, by products of 1-q+qY on geometric grids in convex order.
TEST_CASE("Poisson sampling agrees with independent brackets", "[pld_accountant]") {
    struct Known {
        std::int64_t steps;
        double noise, q, epsilon, lower, upper;
    };
    for (const Known& k :
         {Known{36133, 0.4, 2.7675532062103894e-05, 0.5, 0.0013076888447231113,
                0.0013079563035795628},
          Known{36133, 0.4, 2.7675532062103894e-05, 2.0, 4.4298078606019204e-05,
                4.431083787110837e-05},
          Known{1563, 0.4, 0.0006397952655150352, 1.0, 0.01613746060762539, 0.016139142190391417},
          Known{1000, 1.0, 0.001, 0.1, 0.00020499436410005632, 0.0002051853951718539}}) {
        CAPTURE(k.steps, k.noise, k.epsilon);
        const DeltaBracket point = delta_at(
            one(SampledGaussian{.noise_multiplier = k.noise, .sampling_probability = k.q}, k.steps),
            Adjacency::add_remove, k.epsilon);
        CHECK(point.removal_lower <= k.upper);
        CHECK(point.removal_upper >= k.lower);
        CHECK(point.removal_upper - point.removal_lower <= 1e-3 * point.removal_upper);
    }
}

TEST_CASE("fixed-size sampling under add/remove is Poisson with twice the shift",
          "[pld_accountant]") {
    const DeltaBracket fixed =
        delta_at(one(FixedSizeGaussian{.noise_multiplier = 2.0, .sampling_probability = 0.01}, 500),
                 Adjacency::add_remove, 0.5);
    const DeltaBracket poisson =
        delta_at(one(SampledGaussian{.noise_multiplier = 1.0, .sampling_probability = 0.01}, 500),
                 Adjacency::add_remove, 0.5);
    CHECK(fixed.upper.value == poisson.upper.value);
    CHECK(fixed.lower.value == poisson.lower.value);
}

/// Two steps of the pair of section D by direct quadrature, antipodal means.
TEST_CASE("two Poisson steps under replace-one match a double integral", "[pld_accountant]") {
    const double q = 0.2;
    const double c = 1.0;
    const auto mixture = [&](double z, double shift) {
        return 1.0 - q + q * std::exp(shift * z - 0.5 * shift * shift);
    };
    const double epsilon = 0.4;
    const double h = 0.01;
    double sum = 0.0;
    std::vector<double> p;
    std::vector<double> r;
    for (double z = -9.0; z <= 9.0; z += h) {
        const double density = test_support::normal_density(z) * h;
        p.push_back(mixture(z, c) * density);
        r.push_back(mixture(z, -c) * density);
    }
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < p.size(); ++j)
            sum += std::max(0.0, p[i] * p[j] - std::exp(epsilon) * r[i] * r[j]);
    const DeltaBracket point =
        delta_at(one(SampledGaussian{.noise_multiplier = 1.0, .sampling_probability = 0.2}, 2),
                 Adjacency::replace_one, epsilon);
    CHECK(point.lower.value <= sum * (1.0 + 1e-4));
    CHECK(point.upper.value >= sum * (1.0 - 1e-4));
    CHECK(point.upper.value - point.lower.value <= 1e-3 * point.upper.value);
    CHECK(point.removal_upper == Approx(point.addition_upper).epsilon(1e-3));
}

TEST_CASE(
    "fixed size under replace-one: one step is the profile h, many steps lie above add/remove",
    "[pld_accountant]") {
    const Mechanism mechanism =
        FixedSizeGaussian{.noise_multiplier = 2.0, .sampling_probability = 0.05};
    // h(t) = E (W - t)_+, W = 1-q + q e^{z - 1/2}
    const double epsilon = 0.02;
    const Wide q = Wide(0.05);
    const Wide t = exp(Wide(epsilon));
    const Wide z = log((t - 1 + q) / q) + Wide(1) / 2;
    const Wide h =
        (1 - q - t) * test_support::normal_tail_wide(z) + q * test_support::normal_tail_wide(z - 1);
    const DeltaBracket single = delta_at(one(mechanism, 1), Adjacency::replace_one, epsilon);
    CHECK(Wide(single.upper.value) >= h);
    CHECK(Wide(single.lower.value) <= h);
    CHECK(single.upper.value - single.lower.value <= 1e-3 * single.upper.value);

    const DeltaBracket replaced = delta_at(one(mechanism, 400), Adjacency::replace_one, 1.0);
    const DeltaBracket removed = delta_at(one(mechanism, 400), Adjacency::add_remove, 1.0);
    CHECK(replaced.upper.value > removed.lower.value);
    CHECK(replaced.lower.value <= removed.upper.value);
    CHECK(replaced.lower.value >= 0.99 * removed.lower.value);
}

TEST_CASE("closed forms have the standing of their theorem, grids are ours", "[pld_accountant]") {
    const Mechanism mechanism =
        FixedSizeGaussian{.noise_multiplier = 4.0, .sampling_probability = 0.05};
    for (const Adjacency adjacency : {Adjacency::replace_one, Adjacency::add_remove}) {
        const DeltaBracket ten = delta_at(one(mechanism, 10), adjacency, 0.1);
        CHECK(ten.upper.theorem == cite::privacy_loss_distributions);
        CHECK(ten.lower.theorem == cite::privacy_loss_distributions);
    }
    const DeltaBracket replaced = delta_at(one(mechanism, 1), Adjacency::replace_one, 0.1);
    CHECK(replaced.upper.theorem == cite::symmetric_dominating_pair);
    CHECK(replaced.lower.theorem == cite::attained);
    const DeltaBracket removed = delta_at(one(mechanism, 1), Adjacency::add_remove, 0.1);
    CHECK(removed.upper.theorem == cite::birrell2024_thm_3_1);
}

TEST_CASE("one phase cut in pieces is the same composition", "[pld_accountant]") {
    const SampledGaussian sampled{.noise_multiplier = 0.8, .sampling_probability = 0.004};
    const DeltaBracket whole = delta_at(one(sampled, 2000), Adjacency::add_remove, 0.8);
    const DeltaBracket cut =
        delta_at({{sampled, 700}, {sampled, 1}, {sampled, 1299}}, Adjacency::add_remove, 0.8);
    CHECK(std::max(whole.lower.value, cut.lower.value) <=
          std::min(whole.upper.value, cut.upper.value));
    CHECK(cut.upper.value - cut.lower.value <= 1e-3 * cut.upper.value);
    // An unsampled phase more can only cost privacy.
    const DeltaBracket more = delta_at({{sampled, 2000}, {Gaussian{.noise_multiplier = 5.0}, 1}},
                                       Adjacency::add_remove, 0.8);
    CHECK(more.lower.value > whole.upper.value);
}

TEST_CASE("a Poisson-sampled release lies below Renyi's bound and above its first step",
          "[pld_accountant]") {
    // sum over k of Bin(k; a, q) e^{(k^2-k)/(2 s^2)}, then e^{(a-1)(T rdp - e)} (1/a)(1-1/a)^{a-1}
    const double q = 0.01;
    const double s = 1.0;
    const double epsilon = 1.5;
    const int steps = 1000;
    double best = 1.0;
    for (int a = 2; a <= 40; ++a) {
        const Wide moment = test_support::integer_moment(a, Wide(q), 1 / Wide(s));
        const double total = steps * static_cast<double>(log(moment));
        best = std::min(best,
                        std::exp(total - (a - 1) * epsilon) * std::pow(1.0 - 1.0 / a, a - 1) / a);
    }
    const DeltaBracket point =
        delta_at(one(SampledGaussian{.noise_multiplier = s, .sampling_probability = q}, steps),
                 Adjacency::add_remove, epsilon);
    CHECK(point.lower.value <= best);
    CHECK(point.upper.value <= best);
    CHECK(point.upper.value >= 0.02 * best);
}

TEST_CASE("epsilon at delta inverts the curve on both sides", "[pld_accountant]") {
    const std::vector<Phase> phases =
        one(SampledGaussian{.noise_multiplier = 1.0, .sampling_probability = 0.01}, 1000);
    for (const double delta : {1e-3, 1e-6, 1e-10}) {
        CAPTURE(delta);
        const EpsilonBracket found = pld_epsilon(phases, Adjacency::add_remove, delta);
        CHECK(found.relative_gap <= 1e-3);
        CHECK(found.lower.value <= found.upper.value);
        const DeltaBracket above = delta_at(phases, Adjacency::add_remove, found.upper.value);
        const DeltaBracket below = delta_at(phases, Adjacency::add_remove, found.lower.value);
        CHECK(above.lower.value <= delta);
        CHECK(below.upper.value >= delta);
    }
    // Gaussian: epsilon and delta of the closed form.
    const EpsilonBracket gaussian =
        pld_epsilon(one(Gaussian{.noise_multiplier = 2.0}, 4), Adjacency::add_remove, 1e-5);
    CHECK(gaussian_delta_wide(1, 1, gaussian.upper.value) <= Wide(1e-5));
    CHECK(gaussian_delta_wide(1, 1, gaussian.lower.value) >= Wide(1e-5));
}

TEST_CASE("a narrower gap is reached as well, inside the wider one", "[pld_accountant]") {
    const auto phases = one(SampledGaussian{1.1, 0.004}, 10'000);
    EpsilonBracket wider = pld_epsilon(phases, Adjacency::add_remove, 1e-6);
    for (const double gap : {5e-4, 1e-4, 1e-5}) {
        PldOptions options;
        options.relative_gap = gap;
        const EpsilonBracket found = pld_epsilon(phases, Adjacency::add_remove, 1e-6, options);
        CAPTURE(gap, found.lower.value, found.upper.value, found.note);
        CHECK(found.relative_gap <= gap);
        CHECK(found.note.empty());
        CHECK(found.upper.value >= wider.lower.value);
        CHECK(found.lower.value <= wider.upper.value);
        wider = found;
    }
}

TEST_CASE("nothing released, nothing lost", "[pld_accountant]") {
    const std::vector<Phase> phases =
        one(SampledGaussian{.noise_multiplier = 1.0, .sampling_probability = 0.0}, 10);
    const DeltaBracket point = delta_at(phases, Adjacency::add_remove, 0.0);
    CHECK(point.lower.value == 0.0);
    CHECK(point.upper.value == 0.0);
    CHECK(pld_epsilon(phases, Adjacency::add_remove, 1e-5).upper.value == 0.0);
}

TEST_CASE("too little memory gives a wide answer and says why", "[pld_accountant]") {
    const std::vector<Phase> phases =
        one(SampledGaussian{.noise_multiplier = 0.4, .sampling_probability = 1e-3}, 2000);
    PldOptions options;
    options.most_bytes = std::size_t{1} << 19U;
    options.relative_gap = 1e-5;
    const double epsilons[] = {1.0};
    const DeltaCurve curve = pld_delta(phases, Adjacency::add_remove, epsilons, options);
    CHECK(curve.relative_gap > 1e-5);
    CHECK(!curve.note.empty());
    const DeltaBracket fine = delta_at(phases, Adjacency::add_remove, 1.0);
    CHECK(curve.points.front().lower.value <= fine.upper.value);
    CHECK(curve.points.front().upper.value >= fine.lower.value);
}

TEST_CASE("losses beyond what a grid holds count as infinite", "[pld_accountant]") {
    const DeltaBracket point =
        delta_at(one(SampledGaussian{.noise_multiplier = 0.02, .sampling_probability = 0.5}, 3),
                 Adjacency::add_remove, 1.0);
    CHECK(point.lower.value <= 0.875);  // 1 - (1/2)^3, all but e^-300 of it
    CHECK(point.upper.value >= 0.875);
}

TEST_CASE("parameters outside their domain and pairs without a theorem are refused",
          "[pld_accountant]") {
    const Mechanism sampled = SampledGaussian{.noise_multiplier = 1.0, .sampling_probability = 0.1};
    CHECK(test_support::refused(
              [&] { return delta_at(one(sampled, 0), Adjacency::add_remove, 1.0); }) == "steps");
    CHECK(test_support::refused(
              [&] { return delta_at(one(sampled, 1), Adjacency::add_remove, -1.0); }) == "epsilon");
    CHECK(test_support::refused(
              [&] { return pld_epsilon(one(sampled, 1), Adjacency::add_remove, 0.0); }) == "delta");
    CHECK_THROWS_AS(delta_at(one(BallsAndBins{1.0, 10}, 1), Adjacency::zero_out, 1.0),
                    UnsupportedMechanism);
}

TEST_CASE("noise of any size is answered", "[pld_accountant]") {
    for (const double noise : {1e-300, 1e9, 1e100, 1e300})
        for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one})
            for (const std::int64_t steps : {std::int64_t{10}, std::int64_t{1'000'000'000}}) {
                if (noise < 1.0 && steps > 10) continue;
                CAPTURE(noise, to_string(adjacency), steps);
                const auto phases = one(SampledGaussian{noise, 0.1}, steps);
                const EpsilonBracket found = pld_epsilon(phases, adjacency, 1e-3);
                CHECK(found.lower.value <= found.upper.value);
                // q c sqrt(T / 2) bounds the total variation (Pinsker), twice where both move.
                const double distance =
                    0.2 / noise * std::sqrt(0.5 * static_cast<double>(steps)) * 1.01;
                if (distance <= 1e-3) CHECK(found.upper.value == 0.0);
                const DeltaBracket point = delta_at(phases, adjacency, 0.0);
                CHECK(point.lower.value <= point.upper.value);
                CHECK(point.upper.value <= std::min(1.0, distance) + 1e-149);
                if (noise < 1.0) CHECK(point.upper.value >= 0.65);  // 1 - 0.9^10
            }
}

TEST_CASE("a rare record with little noise: the grid is made to fit, and the answer is a bracket",
          "[pld_accountant]") {
    // Losses of 250 nats on a scale of 1e-5: the grid that the scale asks for has 10^9 points.
    const double q = 1.25e-5;
    PldOptions options;
    options.most_bytes = std::size_t{1} << 22U;
    const double epsilon = 10.0;
    const DeltaCurve curve = pld_delta(one(SampledGaussian{0.056, q}, 6), Adjacency::add_remove,
                                       std::span(&epsilon, 1), options);
    const DeltaBracket& point = curve.points.front();
    CAPTURE(point.lower.value, point.upper.value, curve.note);
    CHECK((curve.relative_gap <= options.relative_gap || !curve.note.empty()));
    // Some batch has the record with probability 6 q, and then hardly anything is hidden.
    CHECK(point.lower.value >= 0.99 * q);
    CHECK(point.lower.value <= 6.0 * q);
    CHECK(point.upper.value >= 5.99 * q);
    CHECK(point.upper.value <= 6.01 * q);
}

// Catches blocks that have room for one large loss and no second: infinite above.
TEST_CASE("blocks of steps hold several large losses", "[pld_accountant]") {
    const EpsilonBracket found = pld_epsilon(one(SampledGaussian{0.14, 248.0 / 35844}, 5968),
                                             Adjacency::add_remove, 7.8e-11);
    CHECK(found.upper.value < 1.001 * found.lower.value);
}

// Catches ends that reach for a delta of 1e-300 and cost more rounding than 6e-31, and grids
// refined where none can help.
TEST_CASE("a far delta is outlined before grids are laid for it", "[pld_accountant]") {
    struct Case {
        double noise, q, gap;
    };
    for (const Case& c : {Case{1.5, 1e-3, 1e-4}, Case{3.0, 1e-4, 1e-3}}) {
        const auto phases = one(SampledGaussian{c.noise, c.q}, 10);
        const DeltaBracket found = delta_at(phases, Adjacency::add_remove, 1.0,
                                            {.cheap_gap = 1e-4, .smallest_delta = 1e-300});
        const RepeatedLossPair repeated{
            dominating_pair(phases.front().mechanism, Adjacency::add_remove), 10};
        const DeltaSides sums =
            NearBracket(NearPlan({&repeated, 1}, Adjacency::add_remove), 0.01).at(1.0);
        CAPTURE(c.noise, found.upper.value / found.lower.value - 1.0,
                sums.upper() / sums.lower() - 1.0);
        CHECK(found.lower.value <= sums.upper());
        CHECK(found.upper.value >= sums.lower());
        CHECK(found.upper.value - found.lower.value <= c.gap * found.upper.value);
    }
}

TEST_CASE("deltas that leave the range of doubles beside e^epsilon", "[pld_accountant]") {
    // With all records drawn, probability q^T: delta(eps) >= q^T delta_Gauss(eps + T log(1/q)).
    struct Case {
        double noise, q;
        std::int64_t steps;
        double epsilon;
    };
    for (const Case& c : {Case{0.1478, 0.445, 3, 378.0}, Case{0.1907, 0.4046, 7, 429.0},
                          Case{0.1478, 0.445, 3, 200.0}, Case{0.12, 0.9, 3, 490.0}}) {
        const Wide rarity = Wide(c.steps) * log(Wide(c.q));
        const Wide shift = sqrt(Wide(c.steps)) / Wide(c.noise);
        const Wide least =
            exp(rarity) * gaussian_delta_wide(1, shift * shift, Wide(c.epsilon) - rarity);
        const auto phases = one(SampledGaussian{c.noise, c.q}, c.steps);
        const DeltaBracket point = delta_at(phases, Adjacency::add_remove, c.epsilon);
        CAPTURE(c.noise, c.epsilon, test_support::digits(least), point.lower.value,
                point.upper.value);
        CHECK(Wide(point.upper.value) >= least);
        CHECK(point.lower.value <= point.upper.value);
        // Below that delta the epsilon is larger.
        const auto delta = static_cast<double>(least * Wide(0.999));
        const EpsilonBracket found = pld_epsilon(phases, Adjacency::add_remove, delta);
        CAPTURE(found.lower.value, found.upper.value);
        CHECK(found.upper.value >= c.epsilon);
    }
}

}  // namespace
}  // namespace assay
