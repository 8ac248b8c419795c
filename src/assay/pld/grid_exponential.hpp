#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/numeric/interruption.hpp"

namespace assay {

/// Calls use(i, e^{first + rate i}) for i = 0..count-1, 64 of them for one exponential. Relative
/// error at most (4 max |exponent| + 8) 2^-53, within the range of Real.
template <class Real = double, class Use>
void for_each_exponential(double first, double rate, std::size_t count, const Use& use) {
    constexpr std::size_t block = 64;
    if (std::fabs(rate) * block > 300.0) {  // the table would overflow
        for (std::size_t i = 0; i < count; ++i)
            use(i, std::exp(static_cast<Real>(first + rate * static_cast<double>(i))));
        return;
    }
    std::array<double, block> power{};
    for (std::size_t j = 0; j < block; ++j) power[j] = std::exp(rate * static_cast<double>(j));
    for (std::size_t i = 0; i < count; i += block) {
        if (i % 65536 == 0) allow_interruption(65536);
        const Real start = std::exp(static_cast<Real>(first + rate * static_cast<double>(i)));
        const std::size_t end = count - i < block ? count - i : block;
        for (std::size_t j = 0; j < end; ++j) use(i + j, start * static_cast<Real>(power[j]));
    }
}

}  // namespace assay
