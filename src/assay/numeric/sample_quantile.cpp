#include "assay/numeric/sample_quantile.hpp"

#include <algorithm>

#include "assay/numeric/errors.hpp"

namespace assay {

double sample_quantile(std::span<const double> sorted, double p) {
    require(!sorted.empty(), "sample", 0.0, "at least one number");
    require(p >= 0.0 && p <= 1.0, "p", p, "0 <= p <= 1");
    const double place = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace assay
