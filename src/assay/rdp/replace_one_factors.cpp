#include "assay/rdp/replace_one_factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay {

namespace {
std::size_t index(int k) {
    return static_cast<std::size_t>(k);
}
}  // namespace

ReplaceOneFactors::ReplaceOneFactors(int longest)
    : longest_(longest),
      falling_(index(longest) + 1, 1.0L),
      rising_(index(longest) + 1, 1.0L),
      skipped_(std::max<std::size_t>(index(longest) + 1, 3), 1.0L) {}

void ReplaceOneFactors::prepare(real order) {
    order_ = order;
    const real inverse = 1.0L / order;
    for (int l = 0; l < longest_; ++l) {
        const std::size_t i = index(l);
        const real factor = (order - static_cast<real>(l)) * inverse;
        falling_[i + 1] = falling_[i] * factor;
        rising_[i + 1] = rising_[i] * ((order + static_cast<real>(l)) * inverse);
        if (l >= 2) skipped_[i + 1] = skipped_[i] * factor;
    }
}

real ReplaceOneFactors::ratio(int k, int j) const {
    // l = 0 of the second product is alpha - 1; for j = k it is missing, and the factor l = 1 of
    // the first product takes its place (k >= 2).
    if (j < k) return falling_[index(j)] * rising_[index(k - j - 1)];
    return k == 1 ? order_ / (order_ - 1.0L) : skipped_[index(k)];
}

ReplaceOneFactors::Spread ReplaceOneFactors::spread(int k) const {
    Spread result;
    real binomial = 1.0L;
    for (int j = 0; j <= k; ++j) {
        const real g = ratio(k, j);
        result.sum += binomial * std::fabs(g - 1.0L);
        result.error += binomial * (std::fabs(g) + 1.0L);
        binomial = binomial * static_cast<real>(k - j) / static_cast<real>(j + 1);
    }
    // 4k roundings in g, 2k in the binomial, k + 1 additions and the subtraction.
    result.error *= static_cast<real>(8 * k + 16) * unit_roundoff;
    return result;
}

}  // namespace assay
