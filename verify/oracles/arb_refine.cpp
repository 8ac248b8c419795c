#include "verify/oracles/arb_refine.hpp"

#include <algorithm>

namespace assay::verify::arb {

double approximate_peak(const std::function<double(double)>& g, double low, double high,
                        std::vector<double>& places) {
    constexpr int samples = 128;
    constexpr int sections = 48;
    const double spacing = (high - low) / samples;
    double best = low;
    double value = g(low);
    for (int i = 1; i <= samples; ++i) {
        const double z = low + spacing * i;
        if (const double trial = g(z); trial > value) {
            value = trial;
            best = z;
        }
    }
    double left = std::max(low, best - spacing);
    double right = std::min(high, best + spacing);
    for (int i = 0; i < sections; ++i) {
        const double a = left + (right - left) * 0.382;
        const double b = left + (right - left) * 0.618;
        if (g(a) > g(b))
            right = b;
        else
            left = a;
    }
    places.push_back(0.5 * (left + right));
    return std::max(value, g(places.back()));
}

Real refine(long bits, long goal, const std::function<Real(long goal, bool& exhausted)>& attempt) {
    constexpr int attempts = 6;
    constexpr long cap = 20000;
    Real best;
    arb_indeterminate(best);
    for (int i = 0; i < attempts && goal <= cap; ++i) {
        bool exhausted = false;
        const Real value = attempt(goal, exhausted);
        const long error = relative_error_exponent(value);
        if (error <= relative_error_exponent(best)) best = value;
        if (error <= -bits || exhausted) break;
        // No digit at all: double. Else what is missing, and a little more.
        goal = arb_contains_zero(value) != 0 ? 2 * goal : goal + (error + bits) + 8;
    }
    return best;
}

Real divergence_of(const Real& moment, double alpha, long precision) {
    Real order(alpha);
    arb_sub_ui(order, order, 1, precision);
    Real value;
    arb_log(value, moment, precision);
    arb_div(value, value, order, precision);
    return value;
}

}  // namespace assay::verify::arb
