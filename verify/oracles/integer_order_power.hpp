#pragma once
#include <vector>

#include "verify/oracles/interval.hpp"

namespace assay::verify {

/// log E[V^alpha] for V = sum_n a_n X_n, X_n = e^{ncz - n^2 c^2/2}, a_n = Bin(n; B, 1/D), integer
/// alpha >= 2, c = 2/sigma:
///   E[V^alpha] = sum_S e^{c^2 S^2/2} [x^S] P(x)^alpha,  P(x) = sum_n a_n e^{-c^2 n^2/2} x^n.
/// 1. The n with small norm a_n ||X_n||_alpha = a_n e^{(alpha-1) n^2 c^2/2} are left out of P: by
///    Minkowski's inequality the norm of V changes by at most the sum of theirs.
/// 2. If what stays of P lies at one end of {0..B}, the S far from that end are left out: the
///    products a_{n_1}..a_{n_alpha} with sum S add up to at most Bin(S; alpha B, 1/D) (with
///    equality over all indices), and sum n_i^2 >= max(S, S^2/alpha), so the terms of S are at most
///    U_S = Bin(S; alpha B, 1/D) e^{c^2 (S^2 - max(S, S^2/alpha))/2}.
class MixturePower {
public:
    /// Throws Unaffordable.
    MixturePower(long alpha, double sigma, long B, long D);

    /// Enclosure computed with p bits. What is left out is below about 2^-kept_bits of the whole.
    /// Throws Unaffordable.
    [[nodiscard]] Interval log_moment(long p, long kept_bits) const;
    [[nodiscard]] Interval log_moment(long p) const { return log_moment(p, p); }

private:
    /// What stays of P: n in {0..lows-1} and {B-highs+1..B}.
    struct Kept {
        long lows;
        long highs;
        Interval left_out;  // the sum of the other norms
    };
    /// `count` values of n, or of S, from one end on.
    struct End {
        long direction;  // +1 from n = 0, -1 from n = B
        long count;
    };
    [[nodiscard]] Kept choose(long kept_bits) const;
    [[nodiscard]] std::vector<Interval> polynomial(End end, long p) const;
    [[nodiscard]] Interval moment_of_end(End end, long p, long kept_bits) const;
    [[nodiscard]] Interval moment_of_both(const Kept& kept, long p) const;
    [[nodiscard]] std::vector<Interval> bounds_by_sum(End end) const;
    [[nodiscard]] Interval smallest_norm() const;
    [[nodiscard]] Interval c_squared(long p) const;

    long alpha_;
    double sigma_;
    long B_;
    long D_;
    std::vector<Interval> norms_;
};

}  // namespace assay::verify
