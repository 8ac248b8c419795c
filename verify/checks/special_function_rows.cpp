#include <algorithm>
#include <cmath>

#include "assay/numeric/expm1_minus_kernel.hpp"
#include "assay/numeric/normal_quantile.hpp"
#include "assay/numeric/scaled_real.hpp"
#include "assay/numeric/special_functions.hpp"
#include "verify/checks/real_number.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Functions of the numeric layer, held to the errors that their headers admit.

namespace assay::verify {

namespace {

real at(const Point& p, const char* name) {
    return static_cast<real>(p[name]);
}

Interval exact_of(const Point& p, const char* name, long bits) {
    return Interval(p[name], bits);
}

/// A logarithm's own rounding beside the relative error of its argument.
real log_budget(real log_value, real relative) {
    return relative + 4.0L * unit_roundoff * (std::fabs(log_value) + 1.0L);
}

std::vector<Check> normal_rows() {
    const Space far{{{"z",
                      Scale::linear,
                      -8.0,
                      130.0,
                      false,
                      {0.0, 30.0, 37.5, 38.6, 60.0, 99.999, 100.0, 100.001, 110.0, 130.0}}},
                    {}};
    const Space very_far{{{"z", Scale::logarithmic, 100.0, 1e6, false, {100.0, 200.0, 1e4}}}, {}};
    const auto log_tail = [](const Point& p) {
        const real z = at(p, "z");
        const real value = log_normal_tail(z);
        return RealAnswer{value, log_budget(value, (2.0L * z * z + 40.0L) * unit_roundoff)};
    };
    const auto log_tail_truth = [](const Point& p, long bits) {
        return log(normal_cdf(-exact_of(p, "z", bits)));
    };
    return {
        budget_row("numeric.log_normal_tail.encloses_formula",
                   "log P(Z > z) carries the relative error (2 z^2 + 40) u of the tail, from -8 "
                   "to 130 deviations",
                   far, 150, 3000, log_tail, "MPFR: log(erfc(z/sqrt 2)/2)", log_tail_truth),
        budget_row("numeric.log_normal_tail.encloses_formula_beyond",
                   "the same from 100 deviations to 1e6", very_far, 60, 1000, log_tail,
                   "MPFR: log(erfc(z/sqrt 2)/2)", log_tail_truth),
        budget_row(
            "numeric.normal_tail.encloses_formula",
            "P(Z > z) carries the relative error (2 z^2 + 40) u",
            {{linear_dimension("z", -8.0, 37.0, {0.0, 1.0, 30.0})}, {}}, 100, 2000,
            [](const Point& p) {
                const real z = at(p, "z");
                const real value = normal_tail(z);
                return RealAnswer{value, (2.0L * z * z + 40.0L) * unit_roundoff * value};
            },
            "MPFR: erfc(z/sqrt 2)/2",
            [](const Point& p, long bits) { return normal_cdf(-exact_of(p, "z", bits)); }),
        budget_row(
            "numeric.log_normal_cdf.encloses_formula",
            "log P(Z <= z) carries the relative error (3 z^2 + 100) u on both sides",
            {{linear_dimension("z", -120.0, 35.0, {-100.0, -1.0, 0.0, 1.0, 30.0})}, {}}, 100, 2000,
            [](const Point& p) {
                const real z = at(p, "z");
                const real value = log_normal_cdf(z);
                const real relative = (3.0L * z * z + 100.0L) * unit_roundoff;
                return RealAnswer{value, relative * std::fabs(value)};
            },
            "MPFR: log1p(-erfc(z/sqrt 2)/2)",
            [](const Point& p, long bits) {
                const Interval z = exact_of(p, "z", bits);
                return p["z"] < 0.0 ? log(normal_cdf(z)) : log1p(-normal_cdf(-z));
            }),
        budget_row(
            "numeric.normal_upper_quantile.encloses_tail",
            "at the quantile of a tail the tail is met to a relative error of 2^-57 in z",
            {{positive_dimension("tail", 1e-300, 0.49, {1e-300, 1e-20, 0.01, 0.3, 0.49})}, {}}, 100,
            2000,
            [](const Point& p) {
                const real z = normal_upper_quantile(at(p, "tail"));
                // The tail falls by z hazard a relative unit of z; hazard <= z + 1.
                return RealAnswer{std::log(at(p, "tail")), 0x1p-57L * (z * (z + 1.0L) + 1.0L)};
            },
            "MPFR: log of the tail there",
            [](const Point& p, long bits) {
                const real z = normal_upper_quantile(at(p, "tail"));
                const Interval written = log(exact_of(p, "tail", bits));
                const Interval met = log(normal_cdf(-Interval::extended(z, bits)));
                // The answer's own logarithm is rounded: compare the exact ones.
                return met - written + Interval::extended(std::log(at(p, "tail")), bits);
            }),
    };
}

std::vector<Check> difference_rows() {
    const Space around{{{"t", Scale::logarithmic, 1e-12, 30.0, false, {0.25, 0.5, 0.5000001, 1.0}},
                        {"negative", Scale::linear, 0, 1, true, {0, 1}}},
                       {}};
    const auto signed_t = [](const Point& p) { return p["negative"] == 1.0 ? -p["t"] : p["t"]; };
    const Space above_minus_one{
        {{"t", Scale::logarithmic, 1e-9, 30.0, false, {0.2499, 0.25, 0.2501, 0.6, 0.64, 1.7, 1.8}},
         {"negative", Scale::linear, 0, 1, true, {0, 1}}},
        [](const Point& p) { return p["negative"] == 0.0 || p["t"] < 1.0; }};
    return {
        budget_row(
            "numeric.expm1_minus.encloses_formula",
            "e^t - 1 - t has a relative error of at most 80 u", around, 150, 3000,
            [=](const Point& p) {
                const real value = expm1_minus(static_cast<real>(signed_t(p)));
                return RealAnswer{value, 80.0L * unit_roundoff * value};
            },
            "MPFR: expm1(t) - t",
            [=](const Point& p, long bits) {
                const Interval t(signed_t(p), bits + 128);
                return expm1(t) - t;
            }),
        budget_row(
            "numeric.entropy_excess.encloses_formula",
            "(1+x) log(1+x) - x has a relative error of at most 40 u beside that of the "
            "logarithm",
            above_minus_one, 150, 3000,
            [=](const Point& p) {
                const real x = signed_t(p);
                const real log_x = std::log1p(x);
                const real value = entropy_excess(x, log_x);
                return RealAnswer{value,
                                  unit_roundoff * value * (40.0L + 16.0L * std::fabs(log_x))};
            },
            "MPFR: (1+x) log1p(x) - x",
            [=](const Point& p, long bits) {
                const Interval x(signed_t(p), bits + 128);
                return (1.0 + x) * log1p(x) - x;
            }),
        budget_row(
            "numeric.expm1_minus_kernel.encloses_formula",
            "the kernel of a curve errs by at most (3 |t| + 64) 2^-53",
            {{{"t", Scale::logarithmic, 1e-6, 690.0, false, {0.3465, 0.3466, 0.35, 690.0}},
              {"negative", Scale::linear, 0, 1, true, {0, 1}},
              {"rate", Scale::logarithmic, 1e-3, 1e3, false, {1.0}}},
             {}},
            150, 3000,
            [=](const Point& p) {
                const double rate = p["rate"];
                double sum = 0.0;
                add_expm1_minus({&rate, 1}, signed_t(p) / rate, 1.0, {&sum, 1});
                return RealAnswer{sum, (3.0L * at(p, "t") + 64.0L) * 0x1p-53L * sum};
            },
            "MPFR: expm1(t) - t",
            [=](const Point& p, long bits) {
                const Interval t = Interval(p["rate"], bits + 128) * (signed_t(p) / p["rate"]);
                return expm1(t) - t;
            }),
    };
}

std::vector<Check> scaled_rows() {
    const Space two{{linear_dimension("x", -2000.0, 2000.0, {0.0, 24.0, 30.0, 90.0, 2000.0}),
                     linear_dimension("gap", 0.0, 60.0, {0.0, 1.0, 20.0, 31.0, 48.0})},
                    {}};
    return {
        budget_row(
            "numeric.scaled_real.sum",
            "the logarithm of e^x + e^(x - gap) carries the errors of its parts", two, 150, 3000,
            [](const Point& p) {
                const real x = at(p, "x");
                const real y = x - at(p, "gap");
                const real value = (ScaledReal::exp_of(x) + ScaledReal::exp_of(y)).log();
                const real largest = std::max(std::fabs(x), std::fabs(y));
                return RealAnswer{
                    value, unit_roundoff * (4.0L * largest + 3.0L * std::fabs(value) + 48.0L)};
            },
            "MPFR: x + log1p(e^-gap)",
            [](const Point& p, long bits) {
                return exact_of(p, "x", bits + 128) + log1p(exp(-exact_of(p, "gap", bits + 128)));
            }),
        budget_row(
            "numeric.scaled_real.log1p", "log(1 + e^x) has a relative error of 20 u", two, 150,
            3000,
            [](const Point& p) {
                const real x = at(p, "x");
                const real value = ScaledReal::exp_of(x).log1p();
                return RealAnswer{
                    value, unit_roundoff * value * (20.0L + 2.0L * std::fabs(x) + 20.0L) + 1e-300L};
            },
            "MPFR: log1p(e^x)",
            [](const Point& p, long bits) { return log1p(exp(exact_of(p, "x", bits + 128))); }),
    };
}

}  // namespace

std::vector<Check> special_function_rows() {
    return joined({normal_rows, difference_rows, scaled_rows});
}

}  // namespace assay::verify
