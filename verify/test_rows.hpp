#pragma once
#include "verify/check.hpp"

namespace assay::verify::testing {

/// A row about x^2 on [0.1, 10]: the subject answers x^2 (1 + error), two ulps wide.
inline Check square_row(double error, Relation relation = Relation::encloses) {
    Check row;
    row.id = "test.square";
    row.claim = "x^2";
    row.subject = "double";
    row.oracle = "MPFR";
    row.relation = relation;
    row.space = {{{"x", Scale::logarithmic, 0.1, 10.0, false, {0.5, 1.0, 3.0}}}, {}};
    row.quick_points = 40;
    row.full_points = 80;
    row.evaluate = [error](const Point& point) {
        const double square = point["x"] * point["x"] * (1.0 + error);
        return Enclosure{std::nextafter(square, 0.0), std::nextafter(square, 1e9)};
    };
    row.truth = [](const Point& point, long bits) { return square(Interval(point["x"], bits)); };
    return row;
}

}  // namespace assay::verify::testing
