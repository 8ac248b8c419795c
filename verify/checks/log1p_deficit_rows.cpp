#include <algorithm>

#include "assay/numeric/special_functions.hpp"
#include "verify/checks/argument_block.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/platform_parts.hpp"
#include "verify/oracles/ulp_error.hpp"
#include "verify/rows.hpp"

// t - log(1+t) on all of its range, where confidence bounds need it.

namespace assay::verify {

namespace {

/// In units of roundoff.
double worst_error(const Point& p) {
    constexpr int block = 2000;
    constexpr long bits = 512;
    const ArgumentRange range{
        -1.0L + 0x1p-63L, 1e300L, 1e-20L, {-1.0L, -0.9497L, -0.5L, 0.0L, 0.94L, 1.0L}};
    Draws draws = argument_draws(p, "log1p_deficit");
    WideNumber exact(bits);
    double worst = 0.0;
    for (int i = 0; i < block; ++i) {
        const real t = draw_argument(range, draws);
        const WideNumber argument(t, extended_bits);
        mpfr_log1p(exact, argument, MPFR_RNDN);
        mpfr_sub(exact, argument, exact, MPFR_RNDN);
        worst = std::max(worst, relative_error(WideNumber(log1p_deficit(t), extended_bits), exact));
    }
    return worst * 0x1p64;
}

}  // namespace

std::vector<Check> log1p_deficit_rows() {
    Check row = limit_row("numeric.log1p_deficit.within_64_roundoffs",
                          "t - log(1+t) is within 64 roundoffs (error_bounds.md, kernel-functions)",
                          "MPFR; 64 roundoffs", {{{"seed", Scale::linear, 0, 1e9, true, {}}}, {}},
                          4, 300, 64.0, worst_error);
    row.subject += ": worst error of a block of arguments, in roundoffs";
    return {row};
}

}  // namespace assay::verify
