#include "assay/numeric/trapezoid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// h sum g(kh + offset) over everything that counts.
template <class G>
Wide rule_sum(const TrapezoidRule& rule, const Wide& offset, const G& g) {
    const Wide h(rule.step);
    const auto reach = static_cast<int>(Wide(17) / h) + 2;
    Wide sum = 0;
    for (int k = -reach; k <= reach; ++k) sum += g(h * k + offset);
    return sum * h;
}

/// Largest error over a few offsets, relative to N = exact.
template <class G>
Wide true_error(const TrapezoidRule& rule, const Wide& exact, const G& g) {
    Wide worst = 0;
    for (const double part : {0.0, 0.25, 0.5}) {
        const Wide sum = rule_sum(rule, Wide(rule.step) * Wide(part), g);
        worst = std::max(worst, Wide(abs(sum / exact - 1)));
    }
    return worst;
}

}  // namespace

TEST_CASE("for the normal density the claimed error is the true one", "[trapezoid]") {
    for (const real digits : {1.0L, 3.0L, 8.0L, 20.0L, 60.0L}) {
        const TrapezoidRule rule = TrapezoidRule::for_accuracy(digits, 1e9L, 0.0L, 0.0L);
        CAPTURE(digits, rule.step, rule.relative_error);
        CHECK(rule.relative_error <= std::exp(-digits));
        const Wide error = true_error(rule, 1, [](const Wide& z) { return normal_density(z); });
        CHECK(error <= Wide(rule.relative_error));
        // Poisson summation gives 2 e^{-2 pi^2/h^2} (1 + ..), and the bound must not be vacuous.
        if (digits < 50.0L) CHECK(Wide(rule.relative_error) <= 3 * error);
    }
}

TEST_CASE("poles close to the axis are respected", "[trapezoid]") {
    // 1/(1 + e^{cz}) has poles at +- i pi/c; |1 + w| >= cos(cy/2) (1 + |w|), so sector c, power 1.
    for (const double c : {1.0, 4.0, 12.0})
        for (const real digits : {2.0L, 6.0L, 15.0L}) {
            const TrapezoidRule rule =
                TrapezoidRule::for_accuracy(digits, std::numbers::pi_v<real> / static_cast<real>(c),
                                            static_cast<real>(c), 1.0L);
            CAPTURE(c, digits, rule.step, rule.relative_error);
            CHECK(rule.relative_error <= std::exp(-digits));
            // Reflection z -> -z shows that the integral is exactly 1/2.
            const Wide error = true_error(rule, Wide(1) / 2, [&](const Wide& z) {
                return normal_density(z) / (1 + exp(Wide(c) * z));
            });
            CHECK(error <= Wide(rule.relative_error));
        }
    // A smooth bump whose only obstacle is its pole: N e^{y^2/2} with N from the strip itself.
    for (const double width : {0.05, 0.2}) {
        const real strip = 0.9L * static_cast<real>(width);
        const TrapezoidRule rule = TrapezoidRule::for_accuracy(4.0L, strip, 0.0L, 0.0L);
        // |z^2 + w^2| >= (1 - 0.81) (x^2 + w^2) on the strip.
        const auto g = [&](const Wide& z) {
            return normal_density(z) / (z * z + Wide(width) * Wide(width));
        };
        const Wide exact =
            trapezoid(Wide(-16), Wide(16), Wide(width) / 25, g);  // error e^{-2 pi 25}
        CHECK(true_error(rule, exact, g) <= Wide(rule.relative_error) / Wide(0.19));
        CHECK(true_error(rule, exact, g) >= Wide(rule.relative_error) / 30);
    }
}

TEST_CASE("the sector's growth is paid for", "[trapezoid]") {
    // E[Q^{-p}], Q = (1 + e^{cz})/2: |Q| >= cos(cy/2) Q, and p makes it matter.
    for (const double power : {5.0, 30.0}) {
        const double c = 1.0;
        const auto g = [&](const Wide& z) {
            return exp(-Wide(power) * log((1 + exp(Wide(c) * z)) / 2)) * normal_density(z);
        };
        const Wide exact = trapezoid(Wide(-16 - power), Wide(16), Wide(1) / 16, g);
        for (const real digits : {2.0L, 5.0L, 12.0L}) {
            const TrapezoidRule rule = TrapezoidRule::for_accuracy(digits, std::numbers::pi_v<real>,
                                                                   1.0L, static_cast<real>(power));
            const TrapezoidRule careless =
                TrapezoidRule::for_accuracy(digits, std::numbers::pi_v<real>, 1.0L, 0.0L);
            const Wide h(rule.step);
            CAPTURE(power, digits, rule.step, careless.step);
            CHECK(rule.step < careless.step);
            const auto from = static_cast<int>(Wide(-17 - power) / h);
            const auto to = static_cast<int>(Wide(17) / h);
            Wide sum = 0;
            for (int k = from; k <= to; ++k) sum += g(h * k);
            CHECK(abs(sum * h / exact - 1) <= Wide(rule.relative_error));
        }
    }
}

TEST_CASE("more digits or a narrower strip shorten the step, steps have ten bits", "[trapezoid]") {
    real before = std::numeric_limits<real>::infinity();
    for (const real digits : {5.0L, 10.0L, 20.0L, 40.0L, 80.0L, 160.0L, 800.0L}) {
        const real step = TrapezoidRule::for_accuracy(digits, 2.0L, 0.5L, 3.0L).step;
        CHECK(step > 0.0L);
        CHECK(step < before);
        before = step;
        int exponent = 0;
        const real scaled = std::frexp(step, &exponent) * 1024.0L;
        CHECK(scaled == std::floor(scaled));
    }
    CHECK(TrapezoidRule::for_accuracy(40.0L, 0.1L, 0.0L, 0.0L).step <
          TrapezoidRule::for_accuracy(40.0L, 1.0L, 0.0L, 0.0L).step);
    CHECK(TrapezoidRule::for_accuracy(40.0L, 1.0L, 2.0L, 50.0L).step <
          TrapezoidRule::for_accuracy(40.0L, 1.0L, 2.0L, 1.0L).step);
}
