#pragma once
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// mironov2019 Theorem 11 at one order.
struct Theorem11 {
    Enclosure rdp;             ///< 2 q^2 alpha / s^2, whether or not the theorem applies
    bool applies = false;      ///< q <= 1/5, s >= 4, (4) and (5), certified
    double condition_4 = 0.0;  ///< right-hand side of (4), nearest double
    double condition_5 = 0.0;  ///< right-hand side of (5), nearest double
};

/// Closed-form bound on one Poisson-sampled Gaussian step, add/remove adjacency.
///   Maths      2 q^2 alpha / s^2 if q <= 1/5, s >= 4 and, with L = log(1 + 1/(q (alpha-1))),
///              (4) alpha <= s^2 L/2 - 2 log s,
///              (5) alpha <= (s^2 L^2/2 - log 5 - 2 log s) / (L + log(q alpha) + 1/(2 s^2))
///   Domain     order > 1, s > 0, 0 <= q <= 1 (q <= 1/5 is decided on the nearest double)
///   Units      nats        Direction  enclosure of the printed value        Throws  DomainError
[[nodiscard]] Theorem11 theorem_11(double order, double s, double q);

/// Largest alpha that satisfies (4), resp. (5), with L at that same alpha; 0 when there is none
/// above 1 in double precision.
///   Domain     s >= 4, 0 < q <= 1        Throws  DomainError
[[nodiscard]] double largest_order_condition_4(double s, double q);
[[nodiscard]] double largest_order_condition_5(double s, double q);

/// The curves of mironov2019 Figure 1 left.
struct LargestOrders {
    double condition_4 = 0.0;
    double condition_5 = 0.0;
    double both = 0.0;
    double exact = 0.0;  ///< where the exact divergence meets 2 q^2 alpha / s^2; 0 when nowhere
};
/// `exact` is found by bisection on the enclosure of poisson_add_remove_rdp; it presumes one
/// crossing above order 1 (as the figure does), and stops at order 1e6.
[[nodiscard]] LargestOrders largest_orders(double s, double q);

}  // namespace assay
