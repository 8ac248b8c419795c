// Truncated Poisson batches (docs/proofs.md, truncated Poisson batches).
#include <algorithm>
#include <cmath>

#include "assay/pld/pair_masses.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

double binomial_tail(int n, double p, int least) {
    double sum = 0.0;
    for (int k = least; k <= n; ++k)
        sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                        k * std::log(p) + (n - k) * std::log1p(-p));
    return sum;
}

TEST_CASE("a cut has at least its binomial probability", "[dominating_pair]") {
    for (const int most : {12, 20, 40, 99}) {
        CAPTURE(most);
        const TruncatedPoissonGaussian cut{1.0, 10, 100, most};
        const auto added = dominating_pair(cut, Adjacency::add_remove).cut.probability;
        CHECK(static_cast<double>(added) >= binomial_tail(100, 0.1, most));
        CHECK(static_cast<double>(added) <= 2.0 * binomial_tail(100, 0.1, most) + 1e-300);
        const auto null = dominating_pair(cut, Adjacency::zero_out).cut.probability;
        CHECK(static_cast<double>(null) >= binomial_tail(99, 0.1, most));
        CHECK(null < added);
    }
    CHECK(dominating_pair(TruncatedPoissonGaussian{1.0, 10, 100, 101}, Adjacency::add_remove)
              .cut.probability == 0.0L);
}

/// One step with two other records of gradient c1, c2 in one dimension, at most one record in a
/// batch: both divergences by sums over a grid.
struct CutStep {
    double q;
    double x;      // of the record, in units of the noise
    double other;  // of the null or the other record; absent under add/remove
    bool is_absent;
    double c1;
    double c2;

    /// Density of the sum, relative to a normal one, with `gradient` for the record.
    [[nodiscard]] double density(double z, double gradient, bool takes_part) const {
        const double gradients[] = {c1, c2, gradient};
        const int records = takes_part ? 3 : 2;
        double sum = 0.0;
        for (int set = 0; set < (1 << records); ++set) {
            double weight = 1.0;
            int size = 0;
            for (int i = 0; i < records; ++i) {
                weight *= (set >> i) & 1 ? q : 1.0 - q;
                size += (set >> i) & 1;
            }
            if (size == 0) sum += weight * std::exp(-0.5 * z * z);
            for (int i = 0; i < records && size > 0; ++i)
                if ((set >> i) & 1)
                    sum += weight / size * std::exp(-0.5 * (z - gradients[i]) * (z - gradients[i]));
        }
        return sum * 0.3989422804014327;
    }
    [[nodiscard]] std::array<double, 2> divergences(double epsilon) const {
        std::array<double, 2> sum{0.0, 0.0};
        constexpr double step = 2e-3;
        for (double z = -9.0; z < 9.0; z += step) {
            const double p = density(z, x, true);
            const double m = density(z, other, !is_absent);
            sum[0] += step * std::max(0.0, p - std::exp(epsilon) * m);
            sum[1] += step * std::max(0.0, m - std::exp(epsilon) * p);
        }
        return sum;
    }
};

TEST_CASE("no cut batch exceeds its pair, and records of gradient 0 attain the lower one",
          "[dominating_pair]") {
    for (const double r : {0.5, 1.2})
        for (const Adjacency adjacency :
             {Adjacency::add_remove, Adjacency::replace_one, Adjacency::zero_out})
            for (const double c1 : {-1.0, 0.0, 1.0})
                for (const double c2 : {-1.0, 0.0, 1.0}) {
                    // Three records (two and one of them under add/remove), cut at one.
                    const bool is_absent = adjacency == Adjacency::add_remove;
                    const int n = is_absent ? 2 : 3;
                    const TruncatedPoissonGaussian cut{1.0 / r, 1, n, 1};
                    const double other = adjacency == Adjacency::replace_one ? -r : 0.0;
                    const CutStep step{1.0 / n, r, other, is_absent, r * c1, r * c2};
                    const DominatingPair pair = dominating_pair(cut, adjacency);
                    const DominatingPair attained = pair.attained_pairs().front();
                    for (const double epsilon : {0.0, 0.2, 0.8}) {
                        CAPTURE(to_string(adjacency), r, c1, c2, epsilon);
                        const std::array<double, 2> found = step.divergences(epsilon);
                        const PairDivergence bound = pair_divergence(pair, epsilon);
                        CHECK(found[0] <= bound.removal.upper + 1e-6);
                        CHECK(found[1] <= bound.addition.upper + 1e-6);
                        if (c1 != 0.0 || c2 != 0.0) continue;
                        const PairDivergence below = pair_divergence(attained, epsilon);
                        CHECK(found[0] >= below.removal.lower - 1e-6);
                        CHECK(found[1] >= below.addition.lower - 1e-6);
                    }
                }
}

TEST_CASE("rare cuts cost no more than the addition to delta, and a bracket closes", "[pld]") {
    const std::vector<Phase> cut{{TruncatedPoissonGaussian{1.0, 100, 10000, 180}, 1000}};
    const std::vector<Phase> plain{{SampledGaussian{1.0, 0.01}, 1000}};
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::zero_out}) {
        const double epsilon = 1.5;
        const DeltaBracket one = pld_delta(cut, adjacency, {&epsilon, 1}).points.front();
        const DeltaBracket uncut = pld_delta(plain, adjacency, {&epsilon, 1}).points.front();
        const double addition =
            (1.0 + std::exp(epsilon)) * 1000.0 * binomial_tail(10000, 0.01, 180);
        CHECK(one.upper.value <= uncut.upper.value * 1.001 + addition);
        CHECK(one.lower.value >= 0.998 * uncut.lower.value);
        CHECK(one.lower.value >= 0.99 * one.upper.value);
    }
    // Cuts at every other step: the pair is that of fixed size half the time.
    const std::vector<Phase> often{{TruncatedPoissonGaussian{1.0, 100, 10000, 100}, 1000}};
    const EpsilonBracket found = pld_epsilon(often, Adjacency::add_remove, 1e-5);
    CHECK(found.lower.value < found.upper.value);
    const std::vector<Phase> fixed{{FixedSizeGaussian{1.0, 0.01}, 1000}};
    CHECK(found.upper.value <= 1.002 * pld_epsilon(fixed, Adjacency::add_remove, 1e-5).upper.value);
}

}  // namespace
}  // namespace assay
