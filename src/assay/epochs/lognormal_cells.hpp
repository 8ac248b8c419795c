#pragma once

namespace assay {

/// What a positive distribution has on a set: its probability and the integral of the position.
struct MassMoment {
    double mass = 0.0;
    double moment = 0.0;
};

/// The distribution of Y = e^{x/s^2 - 1/(2 s^2)}, x ~ N(0, s^2): the likelihood ratio of N(1, s^2)
/// and N(0, s^2), lognormal with mean 1; by cells of the score z = x/s, log Y = z/s - 1/(2 s^2).
///   Errors     mass, moment and excess have relative error at most rounding(z), all of them sums
///              of positive terms (docs/error_bounds.md#lognormal-cells)
class LognormalCells {
public:
    /// 0 < noise_multiplier, at least 0.01.
    explicit LognormalCells(double noise_multiplier);

    /// z where Y = e^{log_position}.
    [[nodiscard]] double score(double log_position) const;

    struct Cell {
        double mass = 0.0;
        double excess = 0.0;  // E[Y / left - 1; cell] with Y = left at the cell's left end
    };
    /// The cell between two positions, given as logarithms, left < right.
    [[nodiscard]] Cell between(double log_left, double log_right) const;
    [[nodiscard]] MassMoment below(double log_position) const;
    [[nodiscard]] MassMoment above(double log_position) const;

    /// Bound of the relative errors of cells within |z| <= score; cells beyond |z| = `farthest` are
    /// 0.
    [[nodiscard]] double rounding(double score) const;
    static constexpr double farthest = 39.0;

private:
    double slope_;   // 1/s
    double offset_;  // s/2 in units of z, with s = slope: z = log_position / slope + slope / 2
};

}  // namespace assay
