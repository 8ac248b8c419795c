#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "verify/checks/argument_block.hpp"
#include "verify/checks/platform_parts.hpp"
#include "verify/oracles/ulp_error.hpp"

// Boost's functions of numbers with 50 and 100 digits, where the closed form of deterministic
// batches and the rare draws of a binomial distribution need them.

namespace assay::verify {

namespace {

using boost::multiprecision::cpp_bin_float;
template <unsigned Digits>
using Decimals =
    boost::multiprecision::number<cpp_bin_float<Digits>, boost::multiprecision::et_off>;

constexpr long bits = 448;

template <class Number>
void assign(mpfr_ptr result, const Number& x) {
    constexpr int piece_bits = 60;
    int exponent = 0;
    Number rest = frexp(x, &exponent);
    mpfr_set_zero(result, 1);
    for (int shift = -exponent; rest != 0; shift += piece_bits) {
        rest = ldexp(rest, piece_bits);
        const Number whole = trunc(rest);
        rest -= whole;
        WideNumber piece(static_cast<long double>(whole), 64);
        mpfr_mul_2si(piece, piece, -(shift + piece_bits), MPFR_RNDN);
        mpfr_add(result, result, piece, MPFR_RNDN);
    }
}

template <class Number>
struct Trusted {
    const char* name;
    Number (*computed)(const Number&);
    int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
    ArgumentRange range;
    int block;
};

/// Worst relative error, in units of 2^-budget_bits.
template <class Number>
double worst_error(const Trusted<Number>& f, int budget_bits, const Point& p) {
    Draws draws = argument_draws(p, f.name);
    WideNumber exact(bits);
    WideNumber computed(bits);
    double worst = 0.0;
    for (int i = 0; i < f.block; ++i) {
        const real x = draw_argument(f.range, draws);
        f.exact(exact, WideNumber(x, extended_bits), MPFR_RNDN);
        assign(computed, f.computed(Number(x)));
        worst = std::max(worst, relative_error(computed, exact));
    }
    return std::ldexp(worst, budget_bits);
}

template <class Number>
Check row_of(const Trusted<Number>& f, int digits, int budget_bits) {
    return platform_row(
        fmt::format("{}.within_2^-{}", f.name, budget_bits),
        fmt::format("Boost's function of numbers with {} digits is within 2^-{} (error_bounds.md, "
                    "Conventions)",
                    digits, budget_bits),
        fmt::format("2^-{}", budget_bits), 2, 60, 1.0,
        [f, budget_bits](const Point& p) { return worst_error(f, budget_bits, p); });
}

std::vector<Check> rows_of_50_digits() {
    using Number = Decimals<50>;
    constexpr int budget_bits = 131;
    const Trusted<Number> normal_tails{"erfc_50_digits",
                                       [](const Number& x) { return Number(boost::math::erfc(x)); },
                                       mpfr_erfc,
                                       {-29.0L, 7200.0L, 1e-25L, {0.0L, 0.5L, 1.0L, 28.0L, 110.0L}},
                                       60};
    const Trusted<Number> exponentials{"exp_50_digits",
                                       [](const Number& x) { return Number(exp(x)); },
                                       mpfr_exp,
                                       {-5.1e7L, 1e5L, 1e-25L, {0.0L, 1.0L, 700.0L}},
                                       500};
    return {row_of(normal_tails, 50, budget_bits), row_of(exponentials, 50, budget_bits)};
}

std::vector<Check> rows_of_100_digits() {
    using Number = Decimals<100>;
    constexpr int budget_bits = 300;
    constexpr int gamma_bits = 270;
    const Trusted<Number> factorials{
        "lgamma_100_digits",
        [](const Number& x) { return Number(boost::math::lgamma(x)); },
        mpfr_lngamma,
        {3.0L, 0x1p32L, 3.0L, {3.0L, 10.0L, 100.0L, 1000.0L, 1e6L}, true},
        50};
    const Trusted<Number> exponentials{"exp_100_digits",
                                       [](const Number& x) { return Number(exp(x)); },
                                       mpfr_exp,
                                       {-700.0L, 0.0L, 1e-12L, {0.0L, -1.0L}},
                                       200};
    const Trusted<Number> logarithms{"log_100_digits",
                                     [](const Number& x) { return Number(log(x)); },
                                     mpfr_log,
                                     {1e-12L, 1.0L, 1e-12L, {1.0L, 0.5L}},
                                     200};
    return {row_of(factorials, 100, gamma_bits), row_of(exponentials, 100, budget_bits),
            row_of(logarithms, 100, budget_bits)};
}

}  // namespace

std::vector<Check> platform_digits_rows() {
    std::vector<Check> rows = rows_of_50_digits();
    for (Check& row : rows_of_100_digits()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
