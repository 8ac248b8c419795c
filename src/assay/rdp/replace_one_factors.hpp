#pragma once
#include <vector>

#include "assay/numeric/directed.hpp"

namespace assay {

/// The products of orders that birrell2024 (83) and (90) are made of, less their common factor:
///   g_j = [prod_{l<j} (alpha-l)] [prod_{l<k-j} (alpha+l-1)] / ((alpha-1) alpha^{k-1}),  0 <= j <=
///   k.
/// One factor alpha-1 cancels exactly and is left out, so orders near 1 lose nothing
/// (docs/error_bounds.md#taylor-replace-one).
class ReplaceOneFactors {
public:
    /// For every k <= longest.
    explicit ReplaceOneFactors(int longest);

    void prepare(real order);

    /// g_j for this k; at most 4k roundings (four a factor).
    [[nodiscard]] real ratio(int k, int j) const;

    /// sum_j C(k,j) abs(g_j - 1), and a bound on its absolute error.
    struct Spread {
        real sum = 0.0L;
        real error = 0.0L;
    };
    [[nodiscard]] Spread spread(int k) const;

private:
    int longest_;
    real order_ = 0.0L;
    std::vector<real> falling_;  // prod_{l<j} (alpha-l)/alpha
    std::vector<real> rising_;   // prod_{l<i} (alpha+l)/alpha
    std::vector<real> skipped_;  // prod_{2<=l<k} (alpha-l)/alpha
};

}  // namespace assay
