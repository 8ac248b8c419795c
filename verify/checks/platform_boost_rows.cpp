#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "assay/numeric/normal_quantile.hpp"
#include "verify/checks/argument_block.hpp"
#include "verify/checks/platform_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/ulp_error.hpp"

// Boost's quantiles, by one step of Newton's method in MPFR: the distance to the exact
// number, to a second order that is nothing beside the error itself.

namespace assay::verify {

namespace {

constexpr long boost_bits = 400;
constexpr double unit_40 = 0x1p-40;

/// z + (P(Z > z) - tail)/phi(z): the quantile.
void refine_normal(mpfr_ptr refined, real z, mpfr_srcptr tail) {
    const WideNumber at(z, boost_bits);
    WideNumber excess(boost_bits);
    WideNumber density(boost_bits);
    mpfr_sqr(density, at, MPFR_RNDN);
    mpfr_div_2ui(density, density, 1, MPFR_RNDN);  // z^2/2
    mpfr_sqrt(excess, density, MPFR_RNDN);
    if (z < 0.0L) mpfr_neg(excess, excess, MPFR_RNDN);
    mpfr_erfc(excess, excess, MPFR_RNDN);
    mpfr_div_2ui(excess, excess, 1, MPFR_RNDN);
    mpfr_sub(excess, excess, tail, MPFR_RNDN);
    mpfr_exp(density, density, MPFR_RNDN);
    mpfr_mul(excess, excess, density, MPFR_RNDN);
    mpfr_const_pi(density, MPFR_RNDN);
    mpfr_mul_2ui(density, density, 1, MPFR_RNDN);
    mpfr_sqrt(density, density, MPFR_RNDN);
    mpfr_mul(excess, excess, density, MPFR_RNDN);
    mpfr_add(refined, at, excess, MPFR_RNDN);
}

double worst_normal_quantile(const Point& p) {
    constexpr int block = 200;
    constexpr real least = 1e-4900L;
    const ArgumentRange far{least, 0.5L, least, {0.5L, 0.4L, 0.25L, 0.125L}};
    const ArgumentRange near{0x1p-60L, 1.0L - 0x1p-60L, 0x1p-60L, {0.5L, 0.4L, 0.6L, 0.75L, 1.0L}};
    Draws draws = argument_draws(p, "normal_quantile");
    WideNumber exact(boost_bits);
    double worst = 0.0;
    for (int i = 0; i < block; ++i) {
        const real tail = draw_argument(i % 4 == 0 ? far : near, draws);
        const real z = normal_upper_quantile(tail);
        refine_normal(exact, z, WideNumber(tail, boost_bits));
        worst = std::max(worst, error_in_ulp(z, exact));
    }
    return worst;
}

/// The lower tail P(a, x) of the Gamma distribution of shape a, and x times its density.
struct GammaDistribution {
    WideNumber below{boost_bits};
    WideNumber scaled_density{boost_bits};

    GammaDistribution(real shape, real at) {
        const WideNumber a(shape, boost_bits);
        const WideNumber x(at, boost_bits);
        WideNumber term(1.0L, boost_bits);
        WideNumber index(shape, boost_bits);
        mpfr_set(below, term, MPFR_RNDN);
        // Sum of x^k / ((a+1) .. (a+k)), to where the terms have fallen below 2^-200 of it.
        while (mpfr_cmp(index, x) < 0 || mpfr_cmp_si_2exp(term, 1, -200) > 0) {
            mpfr_add_ui(index, index, 1, MPFR_RNDN);
            mpfr_mul(term, term, x, MPFR_RNDN);
            mpfr_div(term, term, index, MPFR_RNDN);
            mpfr_add(below, below, term, MPFR_RNDN);
        }
        // x^a e^-x / Gamma(a+1)
        mpfr_log(scaled_density, x, MPFR_RNDN);
        mpfr_mul(scaled_density, scaled_density, a, MPFR_RNDN);
        mpfr_sub(scaled_density, scaled_density, x, MPFR_RNDN);
        mpfr_add_ui(term, a, 1, MPFR_RNDN);
        mpfr_lngamma(term, term, MPFR_RNDN);
        mpfr_sub(scaled_density, scaled_density, term, MPFR_RNDN);
        mpfr_exp(scaled_density, scaled_density, MPFR_RNDN);
        mpfr_mul(below, below, scaled_density, MPFR_RNDN);
        mpfr_mul(scaled_density, scaled_density, a, MPFR_RNDN);
    }
};

/// |x - quantile| / x; the tail is the upper one, or less than 0 and minus the lower one.
double quantile_error(const GammaDistribution& distribution, real tail) {
    WideNumber distance(boost_bits);
    mpfr_set_ld(distance, std::fabs(tail), MPFR_RNDN);
    if (tail > 0.0L) mpfr_ui_sub(distance, 1, distance, MPFR_RNDN);
    mpfr_sub(distance, distribution.below, distance, MPFR_RNDN);
    mpfr_div(distance, distance, distribution.scaled_density, MPFR_RNDN);
    return std::fabs(mpfr_get_d(distance, MPFR_RNDA));
}

double density_error(const GammaDistribution& distribution, real shape, real x) {
    WideNumber computed(boost::math::gamma_p_derivative(shape, x), boost_bits);
    mpfr_mul(computed, computed, WideNumber(x, boost_bits), MPFR_RNDN);
    return relative_error(computed, distribution.scaled_density);
}

/// Of both functions, in units of 2^-40. Large shapes take as many terms as some hundred small
/// ones.
double worst_gamma(const Point& p) {
    const real shape = p["shape"];
    const double terms = 100.0 + 17.0 * std::sqrt(p["shape"]);
    const int block = std::clamp(static_cast<int>(1e5 / terms), 1, 100);
    Draws draws = argument_draws(p, "gamma");
    double worst = 0.0;
    for (int i = 0; i < block; ++i) {
        const real size = 0.5L * std::exp(-44.0L * draws.uniform());
        const real tail = draws.uniform() < 0.5 ? size : -size;
        const real x = tail > 0.0L ? boost::math::gamma_q_inv(shape, tail)
                                   : boost::math::gamma_p_inv(shape, -tail);
        const GammaDistribution distribution(shape, x);
        worst = std::max(
            {worst, quantile_error(distribution, tail), density_error(distribution, shape, x)});
    }
    return worst / unit_40;
}

Check gamma_row() {
    Check row = platform_row(
        "gamma_quantile.within_2^-40",
        "Boost's quantiles and densities of Gamma distributions are within 2^-40 (error_bounds.md, "
        "Conventions)",
        "2^-40", 6, 150, 1.0, worst_gamma);
    row.space.dimensions.push_back(count_dimension("shape", 2, 1.1e10, {2, 3, 100, 36'133}));
    return row;
}

}  // namespace

std::vector<Check> platform_boost_rows() {
    return {platform_row("normal_quantile.within_8_ulp",
                         "normal quantiles from Boost's erf_inv and erfc_inv are within 8 ulp "
                         "(error_bounds.md, Conventions)",
                         "ulp", 4, 200, 8.0, worst_normal_quantile),
            gamma_row()};
}

}  // namespace assay::verify
