#pragma once
#include <cmath>
#include <complex>
#include <string>

#include "verify/oracles/arb_integral.hpp"

namespace assay::verify::arb {

/// `x` is at most 2^-bits wide, relatively, and holds a number within 10^-35 of the decimal one.
inline bool agrees(const Interval& x, const std::string& digits, int bits = 120) {
    const Interval value = Interval::decimal(digits, 400);
    const Interval slack = abs(value) * Interval::decimal("1e-35", 400);
    return overlap(x, hull(value - slack, value + slack)) &&
           x.relative_width() < std::ldexp(1.0, -bits);
}

inline bool contains(const Interval& outer, const Interval& inner) {
    return mpfr_lessequal_p(outer.lower(), inner.lower()) != 0 &&
           mpfr_greaterequal_p(outer.upper(), inner.upper()) != 0;
}

/// Value, bound and rectangle of an integrand against its values on a grid: centre +- radius, and
/// as far off the line.
template <class Function>
bool encloses(const Integrand& f, const Function& value, double centre, double radius) {
    constexpr double rounding = 1e-9;
    Real bound;
    f.bound(bound, Real(centre), Real(radius), 64);
    Complex offset;
    mag_set_d(arb_radref(offset.real()), radius);
    mag_set_d(arb_radref(offset.imaginary()), radius);
    Complex rectangle;
    f.on_rectangle(rectangle, Real(centre), offset, 64);
    if (acb_is_finite(rectangle) == 0) return false;
    for (int i = -4; i <= 4; ++i) {
        const double x = centre + radius * i / 4;
        Real exact;
        f.at(exact, Real(x), 64);
        const double real = value(std::complex<double>(x)).real();
        if (std::abs(to_double(exact) / real - 1) > rounding) return false;
        if (to_double(bound) < real * (1 - rounding)) return false;
        for (int k = -4; k <= 4; ++k) {
            const auto v = value(std::complex<double>(x, radius * k / 4));
            Complex point;
            acb_set_d_d(point, v.real(), v.imag());
            mag_set_d(arb_radref(point.real()), rounding * std::abs(v));
            mag_set_d(arb_radref(point.imaginary()), rounding * std::abs(v));
            if (acb_overlaps(rectangle, point) == 0) return false;
        }
    }
    return true;
}

}  // namespace assay::verify::arb
