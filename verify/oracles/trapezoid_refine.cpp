#include "verify/oracles/trapezoid_refine.hpp"

#include <algorithm>
#include <cmath>

namespace assay::verify::trapezoid {

namespace {

constexpr long most_bits = 20000;

// Moments reach e^{10^20}: MPFR's widest exponents while one is computed.
class WideExponents {
public:
    WideExponents() : least_(mpfr_get_emin()), largest_(mpfr_get_emax()) {
        mpfr_set_emin(mpfr_get_emin_min());
        mpfr_set_emax(mpfr_get_emax_max());
    }
    ~WideExponents() {
        mpfr_set_emin(least_);
        mpfr_set_emax(largest_);
    }
    WideExponents(const WideExponents&) = delete;
    WideExponents& operator=(const WideExponents&) = delete;

private:
    mpfr_exp_t least_;
    mpfr_exp_t largest_;
};

// Leading zero bits of log F > 0 after the point; 0 when not known to be positive.
long lost_bits(const Interval& log_moment) {
    if (!log_moment.is_positive() || mpfr_regular_p(log_moment.lower()) == 0) return 0;
    return std::max(0L, 1 - static_cast<long>(mpfr_get_exp(log_moment.lower())));
}

}  // namespace

Interval divergence_from(const std::function<std::optional<Interval>(long bits)>& log_moment,
                         double order, double excess, long bits) {
    const WideExponents scope;
    Interval best = Interval::between(Interval(0.0, bits), Interval::whole_line(bits));
    const double guess = excess > 0 ? std::clamp(-std::log2(excess), 0.0, 4000.0) : 0.0;
    long working = bits + 12 + static_cast<long>(guess);
    while (working <= most_bits) {
        const std::optional<Interval> found = log_moment(working);
        if (!found || !found->is_finite()) return best;
        // F >= 1 (Jensen), so what lies below is cut.
        const Interval log_f = max(*found, Interval(0.0, found->bits()));
        const Interval answer = log_f / (Interval(order, found->bits()) - 1.0);
        const bool narrower = answer.relative_width() < best.relative_width();
        if (!narrower && best.is_finite()) return best;
        best = answer;
        if (best.relative_width() <= std::ldexp(1.0, -static_cast<int>(bits))) return best;
        const long lost = lost_bits(log_f);
        working = lost > 0 && bits + lost + 16 > working ? bits + lost + 16 : 2 * working;
    }
    return best;
}

}  // namespace assay::verify::trapezoid
