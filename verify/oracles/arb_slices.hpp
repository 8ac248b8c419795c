#pragma once
#include <vector>

#include "verify/oracles/arb_likelihood.hpp"
#include "verify/oracles/arb_planar.hpp"

namespace assay::verify::arb {

/// A box, and a bound of what the moment has outside it.
struct Box {
    Box(double alpha, const PlanarShifts& shifts, double log_wanted, long precision);

    double low[2];
    double high[2];
    Real left_out;
};

/// x -> e^{-x^2/2} Q(x)^(1-alpha) G(x), G(x) = integral of e^{-y^2/2} P(x,y)^alpha over the box's
/// y. It keeps references to `shifts` and `box`.
class Slices : public Integrand {
public:
    Slices(double alpha, double q, const PlanarShifts& shifts, const Box& box, long goal,
           long precision);

    void at(Real& out, const Real& x, long precision) const override;
    void bound(Real& out, const Real& middle, const Real& radius, long precision) const override;
    void on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                      long precision) const override;

    [[nodiscard]] bool exhausted() const { return exhausted_; }
    /// The logarithm of the largest value for this x, roughly.
    [[nodiscard]] double approximate_log(double x) const;
    /// About the size of the largest number in an exponent.
    [[nodiscard]] double largest_term() const;

private:
    [[nodiscard]] double peak_of(const LikelihoodMoment& f, std::vector<double>& places) const;
    [[nodiscard]] LikelihoodMoment slice_integrand(const Real& x, long precision) const;
    [[nodiscard]] Real slice(const Real& x, long goal, long precision) const;
    void chord(Real& value, Real& slope, const Real& middle, const Real& radius,
               long precision) const;

    double alpha_;
    const PlanarShifts& shifts_;
    const Box& box_;
    long goal_;
    LikelihoodMoment rest_;
    Real second_;  // q
    Real first_;   // 1 - q
    mutable bool exhausted_ = false;
};

}  // namespace assay::verify::arb
