#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "assay/ldp/restricted_response.hpp"

namespace assay {

/// What probabilities may miss a sum of 1 by.
inline constexpr double sum_tolerance = 1e-9;

/// How much an answer Y about X ~ theta is worth, aydin2024 Section 4.2 in its factors; with
/// g(y | x) the distribution of the answer and h = g theta its marginal:
///   fisher_information         U1 = -tr F^-1, F = A^T diag(h)^-1 A the Fisher information of all
///                              components but the smallest, A_yx = g(y | x) - g(y | smallest)
///   entropy                    U2 = sum h ln h
///   posterior_total_variation  U3 = 1/2 sum_xy |g(y | x) theta_x - h_y theta_x|
///   marginal_total_variation   U4 = -1/2 sum_y |h_y - theta_y|
///   mean_squared_error         U5 = sum_xy g(y | x)^2 theta_x^2 / h_y - 1
///   honest_response            U6 = P(Y = X)
enum class Utility {
    fisher_information,
    entropy,
    posterior_total_variation,
    marginal_total_variation,
    mean_squared_error,
    honest_response,
};

inline constexpr std::array all_utilities{
    Utility::fisher_information,        Utility::entropy,
    Utility::posterior_total_variation, Utility::marginal_total_variation,
    Utility::mean_squared_error,        Utility::honest_response,
};

/// "fisher-information", "entropy", "posterior-total-variation", "marginal-total-variation",
/// "mean-squared-error", "honest-response".
[[nodiscard]] std::string_view to_string(Utility utility);
/// Throws DomainError (utility) for any other name.
[[nodiscard]] Utility utility_from_string(std::string_view name);

/// Utilities and sums of probabilities that differ by no more may differ by rounding alone: ties.
inline constexpr double near_tie = 0x1p-46;

/// The utilities of a mechanism at the sets S_k of the k most probable categories, all sizes k at
/// once. What depends on the mechanism alone is computed once, by the constructor.
class SubsetUtilities {
public:
    ///   Cost       O(K), 0.2 us and about 210 bytes a size
    ///   Throws     DomainError, as validate(mechanism)
    explicit SubsetUtilities(const RestrictedResponse& mechanism);

    [[nodiscard]] const RestrictedResponse& mechanism() const { return mechanism_; }
    /// The distribution of the answers with a set of this size, 0 <= size <= K, also of the sizes
    /// that the mechanism may not choose.
    [[nodiscard]] const ResponseDistribution& distribution(int size) const {
        return distributions_[static_cast<std::size_t>(size)];
    }

    /// values[i] = the utility at the size smallest_subset(mechanism) + i, up to largest_subset.
    ///   Domain     falling: probabilities, the largest first, of sum 1 to 1e-9; K values
    ///   Accuracy   no direction; against 50 digits, K <= 1000: 4e-15 max(1, |U2|) for U2,
    ///              relative 4e-15 for U1 (of -U1 + sum theta^2), absolute 4e-15 for the others
    ///              (docs/error_bounds.md#utilities)
    ///   Value      U1 is -inf where the answers do not determine theta; nothing is ever a NaN
    ///   Cost       O(K) U1, U6; O(K log K) U3, U4; O(K^2) U2, U5; one caller at a time
    ///   Throws     DomainError (probabilities)
    void by_size(Utility utility, std::span<const double> falling, std::span<double> values);

    /// The size of the largest utility. Values within 2^-46 max(1, |largest|) of the largest are
    /// ties, and the smallest size wins: sizes whose mechanisms are the same are never told apart
    /// by rounding.
    ///   Cost, Throws   as by_size
    [[nodiscard]] int best_size(Utility utility, std::span<const double> falling);

private:
    /// One number for each size 0, .., K-1, then padding up to whole vectors.
    using Table = std::vector<double>;

    void tabulate(std::size_t size);
    void compute(Utility utility, std::span<const double> falling);
    void accumulate(std::span<const double> falling);
    void marginal_outside(double smallest);
    void fisher_information(std::span<const double> falling);
    void entropy(std::span<const double> falling);
    void posterior_total_variation(std::span<const double> falling);
    void marginal_total_variation(std::span<const double> falling);
    void mean_squared_error(std::span<const double> falling);
    void honest_response(std::span<const double> falling);

    RestrictedResponse mechanism_;
    std::size_t categories_ = 0;
    std::vector<ResponseDistribution> distributions_;

    // Of the mechanism alone, in the symbols of utilities.cpp.
    Table p_, r_, u_, v_, d_;
    Table other_inside_, v_minus_r_, one_minus_d_, u2_minus_v2_, p_log_p_;
    Table fisher_constant_, fisher_inside_, fisher_outside_, fisher_smallest_;

    // Of the probabilities: of S_k, and of the categories outside but the smallest.
    std::vector<double> inside_, outside_;
    std::vector<double> prefix_, suffix_;
    Table b_, others_, value_;
};

}  // namespace assay
