#pragma once
#include <optional>
#include <vector>

#include "verify/oracles/trapezoid_mixture.hpp"
#include "verify/oracles/trapezoid_plane.hpp"

namespace assay::verify::trapezoid {

/// psi(z) = order log P(z1) - (order-1) log Q(<v,z>) - |z|^2/2.
class PlaneExponent {
public:
    PlaneExponent(double order, double q, const Triangle& triangle);

    struct Bound {
        Interval psi;      // upper end at least its maximum over the rectangle
        double magnitude;  // of its parts
        double somewhere;  // psi is about this or more at one point of it
    };

    [[nodiscard]] Interval at(const Interval& z1, const Interval& z2) const;
    [[nodiscard]] Bound over(const Interval& left, const Interval& right, const Interval& low,
                             const Interval& high) const;
    /// psi(z) <= psi(0) + S1|z1| + S2|z2| - |z|^2/2.
    [[nodiscard]] Interval steepest_first() const;
    [[nodiscard]] Interval steepest_second() const;
    /// A value of psi near its maximum, at least 0.
    [[nodiscard]] double highest_candidate() const;
    /// The three factors of e^psi: by row, by column, and by <v,z>.
    [[nodiscard]] Interval row_factor(const Interval& z1) const;
    [[nodiscard]] static Interval column_factor(const Interval& z2);
    [[nodiscard]] Interval oblique_factor(const Interval& z1, const Interval& z2) const;

private:
    [[nodiscard]] Interval along_v(const Interval& z1, const Interval& z2) const;

    Triangle triangle_;
    Interval length_;  // |v|
    ShiftMixture p_;   // of z1
    ShiftMixture q_;   // of <v,z>/|v|
    Interval order_;
    Interval rest_;
};

struct PlaneCell {
    long first_row, last_row, first_column, last_column;
    [[nodiscard]] long height() const { return last_row - first_row + 1; }
    [[nodiscard]] long breadth() const { return last_column - first_column + 1; }
};

/// Which nodes (j h1, k h2) are added up.
struct PlanePlan {
    double scale = 0.0;  // the sum is of e^{psi - scale}; any number is valid
    std::vector<PlaneCell> kept;
    long nodes = 0;
    double magnitude = 1.0;  // of the parts of psi on kept cells
    Interval omitted;        // its upper end is at least the sum over all others
};

/// Leaves out about e^-nats of e^scale; nothing when too many nodes remain.
[[nodiscard]] std::optional<PlanePlan> plan_plane(const PlaneExponent& psi, const Interval& h1,
                                                  const Interval& h2, double nats);

}  // namespace assay::verify::trapezoid
