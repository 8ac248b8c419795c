#pragma once
#include <vector>

#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify::arb {

/// The density, relative to N(0,1), of a mixture of N(n u, 1) with weights a_n, n = 0..B:
///     M(z) = sum_n a_n e^{n u z - n^2 u^2/2} = sum_n A_n e^{n u z}.
/// One record drawn with probability q is B = 1; B draws out of D with replacement are a_n =
/// C(B,n) D^-n (1 - 1/D)^(B-n). In both A_{n+1}/A_n decreases, which is all that `sum` needs.
class Mixture {
public:
    /// 0 < q < 1.
    [[nodiscard]] static Mixture two_point(double q, const Real& shift, long precision);
    /// B = 1 with any positive weights: first + second e^{uz - u^2/2}.
    [[nodiscard]] static Mixture two_term(const Real& first, const Real& second, const Real& shift,
                                          long precision);
    /// B >= 1, D >= 2, both integers.
    [[nodiscard]] static Mixture binomial(double draws, double records, const Real& shift,
                                          long precision);

    /// log M(z) for a real z.
    void log_value(Real& out, const Real& z, long precision) const;
    /// M'(z)/M(z) for every z of a rectangle; not finite unless M is shown to have no zero there.
    void slope(Complex& out, const Complex& z, long precision) const;
    /// Rounded values, for choices that need no proof.
    [[nodiscard]] double approximate_log(double z) const;

    [[nodiscard]] const Real& shift() const { return shift_; }
    /// The largest n, and |log a_0| + |log a_B|, rounded.
    [[nodiscard]] long last() const { return static_cast<long>(ratios_.size()); }
    [[nodiscard]] double log_range() const;

private:
    Mixture(const Real& shift, double log_first);
    void multiply_out(long precision);
    [[nodiscard]] long dominant(double z) const;
    void sum_from(Complex& sum, Complex* moment, long k, const Complex& w, long precision) const;
    void add_terms(Complex& sum, Complex* moment, long k, const Complex& x, bool upward,
                   long precision) const;

    Real shift_;
    double shift_double_;
    std::vector<Real> ratios_;        // A_{n+1}/A_n
    std::vector<Real> coefficients_;  // A_n
    std::vector<double> log_ratios_;
    std::vector<double> log_coefficients_;
};

}  // namespace assay::verify::arb
