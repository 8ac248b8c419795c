#include "assay/numeric/gauss_panels.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// e^{slope x - x^2/2 curvature}.
class Exponential final : public PanelIntegrand {
public:
    Exponential(real slope, real curvature) : slope_(slope), curvature_(curvature) {}
    [[nodiscard]] Value at(real x) const override {
        return {ScaledReal::exp_of(x * (slope_ - 0.5L * curvature_ * x)), 0.0L};
    }
    [[nodiscard]] real log_bound(real left, real right, real height) const override {
        const real peak = curvature_ == 0.0L ? (slope_ > 0.0L ? right : left)
                                             : std::clamp(slope_ / curvature_, left, right);
        return peak * (slope_ - 0.5L * curvature_ * peak) + 0.5L * curvature_ * height * height;
    }

private:
    real slope_;
    real curvature_;
};

/// 1/(x^2 + d^2), poles at +- i d.
class Witch final : public PanelIntegrand {
public:
    explicit Witch(real d) : d_(d) {}
    [[nodiscard]] Value at(real x) const override {
        return {ScaledReal(1.0L / (x * x + d_ * d_)), 4.0L * unit_roundoff};
    }
    [[nodiscard]] real log_bound(real left, real right, real height) const override {
        if (height >= d_) return infinity;
        const real x =
            left <= 0.0L && right >= 0.0L ? 0.0L : std::min(std::fabs(left), std::fabs(right));
        return -std::log(x * x + (d_ - height) * (d_ - height));
    }

private:
    real d_;
};

/// 1 + T_48 on every unit panel: the polynomial that 24 nodes integrate worst.
class Chebyshev final : public PanelIntegrand {
public:
    [[nodiscard]] Value at(real x) const override {
        const real t = 2.0L * (x - std::floor(x)) - 1.0L;
        return {ScaledReal(1.0L + std::cos(48.0L * std::acos(std::clamp(t, -1.0L, 1.0L)))), 0.0L};
    }
    [[nodiscard]] real log_bound(real, real, real height) const override {
        if (height == 0.0L) return std::log(2.0L);
        // On the ellipse of parameter rho around a panel of half-length 1/2:
        // height = (rho - 1/rho)/4 and |T_48| <= (rho^48 + rho^-48)/2.
        const real rho = 2.0L * height + std::sqrt(4.0L * height * height + 1.0L);
        return std::log(1.0L + 0.5L * (std::pow(rho, 48.0L) + std::pow(rho, -48.0L)));
    }
};

/// Says nothing about itself.
class Unknown final : public PanelIntegrand {
public:
    [[nodiscard]] Value at(real) const override { return {ScaledReal(1.0L), 0.0L}; }
    [[nodiscard]] real log_bound(real, real, real height) const override {
        return height > 0.0L ? infinity : 0.0L;
    }
};

void check_sound(const PanelIntegral& integral, const Wide& exact) {
    CAPTURE(digits(exact), digits(wide(integral.value)), digits(wide(integral.error)));
    REQUIRE(integral.certified);
    CHECK(wide(integral.value) - wide(integral.error) <= exact);
    CHECK(exact <= wide(integral.value) + wide(integral.error) + wide(integral.omitted));
}

}  // namespace

TEST_CASE("smooth integrals to full precision", "[gauss_panels]") {
    const PanelIntegral growth = integrate_panels(Exponential(3.0L, 0.0L), -1.0L, 4.0L, 11.0L);
    check_sound(growth, (exp(Wide(12)) - exp(Wide(-3))) / 3);
    CHECK(growth.error.value() + growth.omitted.value() < 1e-15L * growth.value.value());

    const PanelIntegral bell = integrate_panels(Exponential(0.0L, 1.0L), -30.0L, 40.0L, 0.9L);
    check_sound(bell, sqrt(2 * wide_pi()));
    CHECK(bell.error.value() + bell.omitted.value() < 1e-15L);

    for (const real d : {0.001L, 0.1L, 3.0L}) {
        const PanelIntegral witch = integrate_panels(Witch(d), -1.0L, 2.0L, std::log(3.0L / d));
        check_sound(witch, (atan(2 / Wide(d)) + atan(1 / Wide(d))) / Wide(d));
        CHECK(witch.error.value() < 1e-14L * witch.value.value());
    }
}

