#include "verify/oracles/trapezoid_planar.hpp"

#include "verify/oracles/trapezoid_collinear.hpp"
#include "verify/oracles/trapezoid_plane.hpp"
#include "verify/oracles/trapezoid_refine.hpp"

namespace assay::verify {

namespace {

using trapezoid::Triangle;
using trapezoid::TriangleAt;

Interval triangle_rdp(double order, double q, const TriangleAt& triangle, long bits) {
    const Triangle t = triangle(bits);
    const double uu = square(t.length).upper_double();
    const double vv = (square(t.along) + square(t.across)).upper_double();
    const double uv = (t.length * t.along).upper_double();
    return trapezoid::divergence_from(
        [&](long working) { return trapezoid::log_moment(order, q, triangle, working); }, order,
        trapezoid::rough_excess(order, q, uu, vv, uv), bits);
}

// The products of two doubles are exact at this precision, so a zero difference is a zero.
constexpr long exact_bits = 128;

Interval norm(double x, double y, long bits) {
    return sqrt(square(Interval(x, bits)) + square(Interval(y, bits)));
}

}  // namespace

Interval planar_replace_one_rdp(double order, double q, double u1, double u2, double v1, double v2,
                                long bits) {
    if (q == 0.0 || (u1 == v1 && u2 == v2)) return Interval(0.0, bits);
    const auto dot = [=](long p) { return Interval(u1, p) * v1 + Interval(u2, p) * v2; };
    const auto cross = [=](long p) { return Interval(u1, p) * v2 - Interval(u2, p) * v1; };
    if (cross(exact_bits).is_zero()) {
        // One line: u along it, or v when u = 0.
        if (u1 == 0.0 && u2 == 0.0)
            return trapezoid::collinear_rdp(
                order, q, [](long p) { return Interval(0.0, p); },
                [=](long p) { return norm(v1, v2, p); }, bits);
        return trapezoid::collinear_rdp(
            order, q, [=](long p) { return norm(u1, u2, p); },
            [=](long p) {
                const long exact = p > exact_bits ? p : exact_bits;
                return dot(exact) / norm(u1, u2, exact);
            },
            bits);
    }
    return triangle_rdp(
        order, q,
        [=](long p) {
            const long exact = p > exact_bits ? p : exact_bits;
            const Interval length = norm(u1, u2, exact);
            return Triangle{length, dot(exact) / length, abs(cross(exact)) / length};
        },
        bits);
}

Interval equilateral_rdp(double order, double sigma, double q, bool attainable, long bits) {
    if (q == 0.0) return Interval(0.0, bits);
    return triangle_rdp(
        order, q,
        [=](long p) {
            const Interval root = sqrt(Interval(3.0, p));
            Interval side = Interval(2.0, p) / sigma;
            if (attainable) side *= root / 2.0;
            return Triangle{side, side / 2.0, side * root / 2.0};
        },
        bits);
}

}  // namespace assay::verify
