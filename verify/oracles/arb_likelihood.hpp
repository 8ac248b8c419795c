#pragma once
#include <optional>

#include "verify/oracles/arb_integral.hpp"
#include "verify/oracles/arb_mixture.hpp"

namespace assay::verify::arb {

/// e^{-z^2/2} P(z)^alpha Q(z)^(1-alpha) = e^{-z^2/2 + h(z)}; a density that is 1 is left out.
class LikelihoodMoment : public Integrand {
public:
    LikelihoodMoment(double alpha, std::optional<Mixture> p, std::optional<Mixture> q);

    void at(Real& out, const Real& x, long precision) const override;
    void bound(Real& out, const Real& middle, const Real& radius, long precision) const override;
    void on_rectangle(Complex& out, const Real& centre, const Complex& offset,
                      long precision) const override;

    // The same for the integrand times e^{constant + slope w}, w = z - middle; what they return for
    // a rectangle is then only as analytic as that factor.
    void bound_with(Real& out, Real constant, Real slope, const Real& middle, const Real& radius,
                    long precision) const;
    void on_rectangle_with(Complex& out, Real constant, const Real& slope, const Real& centre,
                           const Complex& offset, long precision) const;

    /// -x^2/2 + h(x).
    void exponent(Real& out, const Real& x, long precision) const;
    /// The same, rounded, for choices that need no proof.
    [[nodiscard]] double approximate_exponent(double x) const;
    /// About the size of the largest number that enters the exponent for |x| <= reach.
    [[nodiscard]] double largest_term(double reach) const;

private:
    double order_;
    Real alpha_;
    Real beta_;  // alpha - 1
    std::optional<Mixture> p_;
    std::optional<Mixture> q_;
};

}  // namespace assay::verify::arb
