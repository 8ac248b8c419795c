#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

/// Renyi divergences of one order composed: sum_i repetitions_i bound_i, all on one side.
///   Direction  that of the bounds; a single bound, repeated once, stays as it is
///   Errors     n terms: relative (n + 1) u, to which (2n + 2) u are granted
///   Throws     DirectionError for an estimate or a bound of the other side
class RdpSum {
public:
    explicit RdpSum(Direction direction);

    void add(const Bound& bound, std::int64_t repetitions);

    [[nodiscard]] double value() const;
    /// Those of the parts, without repetition.
    [[nodiscard]] const std::vector<Theorem>& theorems() const { return theorems_; }
    /// `published` when all theorems are.
    [[nodiscard]] Standing standing() const;

private:
    Direction direction_;
    real sum_ = 0.0L;
    std::int64_t terms_ = 0;
    bool is_plain_ = true;  // nothing was multiplied or added
    std::vector<Theorem> theorems_;
};

/// `published` when all theorems are.
[[nodiscard]] Standing weakest_standing(std::span<const Theorem> theorems);

/// The composition of phases at one order: what is attained, the best theorems, published ones.
struct ComposedRdp {
    double order = 0.0;
    RdpSum lower{Direction::lower};
    RdpSum upper{Direction::upper};
    RdpSum published_upper{Direction::upper};
};

/// At every order.          Throws  DomainError, UnsupportedMechanism, InternalError
[[nodiscard]] std::vector<ComposedRdp> composed_rdp(std::span<const Phase> phases,
                                                    Adjacency adjacency,
                                                    std::span<const double> orders);

}  // namespace assay
