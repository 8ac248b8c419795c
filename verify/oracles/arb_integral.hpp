#pragma once
#include <vector>

#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify::arb {

/// A function on the real line with values >= 0, analytic near it, as acb_calc_integrate asks for
/// it: at points, on segments (any enclosure), and on rectangles around the line, where a finite
/// answer also says that the function is analytic.
class Integrand {
public:
    Integrand() = default;
    Integrand(const Integrand&) = delete;
    Integrand& operator=(const Integrand&) = delete;
    virtual ~Integrand() = default;

    virtual void at(Real& out, const Real& x, long precision) const = 0;
    /// An upper bound on [middle - radius, middle + radius].
    virtual void bound(Real& out, const Real& middle, const Real& radius, long precision) const = 0;
    /// An enclosure for the rectangle centre + offset, offset symmetric about 0, centre real; not
    /// finite unless the function is analytic there.
    virtual void on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                              long precision) const = 0;
};

/// How exactly to integrate, and what it may cost.
struct Effort {
    long precision;      // of the arithmetic
    long box_precision;  // where only magnitudes matter
    long goal;           // relative accuracy in bits
    double log_scale;    // natural log of the size of the integral, as far as known
    long evaluations;    // at most
};

/// Encloses the integral over the consecutive pieces between the increasing `breaks`.
///   exhausted   set when the evaluations ran out (the enclosure is still right, but wide).
[[nodiscard]] Real integrate(const Integrand& f, const std::vector<Real>& breaks,
                             const Effort& effort, bool& exhausted);

/// exp(constant + slope w - w^2/2) for w in `offset`, a rectangle symmetric about 0.
void quadratic_on_rectangle(Complex& out, const Real& constant, const Complex& slope,
                            const Complex& offset, long precision);
/// The logarithm of an upper bound of exp(constant + slope w - w^2/2) for real |w| <= radius.
void quadratic_log_bound(Real& out, const Real& constant, const Real& slope, const Real& radius,
                         long precision);

}  // namespace assay::verify::arb
