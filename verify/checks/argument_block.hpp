#pragma once
#include <cstddef>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "verify/space.hpp"

namespace assay::verify {

/// Where a function of one variable is tried.
struct ArgumentRange {
    real low = 0.0L;
    real high = 1.0L;
    /// The size of the smallest arguments other than 0.
    real smallest = 1e-25L;
    /// Zeros, poles and seams of the function: arguments are taken close to them too.
    std::vector<real> places;
    /// Whole numbers only.
    bool whole = false;
};

/// One argument: log-uniform in size, uniform, next to a power of 2, or close to a place (at any
/// distance, the place itself included), each as likely as the others.
[[nodiscard]] real draw_argument(const ArgumentRange& range, Draws& draws);

}  // namespace assay::verify
