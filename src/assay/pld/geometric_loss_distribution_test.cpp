#include "assay/pld/geometric_loss_distribution.hpp"

#include <algorithm>
#include <functional>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

DominatingPair pair_of(DominatingPair::Shape shape, real q, real c) {
    DominatingPair pair;
    pair.shape = shape;
    pair.q = q;
    pair.c = c;
    return pair;
}

double excess(const RatioAtoms& atoms, double threshold) {
    double sum = atoms.direction == Direction::upper ? atoms.infinity_mass : 0.0;
    for (std::size_t i = 0; i < atoms.under_q.size(); ++i)
        sum += std::max(0.0, atoms.under_p[i] - threshold * atoms.under_q[i]);
    return sum;
}

double shortfall(const RatioAtoms& atoms, double threshold) {
    double sum = atoms.direction == Direction::upper ? atoms.null_mass : 0.0;
    for (std::size_t i = 0; i < atoms.under_q.size(); ++i)
        sum += std::max(0.0, atoms.under_q[i] - threshold * atoms.under_p[i]);
    return sum;
}

/// log W of the removal and the antipodal pair at a normal quantile, and Q's density there.
struct Distribution {
    DominatingPair pair;

    [[nodiscard]] double ratio(double z) const {
        const auto q = static_cast<double>(pair.q);
        const auto c = static_cast<double>(pair.c);
        const double up = 1.0 + q * std::expm1(c * z - 0.5 * c * c);
        return pair.shape == DominatingPair::Shape::removal
                   ? up
                   : up / (1.0 + q * std::expm1(-c * z - 0.5 * c * c));
    }
    [[nodiscard]] double density(double z) const {
        const auto q = static_cast<double>(pair.q);
        const auto c = static_cast<double>(pair.c);
        const double normal = test_support::normal_density(z);
        return pair.shape == DominatingPair::Shape::removal
                   ? normal
                   : normal * (1.0 + q * std::expm1(-c * z - 0.5 * c * c));
    }
};

/// E f(W_1 W_2) by the trapezoid rule in both normals.
double two_steps(const Distribution& distribution, const std::function<double(double)>& payoff) {
    // Steps without a common multiple: no line of kinks runs along the nodes.
    const double h = 0.04;
    const double k = 0.0373;
    const double low = -9.0;
    const double length = 18.0 + static_cast<double>(distribution.pair.c);
    double sum = 0.0;
    for (double x = low; x < low + length; x += h) {
        double inner = 0.0;
        for (double y = low; y < low + length; y += k)
            inner +=
                distribution.density(y) * payoff(distribution.ratio(x) * distribution.ratio(y));
        sum += inner * distribution.density(x);
    }
    return sum * h * k;
}

TEST_CASE("two steps by quadrature lie between the distributions, and these are close",
          "[geometric_loss_distribution]") {
    using Shape = DominatingPair::Shape;
    for (const DominatingPair& pair :
         {pair_of(Shape::removal, 0.2L, 1.2L), pair_of(Shape::antipodal, 0.1L, 1.0L)}) {
        const auto grid = geometric_grid(1e-3, 20.0, 0.02);
        const RatioAtoms upper =
            GeometricLossDistribution(pair, grid, Direction::upper).doubled(0).atoms();
        const RatioAtoms lower =
            GeometricLossDistribution(pair, grid, Direction::lower).doubled(0).atoms();
        for (const double k : {0.8, 1.0, 1.1, 1.5, 3.0}) {
            CAPTURE(k, static_cast<double>(pair.q));
            const double truth = two_steps({pair}, [&](double w) { return std::max(0.0, w - k); });
            const double reverse =
                two_steps({pair}, [&](double w) { return std::max(0.0, 1.0 - k * w); });
            const double slack = 1e-6;  // of the quadrature, at the kink
            CHECK(excess(upper, k) >= truth - slack);
            CHECK(excess(lower, k) <= truth + slack);
            CHECK(shortfall(upper, k) >= reverse - slack);
            CHECK(shortfall(lower, k) <= reverse + slack);
            CHECK(excess(upper, k) - excess(lower, k) <= 2e-3 * truth + 2e-5);
            CHECK(shortfall(upper, k) - shortfall(lower, k) <= 2e-3 * reverse + 2e-5);
            CHECK(excess(upper, k) >= excess(lower, k));
        }
    }
}

TEST_CASE("mass and mean stay 1 through doublings", "[geometric_loss_distribution]") {
    const DominatingPair pair = pair_of(DominatingPair::Shape::symmetric, 0.01L, 2.0L);
    for (const Direction direction : {Direction::upper, Direction::lower}) {
        GeometricLossDistribution distribution(pair, geometric_grid(1e-5, 25.0, 0.05), direction);
        for (int level = 0; level < 6; ++level) distribution = distribution.doubled(4 * level);
        const RatioAtoms atoms = distribution.atoms();
        double q = atoms.null_mass;
        double p = atoms.infinity_mass;
        for (const double mass : atoms.under_q) q += mass;
        for (const double mass : atoms.under_p) p += mass;
        CHECK(std::fabs(q - 1.0) <= atoms.mass_error + atoms.loss_error + 1e-14);
        CHECK(std::fabs(p - 1.0) <= atoms.mass_error + atoms.loss_error + 1e-14);
        CHECK(atoms.mass_error < 1e-10);
    }
}

/// The distributions of n steps against the exact variance, E W^2 = (1 + q^2 (e^{c^2} - 1))^n: the
/// upper distribution has more, the lower less, and both by a fraction of spacing^2.
TEST_CASE("the second moment lies between, to second order in the spacing",
          "[geometric_loss_distribution]") {
    const DominatingPair pair = pair_of(DominatingPair::Shape::removal, 1e-3L, 1.5L);
    constexpr int levels = 7;
    const double truth = std::expm1(128.0 * std::log1p(1e-6 * std::expm1(2.25)));
    const auto excess = [&](double spacing, Direction direction) {
        GeometricLossDistribution distribution(pair, geometric_grid(1e-6, 16.0, spacing),
                                               direction);
        for (int level = 0; level < levels; ++level) distribution = distribution.doubled(0);
        const RatioAtoms atoms = distribution.atoms();
        double second = 0.0;
        for (std::size_t i = 0; i < atoms.under_q.size(); ++i) {
            const double ratio = atoms.under_p[i] / atoms.under_q[i];
            second += atoms.under_q[i] * (ratio - 1.0) * (ratio - 1.0);
        }
        return second / truth - 1.0;
    };
    for (const double spacing : {0.1, 0.05}) {
        CAPTURE(spacing);
        const double up = excess(spacing, Direction::upper);
        const double down = excess(spacing, Direction::lower);
        CHECK(up > 0.0);
        CHECK(up < spacing * spacing * (levels + 1) / 3.0);
        CHECK(down < 0.0);
        CHECK(down > -spacing * spacing * (levels + 1) / 3.0);
    }
}

TEST_CASE("grids outside the domain are refused", "[geometric_loss_distribution]") {
    CHECK(test_support::refused([] { return geometric_grid(0.0, 1.0, 0.1); }) == "floor");
    CHECK(test_support::refused([] { return geometric_grid(1e-3, 700.0, 0.1); }) == "largest loss");
    CHECK(test_support::refused([] { return geometric_grid(1e-3, 1.0, 0.0); }) == "spacing");
}

}  // namespace
}  // namespace assay
