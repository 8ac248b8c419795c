#include "verify/oracles/trapezoid_line.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/trapezoid_line_plan.hpp"

namespace assay::verify::trapezoid {

namespace {

Density mixture(long count, double p, double shift) {
    return [=](long bits) { return ShiftMixture(count, Interval(p, bits), Interval(shift, bits)); };
}

const Density one = mixture(0, 0.0, 0.0);

// E[(1-q+qX_c)^n], by the binomial theorem.
Interval integer_moment(long n, double q, double c, long bits) {
    Interval sum(0.0, bits);
    Interval binomial(1.0, bits);
    const Interval half_square = square(Interval(c, bits)) / 2.0;
    for (long k = 0; k <= n; ++k) {
        const Interval index = Interval::integer(k, bits);
        sum += binomial * power(1.0 - Interval(q, bits), n - k) * power(Interval(q, bits), k) *
               exp(index * (index - 1.0) * half_square);
        binomial = binomial * Interval::integer(n - k, bits) / (index + 1.0);
    }
    return sum;
}

void agrees(const std::optional<Interval>& found, const Interval& exact, double absolute) {
    REQUIRE(found);
    CHECK(overlap(*found, exact));
    CHECK((*found - *found).upper_double() <= absolute);  // its width
}

}  // namespace

TEST_CASE("trapezoid moments equal finite sums at integer orders", "[oracles]") {
    struct Case {
        long order;
        double q, c;
    };
    for (const Case& t : {Case{2, 0.25, 1.0}, Case{16, 0.002, 0.3}, Case{64, 1e-9, 4.0},
                          Case{40, 0.01, 3.0}, Case{2, 0.999, 8.0}, Case{300, 1e-4, 0.05}})
        for (const long bits : {80L, 220L}) {
            CAPTURE(t.order, t.q, t.c, bits);
            const LineMoment moment{static_cast<double>(t.order), mixture(1, t.q, t.c), one};
            const Interval exact = log(integer_moment(t.order, t.q, t.c, 400));
            const std::optional<Interval> found = log_moment(moment, bits);
            agrees(found, exact, std::ldexp(1.0, 2 - static_cast<int>(bits)));
        }
}

TEST_CASE("trapezoid moments of unsampled mechanisms are Gaussian ones", "[oracles]") {
    // q = 1: log F = a(a-1)(u-v)^2/2.
    for (const double order : {1.5, 7.25, 200.0}) {
        const LineMoment moment{order, mixture(1, 1.0, 0.5), mixture(1, 1.0, -1.0)};
        const Interval exact = Interval(order, 300) * (Interval(order, 300) - 1.0) * 1.125;
        agrees(log_moment(moment, 100), exact, 1e-26);
    }
}

TEST_CASE("trapezoid moments of the binomial mixture at order two", "[oracles]") {
    // E[V^2] = sum over n and m of a_n a_m e^{nmc^2}.
    const long count = 12;
    const double p = 0.0625;
    const double c = 0.75;
    const long bits = 300;
    std::vector<Interval> a;
    Interval binomial(1.0, bits);
    for (long n = 0; n <= count; ++n) {
        a.push_back(binomial * power(Interval(p, bits), n) *
                    power(Interval(1 - p, bits), count - n));
        binomial = binomial * Interval::integer(count - n, bits) / Interval::integer(n + 1, bits);
    }
    Interval exact(0.0, bits);
    for (long n = 0; n <= count; ++n)
        for (long m = 0; m <= count; ++m)
            exact += a[static_cast<std::size_t>(n)] * a[static_cast<std::size_t>(m)] *
                     exp(Interval::integer(n * m, bits) * square(Interval(c, bits)));
    agrees(log_moment({2.0, mixture(count, p, c), one}, 120), log(exact), 1e-32);
}

TEST_CASE("trapezoid plan skips the valley between two bumps", "[oracles]") {
    // Bumps near 0 and near 64 * 4, at most about 30 wide each: 64 of step 1/16.
    const LineMoment moment{64.0, mixture(1, 1e-150, 4.0), one};
    const auto plan = plan_line(moment, 0.0625, 70.0);
    REQUIRE(plan);
    CHECK(plan->nodes < 1024);
    const LineMoment near{1.5, mixture(1, 0.01, 0.1), one};
    const auto small = plan_line(near, 0.25, 70.0);
    REQUIRE(small);
    CHECK(small->nodes > 88);
    CHECK(small->omitted.upper_double() < std::exp(-66.0));
}

TEST_CASE("trapezoid plan accounts for the nodes left out", "[oracles]") {
    const LineMoment moment{6.0, mixture(1, 0.01, 1.0), mixture(1, 0.01, -0.5)};
    const double step = 0.25;
    const auto plan = plan_line(moment, step, 1.0);
    REQUIRE(plan);
    const auto value = [&](long k) {
        const Interval z(step * static_cast<double>(k), 200);
        return exp(6.0 * moment.p(200).log_at(z) - 5.0 * moment.q(200).log_at(z) - square(z) / 2.0 -
                   plan->scale);
    };
    Interval all(0.0, 200);
    for (long k = -200; k <= 200; ++k) all += value(k);
    Interval kept(0.0, 200);
    for (const LineCell& cell : plan->kept)
        for (long k = cell.first; k <= cell.last; ++k) kept += value(k);
    CHECK(certainly_below(kept, all));
    CHECK((kept + plan->omitted - all).upper_double() >= 0.0);  // the upper end is the bound
    CHECK((plan->omitted / kept).upper_double() < 0.1);
}

TEST_CASE("trapezoid moments too costly are refused", "[oracles]") {
    CHECK_FALSE(log_moment({1e4, one, mixture(1, 0.5, 4000.0)}, 64));
}

}  // namespace assay::verify::trapezoid
