#include "assay/pld/hit_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "assay/pld/pair_masses.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/privacy/citations.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Wide;

/// Bin(k; B, 1/D) for k = 0 .. B.
std::vector<double> binomial(int batch, int dataset) {
    const double p = 1.0 / dataset;
    std::vector<double> weights;
    for (int k = 0; k <= batch; ++k)
        weights.push_back(std::exp(std::lgamma(batch + 1.0) - std::lgamma(k + 1.0) -
                                   std::lgamma(batch - k + 1.0) + k * std::log(p) +
                                   (batch - k) * std::log1p(-p)));
    return weights;
}

DominatingPair with_draws(double c, int batch, int dataset, DominatingPair::Shape shape) {
    DominatingPair pair;
    pair.shape = shape;
    pair.c = c;
    pair.q = 1.0L - std::pow(1.0L - 1.0L / dataset, static_cast<real>(batch));
    pair.draws = DominatingPair::Draws{batch, dataset};
    return pair;
}

TEST_CASE("the mixture of hits is its own sum, and its quantile inverts it", "[dominating_pair]") {
    for (const double c : {0.05, 0.7, 4.0, 40.0}) {
        const HitMixture mixture({12, 40}, c);
        const std::vector<double> weights = binomial(12, 40);
        real near = std::numeric_limits<real>::infinity();
        for (const double loss : {-0.3, -0.2, -1e-3, 0.0, 1e-6, 0.1, 2.0, 30.0, 600.0}) {
            CAPTURE(c, loss);
            const real z = mixture.quantile(loss, near);
            if (std::isfinite(z)) near = z;
            if (loss < std::log(weights[0])) {
                CHECK(z == -std::numeric_limits<real>::infinity());
                continue;
            }
            Wide ratio = 0;
            Wide weight = pow(Wide(39) / 40, 12);
            for (int k = 0; k <= 12; ++k) {
                ratio += weight * exp(k * Wide(c) * (Wide(z) - k * Wide(c) / 2));
                weight *= Wide(12 - k) / (39 * (k + 1));
            }
            CHECK(static_cast<double>(log(ratio)) == Approx(loss).margin(1e-14).epsilon(1e-14));
            CHECK(static_cast<double>(std::log(mixture.ratio(z))) ==
                  Approx(loss).margin(1e-14).epsilon(1e-14));
        }
    }
}

TEST_CASE("masses of the mixture of hits, short intervals and tails", "[dominating_pair]") {
    const double c = 0.9;
    const HitMixture mixture({30, 70}, c);
    const auto truth = [&](const Wide& a, const Wide& b) {
        Wide mass = 0;
        Wide weight = pow(Wide(69) / 70, 30);
        for (int k = 0; k <= 30; ++k) {
            const Wide left = a - k * Wide(c);
            const Wide right = b - k * Wide(c);
            const Wide part = left > 0 ? Wide(test_support::normal_tail_wide(left) -
                                              test_support::normal_tail_wide(right))
                                       : Wide(test_support::normal_tail_wide(-right) -
                                              test_support::normal_tail_wide(-left));
            mass += weight * part;
            weight *= Wide(30 - k) / (69 * (k + 1));
        }
        return mass;
    };
    for (const double a : {-20.0, -3.0, 0.0, 1.5, 6.0, 19.0, 35.0})
        for (const double width : {1e-7, 1e-3, 0.02, 0.5, 9.0}) {
            CAPTURE(a, width);
            const real found = mixture.mass(a, static_cast<real>(a) + static_cast<real>(width));
            const Wide exact =
                truth(Wide(a), Wide(static_cast<real>(a) + static_cast<real>(width)));
            CHECK(abs(Wide(found) - exact) <= Wide(pair_mass_error) * exact);
        }
}

