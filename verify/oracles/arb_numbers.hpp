#pragma once
// FLINT 3 declares what takes MPFR's numbers only where mpfr.h stands before its own headers.
// clang-format off
#include <mpfr.h>
#include <acb.h>
// clang-format on

#include "verify/oracles/interval.hpp"

namespace assay::verify::arb {

/// A real ball of Arb that frees itself; the C functions of arb.h take it as it is.
class Real {
public:
    Real() { arb_init(ball_); }
    /// {x}, exactly.
    Real(double x) : Real() { arb_set_d(ball_, x); }
    Real(const Real& other) : Real() { arb_set(ball_, other.ball_); }
    Real(Real&& other) noexcept : Real() { arb_swap(ball_, other.ball_); }
    Real& operator=(const Real& other) {
        arb_set(ball_, other.ball_);
        return *this;
    }
    Real& operator=(Real&& other) noexcept {
        arb_swap(ball_, other.ball_);
        return *this;
    }
    ~Real() { arb_clear(ball_); }

    operator arb_ptr() { return ball_; }
    operator arb_srcptr() const { return ball_; }

private:
    arb_t ball_;
};

/// A complex rectangle (a real ball for either part), likewise.
class Complex {
public:
    Complex() { acb_init(rectangle_); }
    Complex(const Complex& other) : Complex() { acb_set(rectangle_, other.rectangle_); }
    Complex& operator=(const Complex& other) {
        acb_set(rectangle_, other.rectangle_);
        return *this;
    }
    ~Complex() { acb_clear(rectangle_); }

    operator acb_ptr() { return rectangle_; }
    operator acb_srcptr() const { return rectangle_; }
    arb_ptr real() { return acb_realref(rectangle_); }
    arb_srcptr real() const { return acb_realref(rectangle_); }
    arb_ptr imaginary() { return acb_imagref(rectangle_); }
    arb_srcptr imaginary() const { return acb_imagref(rectangle_); }

private:
    acb_t rectangle_;
};

/// The midpoint as a double (rounded; for choices that need no proof), inf when not finite.
[[nodiscard]] double to_double(arb_srcptr x);
/// log2 of the relative radius, rounded up; a large number when x may be 0 or is not finite.
[[nodiscard]] long relative_error_exponent(arb_srcptr x);
/// The ball in the project's type, rounded outward; the whole line when it is not finite.
[[nodiscard]] Interval to_interval(arb_srcptr x, long bits);
/// About 2^-bits e^log_value: a scale, not an enclosure.
void scale_of_exponential(mag_t out, double log_value, long bits);

}  // namespace assay::verify::arb
