#include "assay/monte_carlo/sampling_tables.hpp"

#include <boost/math/special_functions/gamma.hpp>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

// Enough for tables of 33 bits; where `real` has 113, series for large shapes take minutes.
using SixtyFourBits = boost::math::policies::policy<boost::math::policies::digits2<64>>;

TEST_CASE("lognormal table", "[sampling_tables]") {
    Random random(73);
    CAPTURE(random.seed());
    for (const double s : {0.04, 0.1, 0.4, 3.0, 1e4}) {
        CAPTURE(s);
        const TailTable table = lognormal_table(s, 22);
        CHECK(table.relative_error() <= 0x1p-28);
        CHECK(std::fabs(table.at(0.5) / std::exp(-0.5 / (s * s)) - 1.0) <= 0x1p-28);
        CHECK(table.at(-0.5) == table.at(0.5));
        for (int i = 0; i < 2000 * effort(); ++i) {
            // A normal point, its tail rounded to a double, the function in 50 digits.
            const double magnitude = random.log_uniform(1e-30, 0.5);
            const double tail = i % 2 == 0 ? magnitude : -magnitude;
            const double y = table.at(tail);
            if (y < 1e-290) continue;
            // Invert: z = s log y + 1/(2s) has this tail, up to the table's error.
            const Wide z = abs(Wide(s) * log(Wide(y)) + 1 / (2 * Wide(s)));
            const Wide slope = normal_density(z) * s;  // |d tail / d log y|
            const Wide miss = abs(normal_tail_wide(z) - Wide(magnitude));
            REQUIRE(miss <= slope * table.relative_error() * 1.001 + Wide(magnitude) * 1e-15);
        }
    }
    CHECK(refused([] { return lognormal_table(0.03, 22).size(); }) == "noise-multiplier");
    CHECK(refused([] { return lognormal_table(std::nan(""), 22).size(); }) == "noise-multiplier");
}

TEST_CASE("gamma tables", "[sampling_tables]") {
    Random random(79);
    CAPTURE(random.seed());
    for (const double shape : {1.0, 2.0, 10.0, 1000.0, 1e6}) {
        CAPTURE(shape);
        const TailTable table = gamma_table(shape, 12);
        CHECK(table.relative_error() <= 0x1p-32);
        for (int i = 0; i < 300 * effort(); ++i) {
            const double magnitude = random.log_uniform(1e-9, 0.5);
            const double tail = i % 2 == 0 ? magnitude : -magnitude;
            const real x = table.at(tail);
            const real a = shape;
            const real found = tail > 0.0 ? boost::math::gamma_q(a, x, SixtyFourBits())
                                          : boost::math::gamma_p(a, x, SixtyFourBits());
            const real slope = x * boost::math::gamma_p_derivative(a, x, SixtyFourBits());
            REQUIRE(std::fabs(found - magnitude) <=
                    slope * table.relative_error() * 1.001L + magnitude * 1e-13L);
        }
    }
    // Far out by Cornish and Fisher's expansion, whose next term is below 10^-5.
    const double shape = 1e10;
    const TailTable table = gamma_table(shape, 12);
    for (const double z : {-3.0, -1.0, 0.5, 2.0, 3.0}) {
        const double tail =
            z > 0.0 ? 0.5 * std::erfc(z / std::sqrt(2.0)) : -0.5 * std::erfc(-z / std::sqrt(2.0));
        const double root = std::sqrt(shape);
        const double expected =
            shape + z * root + (z * z - 1.0) / 3.0 + (z * z * z - 7.0 * z) / (36.0 * root);
        CHECK(table.at(tail) == Approx(expected).epsilon(0x1p-32));
    }
    for (const double bad : {0.5, 2e10, std::nan("")})
        CHECK(refused([&] { return gamma_table(bad, 12).size(); }) == "shape");
}

TEST_CASE("a sum of exponentials is a gamma variate", "[sampling_tables]") {
    // Means and variances of 10 inversions each against shape 10.
    const TailTable one = gamma_table(1.0, 22);
    const TailTable ten = gamma_table(10.0, 12);
    RandomStream stream(83, Purpose::test, 0);
    const int count = 20'000 * effort();
    double sums[2][2] = {};
    std::vector<double> parts(10);
    for (int i = 0; i < count; ++i) {
        fill_signed_tails(stream, parts);
        one.evaluate(parts);
        double x = -10.0;
        for (const double part : parts) x += part;
        const double y = ten.at(signed_tail(stream)) - 10.0;
        sums[0][0] += x;
        sums[0][1] += x * x;
        sums[1][0] += y;
        sums[1][1] += y * y;
    }
    for (const auto& sum : sums) {
        CHECK(std::fabs(sum[0] / count) < 5.0 * std::sqrt(10.0 / count));
        CHECK(std::fabs(sum[1] / count - 10.0) < 5.0 * std::sqrt(260.0 / count));
    }
}
