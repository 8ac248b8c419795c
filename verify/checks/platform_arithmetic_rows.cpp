#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "verify/checks/argument_block.hpp"
#include "verify/checks/platform_parts.hpp"
#include "verify/oracles/ulp_error.hpp"

// IEEE arithmetic: the nearest number of the format, subnormal ones included.

namespace assay::verify {

namespace {

constexpr int arithmetic_block = 2000;
constexpr long exact_bits = 320;

template <class Real>
struct Operation {
    const char* name;
    Real (*computed)(Real, Real);
    int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};

template <class Real>
std::array<Operation<Real>, 5> operations() {
    return {{{"sum", [](Real x, Real y) { return x + y; }, mpfr_add},
             {"difference", [](Real x, Real y) { return x - y; }, mpfr_sub},
             {"product", [](Real x, Real y) { return x * y; }, mpfr_mul},
             {"quotient", [](Real x, Real y) { return x / y; }, mpfr_div},
             {"root", [](Real x, Real) { return std::sqrt(std::fabs(x)); },
              [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr, mpfr_rnd_t) {
                  mpfr_abs(result, x, MPFR_RNDN);
                  return mpfr_sqrt(result, result, MPFR_RNDN);
              }}}};
}

/// Operands whose products and quotients leave the format at both ends.
template <class Real>
ArgumentRange operands() {
    const int half = std::numeric_limits<Real>::max_exponent / 2 + 30;
    const real largest = std::ldexp(1.0L, half);
    return {-largest, largest, std::ldexp(1.0L, -half), {}};
}

/// In half units, so that the bound is 1 for the nearest number.
template <class Real>
double worst_error(const Point& p, const char* name) {
    static const std::array<Operation<Real>, 5> all = operations<Real>();
    const ArgumentRange range = operands<Real>();
    Draws draws = argument_draws(p, name);
    WideNumber exact(exact_bits);
    double worst = 0.0;
    for (int i = 0; i < arithmetic_block; ++i) {
        const auto x = static_cast<Real>(draw_argument(range, draws));
        auto y = static_cast<Real>(draw_argument(range, draws));
        // Sums of numbers of like size, or the smaller one is rounded away.
        if (i % 2 == 0) y = x * static_cast<Real>(4.0 * draws.uniform() - 2.0);
        const Operation<Real>& operation = all[draws.below(all.size())];
        operation.exact(exact, WideNumber(x, extended_bits), WideNumber(y, extended_bits),
                        MPFR_RNDN);
        worst = std::max(worst, 2.0 * error_in_ulp(operation.computed(x, y), exact));
    }
    return worst;
}

template <class Real>
Check row_of(const char* name, const char* precision) {
    return platform_row(
        fmt::format("{}.nearest", name),
        fmt::format("sums, products, quotients and square roots in {} precision are the nearest "
                    "numbers (IEEE 754)",
                    precision),
        "half ulp", 4, 500, 1.0, [name](const Point& p) { return worst_error<Real>(p, name); });
}

}  // namespace

std::vector<Check> platform_arithmetic_rows() {
    return {row_of<real>("arithmetic", "extended"), row_of<double>("arithmetic_double", "double")};
}

}  // namespace assay::verify
