#pragma once
#include "verify/oracles/arb_integral.hpp"

namespace assay::verify::arb {

/// e^{-z^2/2} |e^t - 1|^j on one side of its kink z = c/2, t = cz - c^2/2 (t >= 0 right of it):
///   right   e^{-z^2/2 + jt} (1 - e^{-t})^j,    left   e^{-z^2/2} (1 - e^t)^j.
/// Both are entire, so a rectangle needs no test.
class HalfMoment : public Integrand {
public:
    HalfMoment(const Real& c, long j, bool right) : j_(j), right_(right), c_(c) {}

    void at(Real& out, const Real& x, long precision) const override;
    void bound(Real& out, const Real& middle, const Real& radius, long precision) const override;
    void on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                      long precision) const override;

    /// The logarithm, rounded, for choices that need no proof.
    [[nodiscard]] double approximate_log(double z) const;

private:
    void distance(Real& out, const Real& z, long precision) const;
    void exponent(Real& out, const Real& z, long precision) const;
    void slope(Real& out, const Real& z, long precision) const;
    void factor(Real& out, const Real& z, long precision) const;

    long j_;
    bool right_;
    Real c_;
};

}  // namespace assay::verify::arb
