// The pair of a record against a null one in batches of fixed size (docs/proofs.md, dominating pair
// under zero-out), and the pairs that two neighbours attain.
#include <algorithm>
#include <cmath>
#include <random>

#include "assay/pld/pair_masses.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

struct Divergences {
    double removal;
    double addition;
};

/// Of (1-q) N(0) + q N(u) and (1-q) N(0) + q N(v), u and v in the plane, by sums over a grid; v on
/// the first axis.
Divergences of_mixtures(double q, std::array<double, 2> u, double v, double t) {
    constexpr double step = 0.05;
    Divergences sum{0.0, 0.0};
    for (double x = -7.0; x <= 9.0; x += step)
        for (double y = -7.0; y <= 9.0; y += step) {
            const double mass = std::exp(-0.5 * (x * x + y * y)) * step * step / 6.283185307179586;
            const double square = u[0] * u[0] + u[1] * u[1];
            const double p = 1.0 - q + q * std::exp(u[0] * x + u[1] * y - 0.5 * square);
            const double other = 1.0 - q + q * std::exp(v * x - 0.5 * v * v);
            sum.removal += mass * std::max(0.0, p - t * other);
            sum.addition += mass * std::max(0.0, other - t * p);
        }
    return sum;
}

DominatingPair null_pair(double q, double r) {
    return dominating_pair(FixedSizeGaussian{1.0 / r, q}, Adjacency::zero_out);
}

TEST_CASE("no step of fixed size exceeds its pair under zero-out", "[dominating_pair]") {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (int i = 0; i < 25; ++i) {
        const double q = 0.05 + 0.9 * uniform(random);
        const double r = 0.2 + 1.2 * uniform(random);
        // v = -c with |c| <= r; u = x - c with |x| <= r.
        const double v = r * uniform(random);
        const double angle = 6.283185307179586 * uniform(random) * (i % 2);
        const DominatingPair pair = null_pair(q, r);
        for (const double epsilon : {0.0, 0.05, 0.4, 1.2}) {
            CAPTURE(q, r, v, angle, epsilon);
            const Divergences found = of_mixtures(q, {v + r * std::cos(angle), r * std::sin(angle)},
                                                  v, std::exp(epsilon));
            const PairDivergence bound = pair_divergence(pair, epsilon);
            CHECK(found.removal <= bound.removal.upper + 1e-4);
            CHECK(found.addition <= bound.addition.upper + 1e-4);
        }
    }
}

TEST_CASE("the pair of a null record has mass 1 and one total variation", "[dominating_pair]") {
    for (const double q : {1e-4, 0.2, 0.9})
        for (const double r : {0.05, 0.7, 5.0}) {
            CAPTURE(q, r);
            const DominatingPair pair = null_pair(q, r);
            std::vector<real> boundaries{
                -std::numeric_limits<real>::infinity(), -0.5L, -1e-4L, 0.0L, 1e-4L, 0.01L, 1.0L,
                std::numeric_limits<real>::infinity()};
            real sum_q = mass_at_one(pair);
            real sum_p = sum_q;
            for (const PairMass& mass : interval_masses(pair, boundaries)) {
                sum_q += mass.under_q;
                sum_p += mass.under_p;
            }
            CHECK(mass_at_one(pair) > 0.0L);
            CHECK(static_cast<double>(sum_q) == Approx(1.0).epsilon(1e-13));
            CHECK(static_cast<double>(sum_p) == Approx(1.0).epsilon(1e-13));
            // q (2 Phi(r/2) - 1), that of a shift of one clip norm.
            const PairDivergence at_zero = pair_divergence(pair, 0.0);
            const double distance = q * std::erf(0.5 * r / std::sqrt(2.0));
            CHECK(at_zero.removal.upper == Approx(distance).epsilon(1e-6));
            CHECK(at_zero.addition.upper == Approx(distance).epsilon(1e-6));
            // Addition is as for a shift of r, removal far out as for 2r.
            DominatingPair one = pair;
            one.shape = DominatingPair::Shape::removal;
            const double far = std::log1p(q * (std::exp(2.0 * r * (r + 3.0)) - 1.0));
            CHECK(pair_divergence(pair, far).removal.upper ==
                  Approx(pair_divergence(one, far).removal.upper).epsilon(1e-10));
            one.c = r;
            CHECK(pair_divergence(pair, 0.01).addition.upper ==
                  Approx(pair_divergence(one, 0.01).removal.upper).epsilon(1e-10));
        }
}

TEST_CASE("the pair of a record and a null one beside its opposites", "[dominating_pair]") {
    for (const double q : {0.02, 0.5})
        for (const double r : {0.4, 1.0, 2.0}) {
            DominatingPair pair = null_pair(q, r);
            CHECK(pair.attained_pairs().size() == 2);
            pair = pair.attained_pairs().back();
            REQUIRE(pair.shape == DominatingPair::Shape::halved);
            std::vector<real> boundaries{-std::numeric_limits<real>::infinity()};
            for (int k = -300; k <= 900; ++k) boundaries.push_back(0.01L * static_cast<real>(k));
            boundaries.push_back(std::numeric_limits<real>::infinity());
            const std::vector<PairMass> masses = interval_masses(pair, boundaries);
            real sum_q = 0.0L;
            real sum_p = 0.0L;
            for (std::size_t i = 0; i < masses.size(); ++i) {
                sum_q += masses[i].under_q;
                sum_p += masses[i].under_p;
                if (masses[i].under_q < 1e-30L) continue;
                const real ratio = std::log(masses[i].under_p / masses[i].under_q);
                CHECK(ratio >= boundaries[i] - 1e-12L);
                CHECK(ratio <= boundaries[i + 1] + 1e-12L);
            }
            CHECK(static_cast<double>(sum_q) == Approx(1.0).epsilon(1e-13));
            CHECK(static_cast<double>(sum_p) == Approx(1.0).epsilon(1e-13));
            for (const double epsilon : {0.0, 0.1, 0.6}) {
                CAPTURE(q, r, epsilon);
                const Divergences truth = of_mixtures(q, {2.0 * r, 0.0}, r, std::exp(epsilon));
                const PairDivergence found = pair_divergence(pair, epsilon);
                CHECK(found.removal.lower == Approx(truth.removal).margin(3e-4));
                CHECK(found.addition.lower == Approx(truth.addition).margin(3e-4));
            }
        }
}

TEST_CASE("under zero-out a fixed size lies between both attained pairs and replace-one", "[pld]") {
    const std::vector<Phase> phases{{FixedSizeGaussian{1.0, 0.01}, 1000}};
    const EpsilonBracket found = pld_epsilon(phases, Adjacency::zero_out, 1e-5);
    const std::vector<Phase> poisson{{SampledGaussian{1.0, 0.01}, 1000}};
    // Other records that are null as well: those of Poisson sampling.
    CHECK(found.lower.value >= pld_epsilon(poisson, Adjacency::zero_out, 1e-5).lower.value);
    CHECK(found.lower.value > 10.0);  // others opposite to the record tell far more here
    CHECK(found.upper.value <= pld_epsilon(phases, Adjacency::replace_one, 1e-5).upper.value);
    CHECK(found.upper.theorem.standing == Standing::ours);
    CHECK_FALSE(found.note.empty());
}

}  // namespace
}  // namespace assay
