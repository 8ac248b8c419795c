#pragma once
#include "assay/numeric/directed.hpp"
#include "assay/numeric/scaled_real.hpp"

namespace assay {

/// A non-negative function on a real interval that is analytic around it.
class PanelIntegrand {
public:
    PanelIntegrand() = default;
    PanelIntegrand(const PanelIntegrand&) = default;
    PanelIntegrand& operator=(const PanelIntegrand&) = default;
    virtual ~PanelIntegrand() = default;

    struct Value {
        ScaledReal value;
        real relative_error = 0.0L;
    };
    [[nodiscard]] virtual Value at(real x) const = 0;
    /// An upper bound of log |g| on {x + iy: left <= x <= right, |y| <= height}, +inf where g may
    /// not be analytic; height 0 asks for the real interval.
    [[nodiscard]] virtual real log_bound(real left, real right, real height) const = 0;
};

/// Certified integral: lower = value - error, upper = value + error + omitted.
struct PanelIntegral {
    ScaledReal value;
    ScaledReal error;    // quadrature and rounding, both sides
    ScaledReal omitted;  // intervals where g is negligible, one side
    bool certified = true;
};

/// Adaptive Gauss-Legendre rule with 24 nodes a panel. A panel is accepted when the bound
///   half-length * 64/15 M rho^(-48) / (1 - rho^-2)
/// (M on the Bernstein ellipse of parameter rho; Trefethen 2013, Theorem 19.3) is below e^-43 of
/// e^log_scale, where log_scale is about the logarithm of the integral.
[[nodiscard]] PanelIntegral integrate_panels(const PanelIntegrand& integrand, real left, real right,
                                             real log_scale);

}  // namespace assay
