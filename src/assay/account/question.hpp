#pragma once
#include <limits>

#include "assay/account/bracket.hpp"
#include "assay/balls_and_bins/epoch_composition.hpp"

namespace assay {

/// What is asked of an accountant: delta at the epsilon given, or epsilon at the delta given.
struct Question {
    bool wants_delta = false;
    double given = 0.0;
    Goal goal = {};
    double negligible = 0.0;    // deltas below it need not be close; 0: each accountant's own
    EpochLaws* kept = nullptr;  // distributions of one epoch, from earlier questions

    [[nodiscard]] double trivial_upper() const {
        return wants_delta ? 1.0 : std::numeric_limits<double>::infinity();
    }
};

}  // namespace assay
