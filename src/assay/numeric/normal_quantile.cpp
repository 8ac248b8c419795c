#include "assay/numeric/normal_quantile.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/special_functions.hpp"

namespace assay {

real log_normal_cdf(real z) {
    return z < 0.0L ? log_normal_tail(-z) : std::log1p(-normal_tail(z));
}

real normal_upper_quantile(real tail) {
    require(tail > 0.0L && tail < 1.0L, "tail", static_cast<double>(tail), "0 < tail < 1");
    // erfc_inv near 1 and erf_inv near 0 are the same number; the second keeps the digits there.
    if (tail > 0.4L && tail < 0.6L)
        return std::numbers::sqrt2_v<real> * boost::math::erf_inv(1.0L - 2.0L * tail);
    return std::numbers::sqrt2_v<real> * boost::math::erfc_inv(2.0L * tail);
}

}  // namespace assay
