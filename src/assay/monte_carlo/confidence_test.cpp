#include "assay/monte_carlo/confidence.hpp"

#include <algorithm>

#include "assay/numeric/random_streams.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Wide kl(const Wide& q, const Wide& p) {
    Wide sum = 0;
    if (q > 0) sum += q * log(q / p);
    if (q < 1) sum += (1 - q) * log((1 - q) / (1 - p));
    return sum;
}

/// By bisection on the formula as it stands.
Wide solve(double q, std::int64_t m, double beta, bool above) {
    const Wide level = -log(Wide(beta)) / m;
    Wide inner = q;
    Wide outer = above ? 1 : 0;
    for (int i = 0; i < 160; ++i) {
        const Wide middle = (inner + outer) / 2;
        (kl(Wide(q), middle) < level ? inner : outer) = middle;
    }
    return inner;
}

}  // namespace

TEST_CASE("KL bounds at known values", "[confidence]") {
    CHECK_THAT(kl_upper_confidence(0.0, 200'000, 0.001),
               Encloses(Wide("3.453817993824e-05"), 1e-11, 1e-12));
    CHECK_THAT(kl_upper_confidence(0.01, 10'000, 0.001),
               Encloses(Wide("0.014161243862981"), 1e-11, 1e-13));
    // q = 1: p^m = beta below.
    CHECK_THAT(kl_lower_confidence(1.0, 10, 0.5), Encloses(pow(Wide(0.5), Wide(1) / 10)));
    CHECK(kl_upper_confidence(1.0, 10, 0.5) == exactly(1.0));
    CHECK(kl_lower_confidence(0.0, 10, 0.5) == exactly(0.0));
    // p is above 1 - 10^-30000, which no double is.
    CHECK(kl_upper_confidence(0.999999, 10, 0.5) == Enclosure{1.0 - 0x1p-53, 1.0});
}

TEST_CASE("KL bounds by bisection in 50 digits", "[confidence]") {
    Random random(61);
    CAPTURE(random.seed());
    for (int i = 0; i < 40 * effort(); ++i) {
        const double q =
            i % 3 == 0 ? 1.0 - random.log_uniform(1e-6, 1.0) : random.log_uniform(1e-9, 1.0);
        const auto m = static_cast<std::int64_t>(random.log_uniform(100.0, 1e10));
        const double beta = random.log_uniform(1e-12, 0.9);
        CAPTURE(q, m, beta);
        const Wide above = solve(q, m, beta, true);
        if (1 - above > Wide(1e-14))
            CHECK_THAT(kl_upper_confidence(q, m, beta), Encloses(above, 1e-11, 1e-30));
        const Wide below = solve(q, m, beta, false);
        const Enclosure lower = kl_lower_confidence(q, m, beta);
        CHECK(Wide(lower.lower) <= below);
        CHECK(below <= Wide(lower.upper));
        CHECK(lower.upper - lower.lower <= 1e-15 * q);
    }
}

TEST_CASE("the empirical Bernstein bound", "[confidence]") {
    const Enclosure bound = bernstein_confidence(0.1, 0.01, 1000, 0.05);
    const double level = std::log(2.0 / 0.05);
    const double radius = std::sqrt(2.0 * 0.01 * level / 1000.0) + 7.0 * level / (3.0 * 999.0);
    CHECK(bound.upper == Approx(0.1 + radius).epsilon(1e-14));
    CHECK(bound.lower == Approx(0.1 - radius).epsilon(1e-13));
    CHECK(bernstein_confidence(0.001, 0.0, 100, 0.05).lower == 0.0);
}

TEST_CASE("Bennett bounds by bisection in 50 digits", "[confidence]") {
    Random random(62);
    CAPTURE(random.seed());
    for (int i = 0; i < 60 * effort(); ++i) {
        const double v = random.log_uniform(1e-12, 1.0);
        const double q = i % 4 == 0 ? 0.0 : random.log_uniform(1e-6, 1.0) * std::sqrt(v);
        const auto m = static_cast<std::int64_t>(random.log_uniform(100.0, 1e10));
        const double beta = random.log_uniform(1e-12, 0.9);
        CAPTURE(q, v, m, beta);
        const Wide level = -log(Wide(beta)) / m;
        const Wide cap = sqrt(Wide(v));
        Wide inner = q;
        Wide outer = cap;
        for (int k = 0; k < 160; ++k) {
            const Wide p = (inner + outer) / 2;
            const Wide at = p > v ? kl(q * p / v, p * p / v) : kl(Wide(q), p);
            (at < level ? inner : outer) = p;
        }
        const double upper = bennett_upper_confidence(q, v, m, beta);
        CHECK(Wide(upper) >= inner);
        CHECK(Wide(upper) <=
              (inner < cap * Wide(0.99999) ? inner * (1 + Wide(1e-11)) : cap * 1.00001));
        CHECK(upper <= kl_upper_confidence(q, m, beta).upper);

        // q - t with m v h(t/v) = log(1/beta).
        inner = 0;
        outer = Wide(q) / v;
        for (int k = 0; k < 160; ++k) {
            const Wide t = (inner + outer) / 2;
            (v * ((1 + t) * log(1 + t) - t) < level ? inner : outer) = t;
        }
        const Wide below = q - v * outer;
        const double lower = bennett_lower_confidence(q, v, m, beta);
        CHECK(Wide(lower) <= below);
        CHECK(Wide(lower) >= below - Wide(1e-11) * q);
    }
    // Without a second moment nothing is gained; more than its root is impossible.
    CHECK(bennett_upper_confidence(0.01, 1.0, 10'000, 0.001) ==
          kl_upper_confidence(0.01, 10'000, 0.001).upper);
    CHECK(bennett_upper_confidence(0.5, 1e-4, 10, 0.001) == Approx(0.01).epsilon(1e-12));
    CHECK(bennett_lower_confidence(0.0, 0.5, 10, 0.001) == 0.0);
}

TEST_CASE("the bounds cover", "[confidence]") {
    const std::uint64_t seed = 67;
    CAPTURE(seed);
    // x = u^20 on [0, 1], mean 1/21; each side may fail with probability 0.1.
    const int repetitions = 400 * effort();
    const std::int64_t m = 50;
    const double beta = 0.1;
    int failures[6] = {};
    RandomStream stream(seed, Purpose::test, 0);
    for (int i = 0; i < repetitions; ++i) {
        double first = 0.0;
        double second = 0.0;
        for (int k = 0; k < m; ++k) {
            const double x = std::pow(stream.uniform(), 20.0);
            first += x;
            second += x * x;
        }
        const double mean = first / m;
        const double variance = std::max(0.0, (second - m * mean * mean) / (m - 1.0));
        const Enclosure bernstein = bernstein_confidence(mean, variance, m, beta);
        failures[0] += kl_upper_confidence(mean, m, beta).upper < 1.0 / 21 ? 1 : 0;
        failures[1] += kl_lower_confidence(mean, m, beta).lower > 1.0 / 21 ? 1 : 0;
        failures[2] += bernstein.upper < 1.0 / 21 ? 1 : 0;
        // E x^2 = 1/41.
        const double v = std::nextafter(1.0 / 41.0, 1.0);
        failures[4] += bennett_upper_confidence(mean, v, m, beta) < 1.0 / 21 ? 1 : 0;
        failures[5] += bennett_lower_confidence(mean, v, m, beta) > 1.0 / 21 ? 1 : 0;
        failures[3] += bernstein.lower > 1.0 / 21 ? 1 : 0;
    }
    const double allowed = beta * repetitions + 4.0 * std::sqrt(beta * repetitions);
    for (const int count : failures) CHECK(count <= allowed);
}

TEST_CASE("confidence refuses", "[confidence]") {
    CHECK(refused([] { return kl_upper_confidence(0.5, 0, 0.1); }) == "m");
    CHECK(refused([] { return kl_upper_confidence(1.5, 5, 0.1); }) == "q");
    CHECK(refused([] { return kl_upper_confidence(std::nan(""), 5, 0.1); }) == "q");
    for (const double beta : {0.0, 1.0, -1.0, std::nan("")})
        CHECK(refused([&] { return kl_lower_confidence(0.5, 5, beta); }) == "beta");
    for (const double v : {0.0, 1.5, std::nan("")}) {
        CHECK(refused([&] { return bennett_upper_confidence(0.5, v, 5, 0.1); }) == "v");
        CHECK(refused([&] { return bennett_lower_confidence(0.5, v, 5, 0.1); }) == "v");
    }
    CHECK(refused([] { return bennett_upper_confidence(-0.1, 0.5, 5, 0.1); }) == "q");
    CHECK(refused([] { return bernstein_confidence(0.5, 0.1, 1, 0.1); }) == "m");
    CHECK(shared_error_probability(0.1, 4) <= 0.025);
    CHECK(shared_error_probability(0.1, 4) > 0.02499999);
    CHECK(refused([] { return shared_error_probability(0.1, 0); }) == "statements");
}
