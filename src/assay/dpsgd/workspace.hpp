#pragma once
#include <tbb/enumerable_thread_specific.h>
#include <cstdint>

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

/// Bytes of its matrices as they are, but for what each thread has of its own.
template <class Real>
[[nodiscard]] std::size_t live_bytes(const Workspace<Real>& workspace) {
    std::size_t bytes = workspace.categories.capacity() * sizeof(std::int32_t);
    for (const auto* matrices : {&workspace.activations, &workspace.gradients, &workspace.held})
        for (const Matrix<Real>& matrix : *matrices)
            bytes += static_cast<std::size_t>(matrix.size()) * sizeof(Real);
    return bytes;
}

}  // namespace assay
