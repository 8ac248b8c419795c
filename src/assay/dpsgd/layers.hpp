#pragma once
#include <cstddef>
#include <variant>
#include <vector>

#include "assay/dpsgd/convolution.hpp"
#include "assay/dpsgd/dense.hpp"
#include "assay/dpsgd/embedding.hpp"
#include "assay/dpsgd/group_norm.hpp"
#include "assay/dpsgd/max_pool.hpp"

namespace assay {

using Layer = std::variant<Dense, Convolution, GroupNorm, MaxPool, Embedding>;

/// A layer in its place: which of the model's parameters it has, and whether ReLU follows.
struct Stage {
    Layer layer;
    bool relu = false;
    std::size_t first_parameter = 0;
};

}  // namespace assay
