#include "assay/pld/privacy_loss_pmf.hpp"

#include <fmt/format.h>

#include "assay/numeric/errors.hpp"

namespace assay {

void require_composable(const PrivacyLossPmf& one, const PrivacyLossPmf& other) {
    if (one.direction == Direction::estimate || other.direction == Direction::estimate)
        throw DirectionError("an estimate cannot be composed: it is on neither side");
    if (one.direction != other.direction)
        throw DirectionError(
            fmt::format("a privacy loss distribution on the {} side cannot be composed with one on "
                        "the {} side",
                        to_string(one.direction), to_string(other.direction)));
    if (one.adjacency != other.adjacency)
        throw DirectionError(
            fmt::format("a privacy loss distribution under {} cannot be composed with one under {}",
                        to_string(one.adjacency), to_string(other.adjacency)));
    if (!(one.step == other.step))
        throw DirectionError(fmt::format("grid steps {} and {} differ", one.step, other.step));
    if (one.tilt != 0.0 || other.tilt != 0.0)
        throw DirectionError("a tilted privacy loss distribution cannot be composed again");
}

}  // namespace assay
