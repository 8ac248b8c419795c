#pragma once
#include <limits>

#include "assay/epochs/dominating_pair.hpp"
#include "assay/numeric/enclosure.hpp"
#include "assay/numeric/tail_table.hpp"

namespace assay {

/// An epoch's lognormals Y_t without the largest.
struct WithoutLargest {
    double sum = 0.0;
    double error = 0.0;  // bound of the error of the sum
    double tail = 1.0;   // signed tail of the largest one left, 1 where none is
    double normal = -std::numeric_limits<double>::infinity();  // with that tail
};

/// Conditional Monte Carlo (Asmussen and Kroese 2006) of one epoch in a form whose draws stay
/// within [0, 1]: x = E[[1 - e^{eps - L}]_+ | all but the value of the largest coordinate].
///   Maths      Under Q the largest is N(0, s^2) given that it exceeds the others' largest, M; P
///              weighs it by W = (S + Y)/T. With tau(z) = P(Z > z), psi(z) = tau(z - 1/s),
///              z_y = s log y + 1/(2s), K = e^eps:
///              removal   [psi(z) - (TK - S) tau(z)] / [S tau(z_M) + psi(z_M)],
///                        z = max(z_M, z_{TK-S})
///              addition  K/T [y (tau(z_M) - tau(z_y)) - (psi(z_M) - psi(z_y))] / tau(z_M),
///                        y = T/K - S, or 0 where y <= M
///   Source     docs/proofs.md, the largest coordinate integrated
class LargestGivenOthers {
public:
    /// `table` maps tails to Y; `margin` bounds its relative error.
    LargestGivenOthers(const BallsAndBins& mechanism, LossDirection direction, double margin);

    /// A draw under P (removal) or Q (addition).
    [[nodiscard]] WithoutLargest draw(RandomStream& stream, const TailTable& table) const;
    /// Encloses x, the error of the sum and rounding included (docs/error_bounds.md#conditional).
    [[nodiscard]] Enclosure expectation(const WithoutLargest& others, double exp_epsilon) const;

private:
    [[nodiscard]] Enclosure of_removal(const WithoutLargest& others, double exp_epsilon) const;
    [[nodiscard]] Enclosure of_addition(const WithoutLargest& others, double exp_epsilon) const;

    double noise_multiplier_;
    double shift_;  // 1/s
    double steps_;
    bool removal_;
    double margin_;
};

}  // namespace assay
