#pragma once
#include <tbb/enumerable_thread_specific.h>

#include "assay/dpsgd/block.hpp"

namespace assay {

/// What is held of the examples that are worked on at once, a column each: for every layer the
/// outputs, the gradients of these, and, where a layer wants it, the gradient of each example.
template <class Real>
struct Workspace {
    std::vector<std::int32_t> categories;
    std::vector<Matrix<Real>> activations;  // [0] the data, [l + 1] what layer l puts out
    std::vector<Matrix<Real>> gradients;    // [l] of the loss by activations[l]; [0] is empty
    std::vector<Matrix<Real>> held;         // [l] gradients of single examples by layer l
    tbb::enumerable_thread_specific<std::vector<Real>> scratch;
};

}  // namespace assay
