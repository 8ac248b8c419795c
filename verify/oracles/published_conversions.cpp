#include "verify/oracles/published_conversions.hpp"

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

/// rdp + log(1/delta) / (alpha-1).
Interval mironov_2017(const Point& point, long bits) {
    return refined(bits, [&](long p) {
        const Interval a(point["alpha"], p);
        return point["rdp"] - log(Interval(point["delta"], p)) / (a - 1.0);
    });
}

/// rdp - (log delta + log alpha)/(alpha-1) + log((alpha-1)/alpha).
Interval balle_at(const Point& point, long p) {
    const Interval a(point["alpha"], p);
    return point["rdp"] - (log(Interval(point["delta"], p)) + log(a)) / (a - 1.0) +
           log((a - 1.0) / a);
}

Interval balle_2020(const Point& point, long bits) {
    return refined(bits, [&](long p) { return balle_at(point, p); });
}

/// 0 where delta^2 + expm1(-rdp) > 0, else the formula above cut at 0.
Interval canonne_2020(const Point& point, long bits) {
    return refined(bits, [&](long p) {
        const Interval zero(0.0, p);
        const Interval guard =
            square(Interval(point["delta"], p)) + exp(Interval(-point["rdp"], p)) - 1.0;
        if (guard.is_positive()) return zero;
        const Interval epsilon = nonnegative(balle_at(point, p));
        return certainly_at_most(guard, zero) ? epsilon : hull(zero, epsilon);
    });
}

/// min(1, sqrt(1 - e^{-rdp}), e^{(alpha-1)(rdp - eps + log(1 - 1/alpha))} / alpha), the last for
/// alpha > 1.01 as a double.
Interval canonne_2020_delta(const Point& point, long bits) {
    const double rdp = point["rdp"];
    if (rdp == 0) return Interval(0.0, bits);
    return refined(bits, [&](long p) {
        const Interval a(point["alpha"], p);
        Interval delta = sqrt(1.0 - exp(Interval(-rdp, p)));  // below 1
        if (point["alpha"] > 1.01) {
            const Interval exponent =
                (a - 1.0) * (Interval(rdp, p) - point["eps"] + log(1.0 - 1.0 / a));
            delta = min(delta, exp(exponent) / a);
        }
        return delta;
    });
}

}  // namespace

std::vector<Oracle> published_conversion_oracles() {
    return {
        {"convert.mironov2017_prop_3", "closed form", mironov_2017},
        {"convert.balle2020_thm_21", "closed form", balle_2020},
        {"convert.canonne2020", "closed form with its guard", canonne_2020},
        {"convert.canonne2020_delta", "closed form with its guard", canonne_2020_delta},
    };
}

}  // namespace assay::verify
