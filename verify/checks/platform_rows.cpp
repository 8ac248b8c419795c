#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "verify/checks/argument_block.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/platform_parts.hpp"
#include "verify/oracles/ulp_error.hpp"
#include "verify/rows.hpp"

// What docs/error_bounds.md#conventions takes for granted of the platform's mathematical functions,
// over the ranges in which the library calls them.

namespace assay::verify {

namespace {

constexpr int block = 2000;

using Exact = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/// A function of the C library in the precision of Real, and the error that the budgets allow it.
template <class Real>
struct TrustedFunction {
    const char* name;
    int ulp;
    Real (*computed)(Real);
    Exact exact;
    ArgumentRange range;
    int full_points = 300;
};

constexpr real pi = std::numbers::pi_v<real>;
constexpr real root_half = std::numbers::sqrt2_v<real> / 2.0L;

/// Worst error of a block of arguments.
template <class Real>
double worst_error(const TrustedFunction<Real>& f, const Point& p) {
    Draws draws = argument_draws(p, f.name);
    WideNumber exact(128);
    WideNumber argument(std::numeric_limits<Real>::digits);
    double worst = 0.0;
    for (int i = 0; i < block; ++i) {
        const auto x = static_cast<Real>(draw_argument(f.range, draws));
        mpfr_set_ld(argument, x, MPFR_RNDN);
        f.exact(exact, argument, MPFR_RNDN);
        worst = std::max(worst, error_in_ulp(f.computed(x), exact));
    }
    return worst;
}

template <class Real>
Check row_of(const TrustedFunction<Real>& f, const char* precision) {
    return platform_row(
        fmt::format("{}.within_{}_ulp", f.name, f.ulp),
        fmt::format("the C library's {} in {} precision is within {} ulp (error_bounds.md, "
                    "Conventions)",
                    f.name, precision, f.ulp),
        "ulp", 2, f.full_points, f.ulp, [f](const Point& p) { return worst_error(f, p); });
}

// The ends are where the result leaves the numbers of the format.
std::vector<TrustedFunction<real>> extended_functions() {
    using std::numbers::ln2_v;
    constexpr real largest = std::numeric_limits<real>::max();
    constexpr real least = std::numeric_limits<real>::denorm_min();
    const ArgumentRange exponents{-11'400.0L,
                                  11'357.0L,
                                  1e-25L,
                                  {0.0L, 0.5L * ln2_v<real>, 1.0L, -44.0L, 11'356.5L, -11'355.0L}};
    const ArgumentRange positive{least, largest, least, {1.0L, root_half, 2.0L * root_half, 2.0L}};
    const ArgumentRange angles{-pi, pi, 1e-25L, {0.5L * pi, pi, 0.25L * pi, 0.75L * pi}};
    return {
        {"exp", 8, std::exp, mpfr_exp, exponents},
        {"expm1", 8, std::expm1, mpfr_expm1, exponents},
        {"exp2", 2, std::exp2, mpfr_exp2, {-1000.0L, 1000.0L, 1e-25L, {0.0L, 0.5L, -1.0L, 10.0L}}},
        {"log", 8, std::log, mpfr_log, positive},
        {"log2", 2, std::log2, mpfr_log2, {1e-20L, 4.0L, 1e-20L, {1.0L, root_half, 2.0L}}},
        {"log1p",
         8,
         std::log1p,
         mpfr_log1p,
         {-1.0L + 0x1p-64L, largest, least, {-1.0L, root_half - 1.0L, -0.25L, 1.0L}}},
        {"sinh", 8, std::sinh, mpfr_sinh, {-500.0L, 500.0L, 1e-25L, {0.0L, 0.25L, 1.0L, 22.0L}}},
        {"asinh", 8, std::asinh, mpfr_asinh, {0.0L, 1e18L, least, {1.0L, 0.125L, 0x1p34L}}},
        {"sin", 8, std::sin, mpfr_sin, angles},
        {"cos", 8, std::cos, mpfr_cos, angles},
        {"erfc",
         8,
         std::erfc,
         mpfr_erfc,
         {-12.0L, 106.5L, 1e-25L, {0.0L, 0.84375L, 1.25L, 1.0L / 0.35L, 6.66L, 106.3L}},
         60},
        {"lgamma",
         8,
         [](real x) { return std::lgamma(x); },
         mpfr_lngamma,
         {1.0L, 0x1p53L, 1.0L, {1.0L, 2.0L, 3.0L, 7.0L, 8.0L, 0x1p32L}, true},
         60},
    };
}

std::vector<TrustedFunction<double>> double_functions() {
    const ArgumentRange exponents{
        -746.0L, 710.0L, 1e-25L, {0.0L, 0.35L, 1.0L, -37.0L, 709.7L, -708.4L}};
    const ArgumentRange positive{0x1p-1074L, 0x1p1023L, 0x1p-1074L, {1.0L, root_half, 2.0L}};
    return {
        {"exp_double", 1, std::exp, mpfr_exp, exponents},
        {"expm1_double", 1, std::expm1, mpfr_expm1, exponents},
        {"log_double", 1, std::log, mpfr_log, positive},
        {"log1p_double",
         1,
         std::log1p,
         mpfr_log1p,
         {-1.0L + 0x1p-53L, 0x1p1023L, 0x1p-1074L, {-1.0L, root_half - 1.0L, -0.25L, 1.0L}}},
        {"erfc_double",
         8,
         std::erfc,
         mpfr_erfc,
         {-6.0L, 27.3L, 1e-25L, {0.0L, 0.84375L, 1.25L, 1.0L / 0.35L, 6.0L, 26.5L}},
         100},
    };
}

}  // namespace

std::vector<Check> platform_rows() {
    std::vector<Check> rows;
    for (const TrustedFunction<real>& f : extended_functions())
        rows.push_back(row_of(f, "extended"));
    for (const TrustedFunction<double>& f : double_functions()) rows.push_back(row_of(f, "double"));
    for (const auto& more : {platform_arithmetic_rows, platform_boost_rows, platform_digits_rows})
        for (Check& row : more()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
