#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Of what follows an order: beyond it no table of gamma quantiles is made.
inline constexpr std::int64_t largest_order_gap = 10'000'000'000;

/// Mean of the logarithm of the k-th largest of R independent uniforms on (0, 1).
///   Maths      -(1/(R-k+1) + .. + 1/R)
///   Domain     1 <= k <= R <= 10^12             Direction  enclosure, relative width below 1e-14
///   Source     chua2025 Fact B.2: Beta(R-k+1, k)            Throws  DomainError
[[nodiscard]] Enclosure mean_log_uniform_order(std::int64_t count, std::int64_t k);

/// Mean of the k-th largest of R independent standard normals.
///   Maths      E of the density proportional to Phi^{R-k} (1-Phi)^{k-1} phi
///   Domain     1 <= k <= R <= 10^12             Direction  enclosure, width below 1e-9
///   Source     trapezoid rule in a strip of height 10/sqrt(R)
///              (docs/error_bounds.md#normal-order-statistics)
///   Cost       about 3 sqrt(R) nodes            Throws  DomainError
[[nodiscard]] Enclosure mean_normal_order(std::int64_t count, std::int64_t k);

/// Throws DomainError unless 1 <= k_1 < k_2 < .. < k_r <= count, r >= 1, and k_1 = 1 where
/// `starts_at_one` asks for it (chua2025 (4); (5) does not).
void validate_orders(std::span<const std::int64_t> orders, std::int64_t count, bool starts_at_one);

/// The paper's index lists: 1..500 in steps of 1, then in steps of 10 to 1000, and so on.
struct OrderList {
    std::string_view name;
    std::int64_t steps;
    std::vector<std::int64_t> orders;
};

/// chua2025 Appendix C (Figure 2) and Figure 4, named by figure and number of batches, e.g.
/// "fig2_36133": T = 36133, 4517, 12497, 1563 with 739, 589, 609, 549 orders and "fig4_100000",
/// "fig4_1000000" with 590 each. (The paper prints 589 for T = 1563; its list has 549.)
[[nodiscard]] const std::vector<OrderList>& paper_order_lists();

/// The list of this name; throws DomainError naming the six.
[[nodiscard]] const OrderList& paper_order_list(std::string_view name);

}  // namespace assay