TEST_CASE("hits that are left out have less than 1e-60 of the probability", "[dominating_pair]") {
    const HitMixture all({4, 10}, 1.0L);
    CHECK(all.weights().size() == 4);
    CHECK(all.beyond() == 0.0L);
    const HitMixture most({16384, 16385}, 1.0L);
    CHECK(most.weights().size() < 64);
    CHECK(most.beyond() > 0.0L);
    CHECK(most.beyond() <= 1e-60L);
    CHECK(static_cast<double>(most.hit_probability()) ==
          Approx(1.0 - std::exp(-1.0)).epsilon(1e-4));
    const DominatingPair pair = with_draws(0.5, 16384, 16385, DominatingPair::Shape::removal);
    CHECK(mass_beyond(pair).under_p == most.beyond());
    CHECK(mass_beyond(pair).under_q == 0.0L);
}

/// H_t of two mixtures sum_k a_k N(mean_k), in the plane.
struct Planar {
    std::vector<double> weights;
    std::vector<std::array<double, 2>> p;
    std::vector<std::array<double, 2>> q;

    [[nodiscard]] double divergence(double t) const {
        constexpr double step = 0.08;
        double sum = 0.0;
        for (double x = -9.0; x <= 9.0; x += step)
            for (double y = -9.0; y <= 9.0; y += step) {
                const auto density = [&](const std::vector<std::array<double, 2>>& means) {
                    double value = 0.0;
                    for (std::size_t k = 0; k < weights.size(); ++k)
                        value +=
                            weights[k] * std::exp(-0.5 * ((x - means[k][0]) * (x - means[k][0]) +
                                                          (y - means[k][1]) * (y - means[k][1])));
                    return value;
                };
                sum += std::max(0.0, density(p) - t * density(q));
            }
        return sum * step * step / (2.0 * 3.14159265358979);
    }
};

std::array<double, 2> in_disc(std::mt19937& random, double radius) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (;;) {
        const double x = uniform(random);
        const double y = uniform(random);
        const double length = std::hypot(x, y);
        if (length > 1.0) continue;
        // On the rim as often as inside.
        const double scale = uniform(random) < 0.0 ? radius : radius / length;
        return {x * scale, y * scale};
    }
}

/// Random gradients of a step with three draws: of the record, of the other one in its place, and
/// of the records that it displaces.
Planar random_step(std::mt19937& random, double r, Adjacency adjacency, int batch, int dataset) {
    Planar step{binomial(batch, dataset), {{0.0, 0.0}}, {{0.0, 0.0}}};
    const std::array<double, 2> x = in_disc(random, r);
    std::array<double, 2> other = in_disc(random, r);
    if (adjacency == Adjacency::zero_out) other = {0.0, 0.0};
    for (int k = 1; k <= batch; ++k) {
        const std::array<double, 2> c = in_disc(random, r);
        const std::array<double, 2> p = step.p.back();
        const std::array<double, 2> q = step.q.back();
        step.p.push_back({p[0] + x[0] - c[0], p[1] + x[1] - c[1]});
        if (adjacency == Adjacency::add_remove)
            step.q.push_back({0.0, 0.0});
        else
            step.q.push_back({q[0] + other[0] - c[0], q[1] + other[1] - c[1]});
    }
    return step;
}

TEST_CASE("no step with replacement exceeds its dominating pair", "[dominating_pair]") {
    std::mt19937 random(7);
    for (const Adjacency adjacency :
         {Adjacency::add_remove, Adjacency::replace_one, Adjacency::zero_out})
        for (int i = 0; i < 12; ++i) {
            const double r = 0.25 + 0.05 * i;
            const DominatingPair pair =
                dominating_pair(FixedSizeWithReplacementGaussian{1.0 / r, 2, 5}, adjacency);
            const Planar step = random_step(random, r, adjacency, 2, 5);
            Planar reverse = step;
            std::swap(reverse.p, reverse.q);
            for (const double epsilon : {0.0, 0.1, 0.5, 1.0}) {
                CAPTURE(to_string(adjacency), r, epsilon);
                const PairDivergence bound = pair_divergence(pair, epsilon);
                CHECK(step.divergence(std::exp(epsilon)) <= bound.removal.upper + 3e-5);
                CHECK(reverse.divergence(std::exp(epsilon)) <= bound.addition.upper + 3e-5);
            }
        }
}

