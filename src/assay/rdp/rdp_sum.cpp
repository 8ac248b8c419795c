#include "assay/rdp/rdp_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/one_step.hpp"

namespace assay {

RdpSum::RdpSum(Direction direction) : direction_(direction) {
    if (direction == Direction::estimate)
        throw DirectionError("an estimate cannot be composed: it stands on no side");
}

void RdpSum::add(const Bound& bound, std::int64_t repetitions) {
    if (bound.direction != direction_)
        throw DirectionError("an upper and a lower bound have no sum on one side");
    is_plain_ = terms_ == 0 && repetitions == 1;
    sum_ += static_cast<real>(bound.value) * static_cast<real>(repetitions);
    ++terms_;
    if (std::find(theorems_.begin(), theorems_.end(), bound.theorem) == theorems_.end())
        theorems_.push_back(bound.theorem);
}

double RdpSum::value() const {
    const bool is_upper = direction_ == Direction::upper;
    if (!std::isfinite(sum_)) return is_upper ? std::numeric_limits<double>::infinity() : 0.0;
    if (is_plain_) return static_cast<double>(sum_);
    const real slack = unit_roundoff * (2.0L * static_cast<real>(terms_) + 2.0L);
    return is_upper ? round_up(sum_ * (1.0L + slack))
                    : std::max(0.0, round_down(sum_ * (1.0L - slack)));
}

Standing RdpSum::standing() const {
    return weakest_standing(theorems_);
}

Standing weakest_standing(std::span<const Theorem> theorems) {
    const bool published = std::all_of(theorems.begin(), theorems.end(), [](const Theorem& t) {
        return t.standing == Standing::published;
    });
    return published ? Standing::published : Standing::ours;
}

std::vector<ComposedRdp> composed_rdp(std::span<const Phase> phases, Adjacency adjacency,
                                      std::span<const double> orders) {
    std::vector<ComposedRdp> curve(orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i) curve[i].order = orders[i];
    for (const Phase& phase : phases) {
        const std::vector<OneStep> steps = one_step_rdp(phase.mechanism, adjacency, orders);
        for (std::size_t i = 0; i < orders.size(); ++i) {
            curve[i].lower.add(steps[i].lower, phase.repetitions);
            curve[i].upper.add(steps[i].upper, phase.repetitions);
            curve[i].published_upper.add(steps[i].published_upper, phase.repetitions);
        }
    }
    return curve;
}

}  // namespace assay