TEST_CASE("integrals of e^(10^6) and e^(-10^6) are as good", "[gauss_panels]") {
    for (const real scale : {1.0L, -1.0L}) {
        const real middle = scale * 1e6L;
        struct Shifted final : PanelIntegrand {
            real offset;
            explicit Shifted(real o) : offset(o) {}
            Value at(real x) const override {
                return {ScaledReal::exp_of(offset - 0.5L * x * x),
                        2.0L * std::fabs(offset) * unit_roundoff};
            }
            real log_bound(real left, real right, real height) const override {
                const real x = std::clamp(0.0L, left, right);
                return offset - 0.5L * x * x + 0.5L * height * height;
            }
        };
        const PanelIntegral integral = integrate_panels(Shifted(middle), -20.0L, 20.0L, middle);
        REQUIRE(integral.certified);
        CHECK(std::fabs(integral.value.log() - middle - 0.918938533204672742L) < 1e-12L);
        // The rounding that the integrand reports about itself must arrive in the error.
        CHECK((integral.error / integral.value).value() >= 2e6L * unit_roundoff);
        CHECK((integral.error / integral.value).value() < 1e-12L);
    }
}

TEST_CASE("the claimed error is attained up to a small factor by T_48", "[gauss_panels]") {
    // One panel per unit, accepted only because so little is asked (log_scale 45).
    const PanelIntegral integral = integrate_panels(Chebyshev(), 0.0L, 8.0L, 45.0L);
    const Wide exact = 8 - Wide(8) / (48 * 48 - 1);  // integral of T_n over [-1,1]: -2/(n^2 - 1)
    check_sound(integral, exact);
    CHECK(integral.omitted.is_zero());
    const Wide error = abs(wide(integral.value) - exact);
    CHECK(error > Wide(0.4) * wide(integral.error));
}

TEST_CASE("deliberately coarse panels still bound their error", "[gauss_panels]") {
    for (const real slope : {40.0L, 90.0L, 160.0L})
        for (const real ask : {5.0L, 20.0L, 30.0L, 36.0L}) {
            const Wide s(slope);
            const PanelIntegral integral =
                integrate_panels(Exponential(slope, 0.0L), 0.0L, 8.0L, 8.0L * slope - 5.0L + ask);
            check_sound(integral, (exp(8 * s) - 1) / s);
        }
    for (const real d : {0.05L, 0.3L})
        for (const real ask : {10.0L, 20.0L, 30.0L, 40.0L}) {
            const PanelIntegral integral =
                integrate_panels(Witch(d), -4.0L, 4.0L, std::log(3.0L / d) + ask);
            check_sound(integral, 2 * atan(4 / Wide(d)) / Wide(d));
        }
}

TEST_CASE("what is left out is counted on the upper side", "[gauss_panels]") {
    // A coarse scale leaves the flanks out: the value alone is then too small.
    const PanelIntegral integral = integrate_panels(Exponential(0.0L, 1.0L), -8.0L, 8.0L, 44.0L);
    const Wide exact = sqrt(2 * wide_pi()) * (1 - 2 * normal_tail_wide(Wide(8)));
    check_sound(integral, exact);
    CHECK(exact - wide(integral.value) > wide(integral.error));
    CHECK_FALSE(integral.omitted.is_zero());
}

TEST_CASE("an integrand without a strip is not certified", "[gauss_panels]") {
    CHECK_FALSE(integrate_panels(Unknown(), 0.0L, 1.0L, 0.0L).certified);
}
