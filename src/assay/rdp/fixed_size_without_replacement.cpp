#include "assay/rdp/fixed_size_without_replacement.hpp"

#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "assay/rdp/divergence_curve.hpp"
#include "assay/rdp/divergence_quadrature.hpp"
#include "assay/rdp/fixed_size_shift.hpp"

namespace assay {

Enclosure fixed_size_without_replacement_rdp(double order, double noise_multiplier, double q) {
    const real shift = fixed_size_shift(order, noise_multiplier, q);
    if (q == 0.0) return exactly(0.0);
    return renyi_divergence(CollinearPair(q, shift, 0.0L), order);
}

std::vector<Enclosure> fixed_size_without_replacement_rdp(std::span<const double> orders,
                                                          double noise_multiplier, double q) {
    if (orders.empty()) return {};
    const real shift = fixed_size_shift(orders.front(), noise_multiplier, q);
    if (q == 0.0) return std::vector<Enclosure>(orders.size(), exactly(0.0));
    return divergence_curve(CollinearPair(q, shift, 0.0L), orders);
}

Enclosure fixed_size_without_replacement_addition_rdp(double order, double noise_multiplier,
                                                      double q) {
    const real shift = fixed_size_shift(order, noise_multiplier, q);
    if (q == 0.0) return exactly(0.0);
    return renyi_divergence(CollinearPair(q, 0.0L, -shift), order);
}

Enclosure log_excess_moment(double order, real shift, real q) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (q == 0.0L || shift == 0.0L) return {-infinity, -infinity};
    const ExcessMoment moment = excess_moment(CollinearPair(q, shift, 0.0L), order);
    if (!moment.certified) return {-infinity, infinity};
    const real low = moment.lower.log();
    const real high = moment.upper.log();
    const real slack = 8.0L * unit_roundoff;
    return enclose_between(low - slack * (1.0L + std::fabs(low)),
                           high + slack * (1.0L + std::fabs(high)));
}

}  // namespace assay
