#include "assay/rdp/rdp_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/rdp_sum.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"

namespace assay {

Standing RdpCurve::standing() const {
    return weakest_standing(theorems);
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
    for (double& epsilon : result.epsilons) {
        RdpSum sum(curve.direction);
        sum.add({epsilon, curve.direction, {}}, steps);
        epsilon = sum.value();
    }
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
        RdpSum sum(result.direction);
        for (const RdpCurve* part : {&first, &second})
            sum.add({part->epsilons[i], part->direction, {}}, 1);
        result.epsilons[i] = sum.value();
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
