#include <cmath>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/published_variance.hpp"

namespace assay::verify {

namespace {

/// K_t(n) of birrell2024 (127), wang2019 Theorem 9.
long double wang_k(long n, long double q, long double sigma) {
    const auto a = static_cast<long double>(n);
    const long double s2 = sigma * sigma;
    long double sum = 2.0L * q * q * a * (a - 1.0L) * std::expm1(4.0L / s2);
    for (long i = 3; i <= n; ++i) {
        const auto j = static_cast<long double>(i);
        sum += 2.0L * plain::binomial(a, i) * std::pow(q, j) * std::exp(2.0L * j * (j - 1.0L) / s2);
    }
    return std::log1p(sum);
}

/// (130): the line through the integer orders `base` and base + 1.
Enclosure wang_between(const Point& p, long base) {
    const long double alpha = p["alpha"];
    const long double part = alpha - static_cast<long double>(base);
    const long double value = (1.0L - part) * wang_k(base, p["q"], p["sigma"]) +
                              part * wang_k(base + 1, p["q"], p["sigma"]);
    return near(value / (alpha - 1.0L));
}

/// alpha B/(alpha-1) (2 B (alpha-1)/sigma^2 - last).
Enclosure equation_120(const Point& p, long double last) {
    const long double alpha = p["alpha"];
    const long double B = p["B"];
    const long double sigma = p["sigma"];
    const long double value =
        alpha * B / (alpha - 1.0L) * (2.0L * B * (alpha - 1.0L) / (sigma * sigma) - last);
    const long double slack = 1e-12L * (std::abs(value) + alpha * B / (alpha - 1.0L) * last);
    return enclose_between(value - slack, value + slack);
}

/// mironov2019 Section 3.3, Case II, to 400 terms; `signed_binomial`: as it has to be.
Enclosure fractional_series(const Point& p, bool signed_binomial) {
    const long double alpha = p["alpha"];
    const long double s = p["s"];
    const long double q = p["q"];
    const long double z1 = 0.5L + s * s * std::log(1.0L / q - 1.0L);
    const auto half = [&](long double k, long double from_z1) {
        // erfc as e^{-x^2 - log(x sqrt(pi))} beyond the range of the exponential.
        const long double x = from_z1 / (std::sqrt(2.0L) * s);
        const long double log_erfc =
            x < 100.0L ? std::log(std::erfc(x)) : -x * x - std::log(x * 1.7724538509055160273L);
        return 0.5L * std::exp((k * k - k) / (2.0L * s * s) + log_erfc + k * std::log(q) +
                               (alpha - k) * std::log1p(-q));
    };
    long double sum = 0.0L;
    long double binomial = 1.0L;
    for (int i = 0; i < 400; ++i) {
        const auto k = static_cast<long double>(i);
        const long double term = half(k, k - z1) + half(alpha - k, z1 - (alpha - k));
        sum += (signed_binomial ? binomial : std::abs(binomial)) * term;
        binomial *= (alpha - k) / (k + 1.0L);
    }
    return near(std::log(sum) / (alpha - 1.0L), 1e-3L);
}

constexpr long records = 4;

std::vector<double> gradients(const Point& p) {
    return {p["a1"], p["a2"], p["a3"], p["a4"]};
}

/// (144): (1/B - 1/D) (sum a_i^2/D - sum_{i != j} a_i a_j / (D others)), others = D-1.
Enclosure subset_variance(const Point& p, long double others) {
    const long double D = records;
    long double squares = 0.0L;
    long double total = 0.0L;
    for (const double a : gradients(p)) {
        squares += static_cast<long double>(a) * a;
        total += a;
    }
    const long double scale = 1.0L / p["B"] - 1.0L / D;
    const long double value = scale * (squares / D - (total * total - squares) / (D * others));
    return enclose_between(value - 1e-15L, value + 1e-15L);
}

Space four_records() {
    Space space;
    for (const char* name : {"a1", "a2", "a3", "a4"})
        space.dimensions.push_back(linear_dimension(name, -1.0, 1.0, {-1.0, 1.0}));
    space.dimensions.push_back({"B", Scale::linear, 1, 3, true, {1, 2, 3}});
    return space;
}

Control theorem_c_9() {
    // The counterexamples lie at many terms, high orders and a large q.
    const Space space{{{"alpha", Scale::linear, 2.0, 100.0, false, {60.5}},
                       {"sigma", Scale::linear, 1.0, 60.0, false, {20.0}},
                       {"q", Scale::logarithmic, 0.01, 0.5, false, {0.2, 0.3}},
                       {"m", Scale::linear, 3, 80, true, {24, 60}}},
                      {}};
    Control one = control("theorem_c_9_as_printed",
                          "birrell2024 Theorem C.9 as printed, for any integer m >= 3",
                          bounds("exact.poisson_replace_one", Method::trapezoid), space,
                          library_subject("birrell2024.thm_c_9_as_printed"));
    one.row.subject = "library: birrell2024.thm_c_9_as_printed";
    return one;
}

}  // namespace

std::vector<Control> published_controls() {
    const Space wang{{order_dimension(2.0, 32.0),
                      noise_dimension("sigma", 1.0, 20.0),
                      {"q", Scale::logarithmic, 1e-3, 0.3, false, {0.01}}},
                     {}};
    const Space batches{
        {order_dimension(1.1, 64.0), noise_dimension("sigma", 0.5, 10.0),
         count_dimension("B", 1, 200, {2, 120}), count_dimension("D", 2, 1e5, {50000})},
        [](const Point& p) { return p["B"] < p["D"]; }};
    const Space fractional{{order_dimension(1.5, 5.0), noise_dimension("s", 0.7, 2.0),
                            linear_dimension("q", 0.1, 0.5, {0.3})},
                           {}};
    const Space any_order{{order_dimension(1.1, 1000.0),
                           noise_dimension("s", 4.0, 10.0),
                           {"q", Scale::logarithmic, 0.001, 0.2, false, {0.01, 0.1}}},
                          {}};
    const Against variance{"definition: variance without replacement",
                           [](const Point& p, long bits) {
                               return variance_without_replacement(gradients(p), p.integer("B"),
                                                                   bits);
                           },
                           Relation::encloses};
    return {
        theorem_c_9(),
        control(
            "wang_interpolates_from_the_ceiling",
            "the ceiling of alpha for its floor in wang2019's interpolation, birrell2024 (130)",
            encloses("wang2019.upper", Method::formula), wang,
            [](const Point& p) {
                return wang_between(p, static_cast<long>(std::ceil(p["alpha"])));
            },
            [](const Point& p) {
                return wang_between(p, static_cast<long>(std::floor(p["alpha"])));
            }),
        control(
            "fractional_series_without_signs",
            "mironov2019's series for fractional alpha with |C(alpha,k)| for C(alpha,k)",
            encloses("exact.poisson_add_remove", Method::trapezoid), fractional,
            [](const Point& p) { return fractional_series(p, false); },
            [](const Point& p) { return fractional_series(p, true); }),
        control(
            "theorem_11_without_conditions",
            "mironov2019 Theorem 11 at orders that its conditions (4) and (5) exclude",
            bounds("exact.poisson_add_remove", Method::trapezoid), any_order,
            [](const Point& p) {
                const long double q = p["q"];
                const long double s = p["s"];
                return near(2.0L * q * q * p["alpha"] / (s * s));
            },
            // Without conditions: the unsampled Gaussian.
            [](const Point& p) {
                const long double s = p["s"];
                return near(p["alpha"] / (2.0L * s * s));
            }),
        control(
            "equation_120_without_logarithm", "|D| for log |D| in birrell2024 (120)",
            encloses("birrell2024.eq_120", Method::formula), batches,
            [](const Point& p) { return equation_120(p, p["D"]); },
            [](const Point& p) {
                return equation_120(p, std::log(static_cast<long double>(p["D"])));
            }),
        control(
            "subset_variance_divides_by_d",
            "1/|D| for 1/(|D|-1) in the variance without replacement, birrell2024 (144)", variance,
            four_records(), [](const Point& p) { return subset_variance(p, records); },
            [](const Point& p) { return subset_variance(p, records - 1); }),
    };
}

}  // namespace assay::verify
