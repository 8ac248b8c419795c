#include "assay/dpsgd/block.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

// Four numbers at a time; a copy of them is one instruction.
using Four __attribute__((vector_size(16))) = float;
using WideFour __attribute__((vector_size(32))) = double;

ASSAY_VECTOR_CLONES
double float_squares(const float* x, std::size_t count) {
    WideFour sums[4] = {};
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16)
        for (std::size_t part = 0; part < 4; ++part) {
            Four values;
            std::memcpy(&values, x + i + 4 * part, sizeof values);
            const WideFour wide = __builtin_convertvector(values, WideFour);
            sums[part] += wide * wide;
        }
    const WideFour all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    double sum = (all[0] + all[1]) + (all[2] + all[3]);
    for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return sum;
}

/// x scaled by the factor, or 0 where it is too small.
template <class Real>
Real scaled_one(Real x, Wider<Real> factor) {
    const Wider<Real> scaled = factor * static_cast<Wider<Real>>(x);
    return std::fabs(scaled) < std::numeric_limits<Real>::min() ? Real(0)
                                                                : static_cast<Real>(scaled);
}

ASSAY_VECTOR_CLONES
void scale_floats(float* x, std::size_t count, double factor) {
    constexpr double smallest = std::numeric_limits<float>::min();
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        Four values;
        std::memcpy(&values, x + i, sizeof values);
        const WideFour scaled = __builtin_convertvector(values, WideFour) * factor;
        const auto is_tiny = (scaled < smallest) & (scaled > -smallest);
        values = __builtin_convertvector(is_tiny ? WideFour{} : scaled, Four);
        std::memcpy(x + i, &values, sizeof values);
    }
    for (; i < count; ++i) x[i] = scaled_one(x[i], factor);
}

}  // namespace

long double squared_norm(std::span<const float> x) {
    return float_squares(x.data(), x.size());
}

long double squared_norm(std::span<const double> x) {
    long double sum = 0.0L;
    for (const double value : x) sum += static_cast<long double>(value) * value;
    return sum;
}

void scale_down(std::span<float> x, long double factor) {
    if (factor == 0.0L)
        std::fill(x.begin(), x.end(), 0.0F);
    else
        scale_floats(x.data(), x.size(), static_cast<double>(factor));
}

void scale_down(std::span<double> x, long double factor) {
    if (factor == 0.0L)
        std::fill(x.begin(), x.end(), 0.0);
    else
        for (double& value : x) value = scaled_one(value, factor);
}

}  // namespace assay
