#include <cmath>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

bool odd(const Point& p) {
    return p.integer("j") % 2 == 1;
}

Space odd_powers() {
    return {{noise_dimension("sigma", 1.0, 6.0), {"j", Scale::linear, 3, 9, true, {3, 5, 7, 9}}},
            odd};
}

/// The absolute error of a logarithm is the relative one of its argument.
Enclosure near_log(long double moment) {
    const long double value = std::log(moment);
    return enclose_between(value - 1e-8L, value + 1e-8L);
}

Enclosure double_alternating_sum(const Point& p) {
    const long k = p.integer("k");
    const double sigma = p["sigma"];
    double sum = 0.0;
    double binomial = 1.0;
    for (long l = 0; l <= k; ++l) {
        const auto x = static_cast<double>(l);
        const double term = binomial * std::exp(2.0 * x * (x - 1.0) / (sigma * sigma));
        sum += (k - l) % 2 == 0 ? term : -term;
        binomial *= (static_cast<double>(k) - x) / (x + 1.0);
    }
    return near(std::log(sum));
}

Enclosure remainder_at(const Point& p, bool with_power) {
    const plain::Taylor t{p["alpha"], p["sigma"], p["q"], p.integer("m")};
    const long double power = std::pow(1.0L - t.q, t.alpha - static_cast<long double>(t.m));
    return near_log(plain::remainder(t) / (with_power ? 1.0L : power));
}

}  // namespace

std::vector<Control> moment_controls() {
    const auto honest = [](const Point& p) {
        return near_log(plain::absolute_bound(p["sigma"], p.integer("j")));
    };
    const auto absolute = bounds("exact.log_absolute_moment", Method::trapezoid);
    return {
        control(
            "b_tilde_without_square_root",
            "B~_j of birrell2024 (47) for odd j as M_{j-1} M_{j+1}, its square root forgotten",
            absolute, odd_powers(),
            [](const Point& p) {
                const long j = p.integer("j");
                return near_log(plain::moment(p["sigma"], j - 1) *
                                plain::moment(p["sigma"], j + 1));
            },
            honest),
        control(
            "absolute_value_forgotten",
            "M_j taken for the absolute moment of odd order j: birrell2024 Lemma C.5 without "
            "its bars",
            absolute, odd_powers(),
            [](const Point& p) { return near_log(plain::moment(p["sigma"], p.integer("j"))); },
            honest),
        control(
            "alternating_sum_in_double",
            "M_k by the alternating sum of birrell2024 (44) in double precision",
            encloses("birrell2024.log_M", Method::formula),
            {{noise_dimension("sigma", 1.0, 100.0), {"k", Scale::linear, 2, 30, true, {10, 16}}},
             {}},
            double_alternating_sum),
        control(
            "remainder_without_power_of_1_minus_q",
            "the remainder of birrell2024 (54) without (1-q)^{alpha-m}",
            encloses("birrell2024.log_R_bound", Method::formula),
            {{order_dimension(1.1, 4.9),
              noise_dimension("sigma", 1.0, 6.0),
              {"m", Scale::linear, 5, 8, true, {5, 6}},
              {"q", Scale::logarithmic, 1e-4, 0.5, false, {0.01, 0.1, 0.5}}},
             [](const Point& p) { return std::floor(p["alpha"]) != p["alpha"]; }},
            [](const Point& p) { return remainder_at(p, false); },
            [](const Point& p) { return remainder_at(p, true); }),
    };
}

}  // namespace assay::verify
