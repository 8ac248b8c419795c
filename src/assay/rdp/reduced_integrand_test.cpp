#include "assay/rdp/reduced_integrand.hpp"

#include <cmath>

#include "assay/rdp/collinear_pair.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Q f(P/Q - 1) e^{-z^2/2}, f(x) = (1+x)^a - 1 - a x, as it is written.
Digits100 literal(double order, double q, real x, real y, real z) {
    const auto mixture = [&](real shift) -> Digits100 {
        return 1 - Digits100(q) +
               Digits100(q) * exp(Digits100(shift) * (Digits100(z) - Digits100(shift) / 2));
    };
    const Digits100 below = mixture(y);
    const Digits100 rho = mixture(x) / below;
    const Digits100 a(order);
    return below * (pow(rho, a) - 1 - a * (rho - 1)) * exp(-Digits100(z) * Digits100(z) / 2);
}

}  // namespace

TEST_CASE("the integrand without cancellation equals the printed one", "[reduced_integrand]") {
    Random random(121);
    CAPTURE(random.seed());
    for (int i = 0; i < 120 * effort(); ++i) {
        const double q = random.log_uniform(1e-9, 0.999);
        const double beta = random.log_uniform(1e-12, 300.0);
        const double order = 1.0 + beta;
        const auto c = static_cast<real>(random.log_uniform(2e-4, 5.0));
        const real y = i % 3 == 0 ? 0.0L : -c * static_cast<real>(random.uniform(0.0, 1.0));
        const real z = static_cast<real>(random.uniform(-9.0, 9.0));
        const LossPoint point = CollinearPair(q, c, y).at(z);
        const real b = static_cast<real>(order) - 1.0L;
        const IntegrandTerm term = reduced_term(z, point, b);
        CAPTURE(q, order, c, y, z, term.relative_error);
        const Digits100 exact = literal(order, q, c, y, z);
        REQUIRE(term.relative_error > 0.0L);
        if (term.relative_error > 0.1L) continue;
        const Digits100 computed(term.value.value());
        REQUIRE(abs(computed - exact) <= Digits100(term.relative_error) * exact);
        // Not vacuous away from the crossing.
        if (std::fabs(z - 0.5L * (c + y)) > 0.3L) REQUIRE(term.relative_error < 1e-11L);
    }
}

TEST_CASE("losses beyond 100 join without a step", "[reduced_integrand]") {
    for (const real loss : {99.9L, 100.1L, 400.0L})
        for (const real beta : {1e-9L, 0.5L, 30.0L}) {
            LossPoint point;
            point.loss = loss;
            point.log_p = loss;
            point.excess = std::expm1(loss);
            const Wide a = Wide(beta) + 1;
            const Wide exact = log(exp(a * Wide(loss)) - 1 - a * expm1(Wide(loss)));
            const IntegrandTerm term = reduced_term(0.0L, point, beta);
            CAPTURE(loss, beta);
            CHECK(abs(Wide(term.value.log()) - exact) <
                  Wide(term.relative_error) + abs(exact) * Wide(1e-18));
            CHECK(term.relative_error < 1e-13L);
        }
}

TEST_CASE("where the second density carries the mass, P/Q - 1 = -1 to all digits",
          "[reduced_integrand]") {
    // There kappa = 1 + e^L (L - 1): e^L must not be taken from 1 + (P/Q - 1).
    for (const real c : {6.0L, 12.0L, 20.0L, 40.0L})
        for (const double q : {1e-9, 1e-3, 0.5})
            for (const real offset : {-3.0L, -0.7L, 0.0L, 1.3L, 0.4L * c})
                for (const double order : {1.0000001, 2.0, 20.0}) {
                    const LossPoint point = CollinearPair(q, 0.0L, -c).at(offset - c);
                    const real b = static_cast<real>(order) - 1.0L;
                    const IntegrandTerm term = reduced_term(offset - c, point, b);
                    const Digits100 exact = literal(order, q, 0.0L, -c, offset - c);
                    CAPTURE(c, q, offset, order, term.relative_error);
                    CHECK(abs(Digits100(term.value.value()) - exact) <=
                          Digits100(term.relative_error) * exact);
                }
}

TEST_CASE("f is largest at the lowest excess", "[reduced_integrand]") {
    for (const double beta : {1e-9, 0.3, 1.0, 50.0})
        for (const double x : {-1.0, -0.9999, -0.5, -0.01, -1e-9}) {
            const Wide a = Wide(beta) + 1;
            const Wide power = x == -1.0 ? Wide(0) : pow(1 + Wide(x), a);
            const Wide exact = log(power - 1 - a * Wide(x));
            const real bound = log_reduced_bound(static_cast<real>(x), static_cast<real>(beta));
            CAPTURE(beta, x);
            CHECK(Wide(bound) >= exact - Wide(1e-18) * abs(exact));
            CHECK(Wide(bound) <= exact + Wide(1e-9));
        }
}
