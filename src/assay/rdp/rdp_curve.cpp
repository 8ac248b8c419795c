#include "assay/rdp/rdp_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"

namespace assay {

namespace {

double round_to_side(real value, Direction direction) {
    if (direction == Direction::estimate)
        throw DirectionError("an estimate cannot be composed: it stands on no side");
    return direction == Direction::upper ? round_up(value) : std::max(0.0, round_down(value));
}

}  // namespace

Standing RdpCurve::standing() const {
    const bool published = std::all_of(theorems.begin(), theorems.end(), [](const Theorem& t) {
        return t.standing == Standing::published;
    });
    return published ? Standing::published : Standing::ours;
}

RdpCurve exact_curve(const Mechanism& mechanism, Adjacency adjacency, Direction direction,
                     std::span<const double> orders) {
    if (direction == Direction::estimate)
        throw DirectionError("an exact curve is an upper or a lower bound after rounding");
    RdpCurve curve;
    curve.adjacency = adjacency;
    curve.direction = direction;
    curve.theorems = {direction == Direction::upper ? exact_theorem(mechanism, adjacency)
                                                    : cite::attained};
    curve.orders.assign(orders.begin(), orders.end());
    for (const Enclosure& value : exact_rdp(mechanism, adjacency, orders))
        curve.epsilons.push_back(direction == Direction::upper ? value.upper : value.lower);
    return curve;
}

RdpCurve repeated(const RdpCurve& curve, std::int64_t steps) {
    if (steps < 1) throw DomainError("steps", fmt::format("{}", steps), "an integer >= 1");
    RdpCurve result = curve;
    for (double& epsilon : result.epsilons)
        epsilon = round_to_side(
            static_cast<real>(epsilon) * static_cast<real>(steps) *
                (1.0L + (curve.direction == Direction::upper ? 2.0L : -2.0L) * unit_roundoff),
            curve.direction);
    return result;
}

RdpCurve composed(const RdpCurve& first, const RdpCurve& second) {
    if (first.adjacency != second.adjacency)
        throw DirectionError(fmt::format("cannot compose a curve under {} with one under {}",
                                         to_string(first.adjacency), to_string(second.adjacency)));
    if (first.direction != second.direction)
        throw DirectionError(fmt::format("cannot compose {} bounds with {} bounds",
                                         to_string(first.direction), to_string(second.direction)));
    if (first.orders != second.orders)
        throw DirectionError("cannot compose curves on different orders");
    RdpCurve result = first;
    for (const Theorem& theorem : second.theorems)
        if (std::find(result.theorems.begin(), result.theorems.end(), theorem) ==
            result.theorems.end())
            result.theorems.push_back(theorem);
    for (std::size_t i = 0; i < result.epsilons.size(); ++i) {
        const real sum =
            static_cast<real>(first.epsilons[i]) + static_cast<real>(second.epsilons[i]);
        const real slack = 2.0L * unit_roundoff * sum;
        result.epsilons[i] = round_to_side(
            result.direction == Direction::upper ? sum + slack : sum - slack, result.direction);
    }
    return result;
}

CurveEpsilon curve_epsilon(const RdpCurve& curve, double delta) {
    CurveEpsilon best;
    best.epsilon.value = std::numeric_limits<double>::infinity();
    best.epsilon.direction = curve.direction;
    if (!curve.theorems.empty()) best.epsilon.theorem = curve.theorems.front();
    for (std::size_t i = 0; i < curve.orders.size(); ++i) {
        const Enclosure epsilon =
            canonne2020_epsilon(curve.orders[i], exactly(curve.epsilons[i]), delta);
        const double value = curve.direction == Direction::upper ? epsilon.upper : epsilon.lower;
        if (value < best.epsilon.value) {
            best.epsilon.value = value;
            best.order = curve.orders[i];
        }
    }
    return best;
}

}  // namespace assay
