#include "assay/numeric/bound.hpp"

#include <fmt/format.h>

#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

Bound vacuous(Direction direction, Theorem theorem) {
    if (direction == Direction::estimate)
        throw DirectionError("an estimate has no side on which it could be vacuous");
    const double value =
        direction == Direction::upper ? std::numeric_limits<double>::infinity() : 0.0;
    return Bound{value, direction, theorem, Status::vacuous};
}

void require_ordered(double lower, double upper, const std::function<std::string()>& question) {
    if (lower <= upper) return;
    throw InternalError(
        fmt::format("internal error: {}: the lower bound {:.17g} and the upper bound {:.17g} "
                    "contradict each other; please report this question",
                    question(), lower, upper));
}

std::string_view to_string(Direction direction) {
    switch (direction) {
        case Direction::lower: return "lower";
        case Direction::upper: return "upper";
        default: return "estimate";
    }
}

std::string_view to_string(Standing standing) {
    return standing == Standing::published ? "published" : "ours";
}

std::string_view to_string(Status status) {
    return status == Status::certified ? "certified" : "vacuous";
}

}  // namespace assay
