#pragma once

#include <cstdint>

#include "assay/numeric/vector_clones.hpp"

namespace assay {

/// Four numbers that may lie anywhere, for functions of ASSAY_VECTOR_CLONES. With AVX2 comparisons
/// of them select without branches, which GCC often makes of the conditions of a loop.
using FourDoubles __attribute__((vector_size(32), aligned(8), may_alias)) = double;
using FourWords __attribute__((vector_size(32), aligned(8), may_alias)) = std::int64_t;

// No references and no `auto*`: GCC 12 forgets aligned(8) by the one, clang by the other.
ASSAY_INLINE FourDoubles* four(double* x) {
    return reinterpret_cast<FourDoubles*>(x);
}
ASSAY_INLINE const FourDoubles* four(const double* x) {
    return reinterpret_cast<const FourDoubles*>(x);
}
ASSAY_INLINE const FourWords* four(const std::int64_t* x) {
    return reinterpret_cast<const FourWords*>(x);
}

}  // namespace assay
