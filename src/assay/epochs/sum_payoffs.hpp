#pragma once
#include <cstddef>
#include <vector>

#include "assay/epochs/lognormal_cells.hpp"

namespace assay {

/// A measure on [0, inf): atoms at increasing positions, and one part that lies above all
/// thresholds, of which only mass and moment count.
struct AtomicDistribution {
    std::vector<double> positions;
    std::vector<double> masses;
    MassMoment above;
};

/// E[(A + B - K)_+] and E[(K - A - B)_+] for independent A and B, K up to where the parts above
/// begin; every call costs O(atoms).
///   Errors     relative error at most 4 (atoms + 8) u, all terms being positive, and a shift of
///              the threshold by at most 4 u K
class SumPayoffs {
public:
    SumPayoffs(AtomicDistribution first, AtomicDistribution second);

    [[nodiscard]] double excess(double threshold) const;
    [[nodiscard]] double shortfall(double threshold) const;
    [[nodiscard]] std::size_t atoms() const;
    [[nodiscard]] const AtomicDistribution& first() const { return first_; }
    [[nodiscard]] const AtomicDistribution& second() const { return second_; }

private:
    AtomicDistribution first_;
    AtomicDistribution second_;
    // Of `second_`: mass and payoff at its own atoms, from above and from below.
    std::vector<double> mass_above_;    // at j: mass of the atoms j, j+1, ..
    std::vector<double> excess_at_;     // E[(B - x_j)_+], the part above left out
    std::vector<double> mass_below_;    // at j: mass of the atoms before j
    std::vector<double> shortfall_at_;  // E[(x_j - B)_+]
    MassMoment first_total_;
    MassMoment second_total_;
};

}  // namespace assay
