#include "verify/checks/pld_parts.hpp"

#include <cmath>

#include "assay/numeric/errors.hpp"
#include "verify/checks/routes.hpp"

namespace assay::verify {

const char* name_of(PayoffSide side) {
    return side == PayoffSide::removal ? "removal" : "addition";
}

RatioDistribution ratio_of(PayoffSide side, double q, double shift, double sigma) {
    const Interval c = Interval(shift, ratio_bits) / sigma;
    return side == PayoffSide::removal ? removal_ratio(q, c) : addition_ratio(q, c);
}

Interval threshold(const Point& point) {
    return exp(Interval(point["eps"], ratio_bits));
}

Interval composed_excess(const RatioDistribution& u, const RatioDistribution& v,
                         const Point& point) {
    constexpr int nodes = 1000;
    constexpr double widest = 2e-3;
    const Interval found = product_excess(u, v, threshold(point), nodes);
    if (!(found.relative_width() < widest)) throw Error("too few nodes");
    return found;
}

Interval repeated_excess(const RatioDistribution& distribution, const Point& point) {
    return point["T"] == 1.0 ? distribution.excess(threshold(point))
                             : composed_excess(distribution, distribution, point);
}

DeltaBracket delta_of(std::span<const Phase> phases, Adjacency adjacency, const Point& point) {
    const double epsilon = point["eps"];
    return pld_delta(phases, adjacency, {&epsilon, 1}, {.relative_gap = 5e-4}).points.front();
}

Enclosure side_of(const DeltaBracket& delta, PayoffSide side) {
    return side == PayoffSide::removal ? Enclosure{delta.removal_lower, delta.removal_upper}
                                       : Enclosure{delta.addition_lower, delta.addition_upper};
}

Dimension sampling_dimension() {
    return {"q", Scale::logarithmic, 1e-3, 0.9, false, {0.01, 0.1, 0.5}};
}

double half_the_largest_loss(double steps, double q) {
    return -0.5 * steps * std::log1p(-q);
}

Check composition_row(std::string id, const char* claim, Space space, int quick, int full) {
    Check row =
        library_row(std::move(id), claim, Relation::overlaps, std::move(space), quick, full);
    row.oracle = "chords of one step's divergence under the other, above and below";
    row.widest = 1e-2;
    return row;
}

}  // namespace assay::verify
