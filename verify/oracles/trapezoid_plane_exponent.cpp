#include <algorithm>

#include "verify/oracles/trapezoid_plane_plan.hpp"
#include "verify/oracles/trapezoid_strip.hpp"

namespace assay::verify::trapezoid {

PlaneExponent::PlaneExponent(double order, double q, const Triangle& triangle)
    : triangle_(triangle),
      length_(sqrt(square(triangle.along) + square(triangle.across))),
      p_(1, Interval(q, triangle.length.bits()), triangle.length),
      q_(1, Interval(q, triangle.length.bits()), length_),
      order_(order, triangle.length.bits()),
      rest_(order_ - 1.0) {}

Interval PlaneExponent::along_v(const Interval& z1, const Interval& z2) const {
    return (triangle_.along * z1 + triangle_.across * z2) / length_;
}

Interval PlaneExponent::at(const Interval& z1, const Interval& z2) const {
    return order_ * p_.log_at(z1) - rest_ * q_.log_at(along_v(z1, z2)) -
           (square(z1) + square(z2)) / 2.0;
}

PlaneExponent::Bound PlaneExponent::over(const Interval& left, const Interval& right,
                                         const Interval& low, const Interval& high) const {
    // log P, convex, lies below its chord in z1; log Q, convex, above its tangent plane in the
    // middle. What is left is a parabola in each coordinate.
    const Interval middle = (left + right) / 2.0;
    const Interval height = (low + high) / 2.0;
    const Interval width = right - left;
    const Interval p_left = p_.log_at(left);
    const Interval p_right = p_.log_at(right);
    const Interval chord = width.is_positive() ? (p_right - p_left) / width : width;
    const Interval t = along_v(middle, height);
    const Interval q_middle = q_.log_at(t);
    const Interval tangent = q_.log_slope(t, q_middle);
    const Interval per_unit = tangent / length_;  // of <v,z>
    const Interval slope1 = order_ * chord - rest_ * per_unit * triangle_.along;
    const Interval slope2 = -rest_ * per_unit * triangle_.across;
    const Interval constant = order_ * (p_left - chord * left) - rest_ * (q_middle - tangent * t);
    const Interval q_part = rest_ * q_middle + (square(middle) + square(height)) / 2.0;
    return {constant + parabola_maximum(slope1, Interval::between(left, right)) +
                parabola_maximum(slope2, Interval::between(low, high)),
            (order_ * max(abs(p_left), abs(p_right)) + abs(q_part)).upper_double(),
            (order_ * min(p_left, p_right) - q_part).lower_double()};
}

Interval PlaneExponent::steepest_first() const {
    return order_ * triangle_.length + rest_ * abs(triangle_.along);
}

Interval PlaneExponent::steepest_second() const {
    return rest_ * triangle_.across;
}

double PlaneExponent::highest_candidate() const {
    // Maxima may lie at z = s a u - t (a-1) v, s and t 0 or 1.
    double highest = 0.0;
    for (const double s : {0.0, 1.0})
        for (const double t : {0.0, 1.0}) {
            const Interval back = t * rest_;
            const Interval psi = at(s * order_ * triangle_.length - back * triangle_.along,
                                    -back * triangle_.across);
            highest = std::max(highest, psi.lower_double());
        }
    return highest;
}

Interval PlaneExponent::row_factor(const Interval& z1) const {
    return exp(order_ * p_.log_at(z1) - square(z1) / 2.0);
}

Interval PlaneExponent::column_factor(const Interval& z2) {
    return exp(-square(z2) / 2.0);
}

Interval PlaneExponent::oblique_factor(const Interval& z1, const Interval& z2) const {
    return exp(-rest_ * q_.log_at(along_v(z1, z2)));
}

}  // namespace assay::verify::trapezoid
