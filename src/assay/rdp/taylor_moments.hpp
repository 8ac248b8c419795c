#pragma once
#include <vector>

#include "assay/rdp/log_excess.hpp"

namespace assay {

/// Central moments M_k = E[(e^{cZ - c^2/2} - 1)^k], Z ~ N(0,1), c = 2/sigma   (birrell2024 (44)).
///
/// The alternating sum (44) cancels. With u = e^{c^2} and t = u - 1, a change of measure gives
///   M_k = (u^{k-1} - 1) M_{k-1} + sum_{j<=k-2} C(k-1,j) u^j t^{k-1-j} M_j,
/// a sum of positive terms (docs/error_bounds.md#taylor-moments); where (k-1) c^2 > 50 + log k the
/// leading term of (44) is M_k up to a factor 1 - e^-50.
///   Domain     noise_multiplier > 0, highest >= 0, is_supported(...)
///   Cost       O(highest) sums of about 10-30 terms
class TaylorMoments {
public:
    TaylorMoments(double noise_multiplier, int highest);
    /// For the shift c itself: shift_squared = c^2, relative error at most 2 unit_roundoff.
    [[nodiscard]] static TaylorMoments of_shift_squared(real shift_squared, int highest);

    /// False where e^{c^2 highest^2} leaves the range of ScaledReal, or `highest` is beyond 500000.
    [[nodiscard]] static bool is_supported(real shift_squared, int highest);
    [[nodiscard]] static real shift_squared(double noise_multiplier);

    /// M_k.
    [[nodiscard]] const ScaledReal& moment(int k) const;
    /// B~_j of (47): M_j for even j, sqrt(M_{j-1} M_{j+1}) for odd j (then highest > j).
    [[nodiscard]] ScaledReal absolute_moment_bound(int j) const;
    [[nodiscard]] int highest() const { return static_cast<int>(moments_.size()) - 1; }
    /// Bound on |log computed - log exact| of every moment and every B~ given out.
    [[nodiscard]] real relative_error() const { return log_error_; }

private:
    TaylorMoments() = default;

    std::vector<ScaledReal> moments_;
    real log_error_ = 0.0L;
};

/// log M_{sigma,k}.
///   Maths      birrell2024 (44)                 Domain   sigma > 0, k >= 0    Units  nats
///   Direction  enclosure; {-inf, -inf} for k = 1; the whole line where not supported
///   Throws     DomainError
[[nodiscard]] Enclosure log_taylor_moment(double sigma, int k);

/// log B~_{sigma,j}, the bound on E|e^{cZ - c^2/2} - 1|^j.
///   Maths      birrell2024 (47)                 Domain   sigma > 0, j >= 0    Units  nats
///   Direction  enclosure; the whole line where not supported                   Throws DomainError
[[nodiscard]] Enclosure log_absolute_moment_bound(double sigma, int j);

}  // namespace assay
