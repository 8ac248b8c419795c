#pragma once
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

namespace assay::test_support {

/// E (W_1 .. W_n - e^epsilon)_+ with W = 1 - q + q X, X = e^{cz - c^2/2}, z normal, in long double
/// for one or two steps; W - 1 and e^epsilon - 1 are kept apart from 1. The last step in closed
/// form; the one before it in panels that double from where it alone reaches e^epsilon.
///   Errors   1e-12 for c <= 2 and thresholds below z = 30
inline double removal_delta(long double q, long double c, double epsilon, int steps) {
    const long double kappa = std::expm1(static_cast<long double>(epsilon));
    const auto tail = [](long double z) { return 0.5L * std::erfc(z * 0.70710678118654752440L); };
    const auto last = [&](long double others) {
        const long double threshold = (kappa - others) / (1.0L + others);
        const long double odds = 1.0L + threshold / q;
        if (odds <= 0.0L) return others - kappa;
        const long double z = 0.5L * c + std::log(odds) / c;
        return (1.0L + others) * q * (tail(z - c) - odds * tail(z));
    };
    if (steps == 1) return static_cast<double>(last(0.0L));
    const auto integrand = [&](long double z) {
        return std::exp(-0.5L * z * z) * last(q * std::expm1(c * z - 0.5L * c * c));
    };
    const long double alone = 0.5L * c + std::log1p(kappa / q) / c;
    long double sum = 0.0L;
    long double near = 0.0L;
    for (long double far = 1e-9L; near < 60.0L; far *= 1.5L) {
        using Rule = boost::math::quadrature::gauss<long double, 30>;
        sum += Rule::integrate(integrand, alone + near, alone + far);
        sum += Rule::integrate(integrand, alone - far, alone - near);
        near = far;
    }
    return static_cast<double>(sum * 0.39894228040143267794L);
}

}  // namespace assay::test_support
