#pragma once
#include <optional>

#include "verify/oracles/lemma_plane.hpp"

namespace assay::verify::lemma {

/// Nodes (j h, k h) of the plane, first <= .. <= last, for sums of f(z) phi(z) h^2.
struct Lattice {
    real step = 0;
    long first_x = 0, last_x = 0;
    long first_y = 0, last_y = 0;  // both 0 and no factor h where everything lies on one line
    bool is_line = false;
    /// |sum over all nodes - integral| <= this times the integral, for the integrand asked.
    real relative_error = 0;
    /// The same for the densities of P and Q themselves.
    real normal_error = 0;
    /// Distance (in standard deviations) that the box keeps from every centre.
    real margin = 0;
};

/// What a lattice has to serve.
///   p_power, q_power  the integrand's absolute value on z + iy is at most
///                     cos(d_P |y|/2)^-p_power cos(d_Q |y|/2)^-q_power e^{|y|^2/2} times its value
///                     at z, d the largest distance between two shifts of a mixture
///   reach             the box holds all shifts times 1 and times `reach`
///   error, tail       aims: relative lattice error, exponent of what may lie outside
struct LatticeNeed {
    const MomentAttack& pair;
    real p_power = 0;
    real q_power = 0;
    real reach = 1;
    real error = 1e-20L;
    real tail = 40;  // nats
};

/// Nothing where it would take more than `most_nodes`.
[[nodiscard]] std::optional<Lattice> lattice_for(const LatticeNeed& need);

/// The largest distance between two shifts of a mixture, the origin among them.
[[nodiscard]] real diameter(const Mixture& mixture);

}  // namespace assay::verify::lemma
