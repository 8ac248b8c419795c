#include "verify/oracles/balls_and_bins_order_mean.hpp"

#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <arb_hypgeom.h>

#include <cmath>

#include "verify/oracles/arb_numbers.hpp"

namespace assay::verify {

namespace {

constexpr long largest_count = 200;

struct Order {
    long above;  // k - 1
    long below;  // R - k
};

/// 2 Phi(z) = erfc(-z/sqrt 2).
void twice_normal(arb::Complex& out, const arb::Complex& z, bool negated, long precision) {
    arb::Real root;
    arb_sqrt_ui(root, 2, precision);
    arb::Complex x;
    acb_div_arb(x, z, root, precision);
    if (!negated) acb_neg(x, x);
    acb_hypgeom_erfc(out, x, precision);
}

int integrand(acb_ptr out, const acb_t at, void* data, slong, slong precision) {
    const auto& order = *static_cast<const Order*>(data);
    arb::Complex z;
    acb_set(z, at);
    arb::Complex below;
    twice_normal(below, z, false, precision);
    acb_pow_ui(below, below, static_cast<ulong>(order.below), precision);
    arb::Complex above;
    twice_normal(above, z, true, precision);
    acb_pow_ui(above, above, static_cast<ulong>(order.above), precision);
    arb::Complex bell;
    acb_sqr(bell, z, precision);
    acb_mul_2exp_si(bell, bell, -1);
    acb_neg(bell, bell);
    acb_exp(bell, bell, precision);
    acb_mul(bell, bell, z, precision);
    acb_mul(bell, bell, below, precision);
    acb_mul(out, bell, above, precision);
    return 0;
}

bool few(const Point& point) {
    return point["k"] >= 1 && point["k"] <= point["R"] &&
           point["R"] <= static_cast<double>(largest_count);
}

Interval mean_normal(const Point& point, long bits) {
    return mean_of_normal_order(point.integer("R"), point.integer("k"), bits);
}

}  // namespace

Interval mean_of_normal_order(long R, long k, long bits) {
    if (2 * k == R + 1) return Interval(0.0, bits);  // the median
    const long goal = bits + 8;
    const long precision = goal + 2 * R + 32;
    Order order{k - 1, R - k};
    // R!/((R-k)!(k-1)!) <= R 2^R: beyond b the rest is at most R 2^(R+1) phi(b).
    const double nats = (static_cast<double>(goal + R) + std::log2(R) + 2.0) * std::log(2.0);
    const double end = std::ceil(std::sqrt(2.0 * nats));
    arb::Real factor;
    arb_fac_ui(factor, static_cast<ulong>(R), precision);
    arb::Real part;
    arb_fac_ui(part, static_cast<ulong>(R - k), precision);
    arb_div(factor, factor, part, precision);
    arb_fac_ui(part, static_cast<ulong>(k - 1), precision);
    arb_div(factor, factor, part, precision);
    arb_const_pi(part, precision);
    arb_mul_2exp_si(part, part, 1);
    arb_sqrt(part, part, precision);
    arb_div(factor, factor, part, precision);  // times 1/sqrt(2 pi)

    // The integrand is 2^(R-1) times too large.
    arb_mul_2exp_si(factor, factor, -(R - 1));
    mag_t tolerance;
    mag_init(tolerance);
    arb_get_mag(tolerance, factor);
    mag_inv(tolerance, tolerance);
    mag_mul_2exp_si(tolerance, tolerance, -goal);
    arb::Complex from;
    acb_set_d(from, -end);
    arb::Complex to;
    acb_set_d(to, end);
    arb::Complex integral;
    acb_calc_integrate(integral, integrand, &order, from, to, goal, tolerance, nullptr, precision);
    mag_clear(tolerance);
    arb::Real mean;
    arb_mul(mean, integral.real(), factor, precision);

    arb::Real rest(-end * end / 2.0);  // the factor's R!/.. times 2 phi(b)
    arb_exp(rest, rest, precision);
    arb_mul(rest, rest, factor, precision);
    arb_mul_2exp_si(rest, rest, R);
    arb_add_error(mean, rest);
    return arb::to_interval(mean, bits + 16);
}

std::vector<Oracle> balls_and_bins_order_oracles() {
    return {{"order_statistics.mean_normal", "Arb integral", mean_normal, few}};
}

}  // namespace assay::verify