TEST_CASE("antipodal gradients attain the pair of sampling with replacement", "[dominating_pair]") {
    const double r = 0.6;
    const Planar step{binomial(2, 5), {{0, 0}, {2 * r, 0}, {4 * r, 0}}, {{0, 0}, {0, 0}, {0, 0}}};
    Planar reverse = step;
    std::swap(reverse.p, reverse.q);
    const DominatingPair pair =
        dominating_pair(FixedSizeWithReplacementGaussian{1.0 / r, 2, 5}, Adjacency::add_remove);
    for (const double epsilon : {0.0, 0.3, 1.0}) {
        const PairDivergence found = pair_divergence(pair, epsilon);
        CHECK(found.removal.lower == Approx(step.divergence(std::exp(epsilon))).margin(1e-4));
        CHECK(found.addition.lower == Approx(reverse.divergence(std::exp(epsilon))).margin(1e-4));
        CHECK(found.removal.relative_width() < 1e-9);
    }
}

TEST_CASE("two steps with replacement in both orders, against a sum over the plane", "[pld]") {
    const double c = 0.8;  // noise 2.5
    const std::vector<double> weights = binomial(3, 8);
    const auto ratio = [&](double z) {
        double sum = 0.0;
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const double shift = static_cast<double>(k) * c;
            sum += weights[k] * std::exp(shift * z - 0.5 * shift * shift);
        }
        return sum;
    };
    for (const double epsilon : {0.2, 1.0, 2.5}) {
        constexpr double step = 0.02;
        double removal = 0.0;
        double addition = 0.0;
        for (double x = -8.0; x < 12.0; x += step)
            for (double y = -8.0; y < 12.0; y += step) {
                const double w = ratio(x) * ratio(y);
                const double mass =
                    std::exp(-0.5 * (x * x + y * y)) * step * step / 6.283185307179586;
                removal += mass * std::max(0.0, w - std::exp(epsilon));
                addition += mass * std::max(0.0, 1.0 - std::exp(epsilon) * w);
            }
        const std::vector<Phase> phases{{FixedSizeWithReplacementGaussian{2.5, 3, 8}, 2}};
        const DeltaBracket found =
            pld_delta(phases, Adjacency::add_remove, {&epsilon, 1}).points.front();
        CAPTURE(epsilon, removal, addition);
        CHECK(found.removal_lower <= removal * 1.0002);
        CHECK(found.removal_upper >= removal * 0.9998);
        CHECK(found.addition_lower <= addition * 1.0002);
        CHECK(found.addition_upper >= addition * 0.9998);
        CHECK(found.upper.value <= 1.001 * found.lower.value);
    }
}

TEST_CASE("one draw a batch is a uniform subset of one record", "[pld]") {
    const std::vector<Phase> draw{{FixedSizeWithReplacementGaussian{1.0, 1, 50}, 300}};
    const std::vector<Phase> subset{{FixedSizeGaussian{1.0, 0.02}, 300}};
    for (const Adjacency adjacency :
         {Adjacency::add_remove, Adjacency::replace_one, Adjacency::zero_out}) {
        CAPTURE(to_string(adjacency));
        const EpsilonBracket one = pld_epsilon(draw, adjacency, 1e-5);
        const EpsilonBracket other = pld_epsilon(subset, adjacency, 1e-5);
        CHECK(one.upper.value == Approx(other.upper.value).epsilon(2e-3));
        CHECK(one.lower.value <= other.upper.value);
        CHECK(other.lower.value <= one.upper.value);
    }
}

TEST_CASE("a large batch with replacement is closed within a thousandth", "[pld]") {
    const std::vector<Phase> phases{{FixedSizeWithReplacementGaussian{10.0, 16384, 50000}, 2000}};
    const EpsilonBracket found = pld_epsilon(phases, Adjacency::add_remove, 1e-5);
    CHECK(found.relative_gap <= 1e-3);
    CHECK(found.lower.value > 16.0);  // a Renyi divergence alone leaves [8.3, 17.4]
    CHECK(found.upper.value < 17.0);
}

}  // namespace
}  // namespace assay
