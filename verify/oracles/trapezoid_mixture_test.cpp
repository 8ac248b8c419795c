#include "verify/oracles/trapezoid_mixture.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

namespace assay::verify::trapezoid {

namespace {

constexpr long mixture_bits = 200;

Interval number(double x) {
    return Interval(x, mixture_bits);
}

// Literally, every term.
Interval literal(long count, const Interval& p, const Interval& c, const Interval& z,
                 bool first_moment) {
    Interval sum = number(0.0);
    Interval binomial = number(1.0);
    for (long n = 0; n <= count; ++n) {
        const Interval index = Interval::integer(n, mixture_bits);
        const Interval term = binomial * power(p, n) * power(1.0 - p, count - n) *
                              exp(index * c * z - square(index * c) / 2.0);
        sum += first_moment ? term * index * c : term;
        binomial = binomial * Interval::integer(count - n, mixture_bits) / (index + 1.0);
    }
    return sum;
}

}  // namespace

TEST_CASE("shift mixture equals the whole sum wherever its terms peak", "[oracles]") {
    for (const long count : {1L, 2L, 60L})
        for (const double shift : {0.01, 0.5, 3.0})
            for (const double z : {-9.0, 0.3, 7.0, 150.0}) {
                const Interval p = 1.0 / number(7.0);
                const Interval c = number(shift);
                const ShiftMixture v(count, p, c);
                const Interval exact = literal(count, p, c, number(z), false);
                const Interval found = v.at_exponential(exp(c * z));
                CAPTURE(count, shift, z);
                CHECK(overlap(found, exact));
                CHECK(found.relative_width() < 1e-50);
                const Interval slope = literal(count, p, c, number(z), true) / exact;
                const Interval enclosed = v.log_slope(number(z), v.log_at(number(z)));
                CHECK(overlap(slope, enclosed));
                CHECK(std::abs(enclosed.upper_double() - enclosed.lower_double()) < 1e-6);
            }
}

TEST_CASE("shift mixture of count 0 is 1", "[oracles]") {
    const ShiftMixture one(0, number(0.0), number(0.0));
    CHECK(one.log_at(number(3.0)).is_zero());
    CHECK(one.steepest() == 0.0);
    CHECK(one.sector_power() == 0.0);
}

TEST_CASE("shift mixture keeps its sector power in the complex plane", "[oracles]") {
    // |V(x+iy)| >= cos(cy/2)^k V(x), summed in double precision at moderate terms.
    for (const long count : {1L, 8L, 40L})
        for (const double c : {0.05, 0.7, 2.0})
            for (const double p : {0.02, 0.5}) {
                const ShiftMixture v(count, number(p), number(c));
                const double k = v.sector_power();
                CHECK(k <= static_cast<double>(count));
                double smallest = 1.0;
                for (double x = -3.0; x < c * 45; x += c / 3)
                    for (const double angle : {0.5, 1.5, 2.5}) {
                        std::complex<double> value = 0.0;
                        double real = 0.0;
                        for (long n = 0; n <= count; ++n) {
                            const double m = static_cast<double>(n);
                            const double b = static_cast<double>(count);
                            const double size =
                                std::exp(std::lgamma(b + 1) - std::lgamma(m + 1) -
                                         std::lgamma(b - m + 1) + m * std::log(p) +
                                         (b - m) * std::log(1 - p) + m * c * x - m * m * c * c / 2);
                            value += size * std::polar(1.0, m * angle);
                            real += size;
                        }
                        smallest = std::min(
                            smallest, std::abs(value) / real / std::pow(std::cos(angle / 2), k));
                    }
                CAPTURE(count, c, p, k);
                CHECK(smallest >= 1 - 1e-9);
            }
    const ShiftMixture large(10000, number(1e-3), number(4.0));
    CHECK(large.sector_power() < 9.0);
}

}  // namespace assay::verify::trapezoid
