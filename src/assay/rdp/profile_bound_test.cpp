#include "assay/rdp/profile_bound.hpp"

#include <cmath>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// E[(W^a + W^{1-a} - W - 1) 1{W > 1}] by the double exponential rule on (c/2, inf): the integrand
/// is literal, the rule another than the library's.
Wide literal(double order, double q, const Wide& c) {
    const Wide a(order);
    const auto g = [&](const Wide& z) -> Wide {
        const Wide w = 1 - Wide(q) + Wide(q) * exp(c * (z - c / 2));
        const Wide log_w = log(w);
        return (exp(a * log_w) + exp((1 - a) * log_w) - w - 1) * normal_density(z);
    };
    // z = c/2 + e^{s - e^{-s}}: double exponential at 0, Gaussian decay on the right.
    const Wide h = Wide(1) / 48;
    Wide sum = 0;
    for (int k = -220; k <= 240; ++k) {
        const Wide s = h * k;
        const Wide e = exp(-s);
        const Wide y = exp(s - e);
        if (y > Wide(30) + (a + 1) * c) break;
        sum += g(c / 2 + y) * y * (1 + e);
    }
    return sum * h;
}

Wide profile(double order, double sigma, double q) {
    return log1p(literal(order, q, 2 / Wide(sigma))) / (Wide(order) - 1);
}

}  // namespace

TEST_CASE("the profile bound at independent 30-digit values", "[profile_bound]") {
    struct Case {
        double order, sigma, q;
        const char* value;
    };
    for (const Case& p : {Case{16, 6, 0.0024, "0.000006829313183029877430847828533"},
                          Case{1.01, 6, 0.0024, "0.0000004310803158002613938859832913"},
                          Case{1.5, 1, 0.01, "0.003836864902593889167746919987"},
                          Case{10.9, 20, 0.3, "0.005201513517382503246825118183"},
                          Case{32.5, 100, 0.00001, "6.605039649539407375675311418e-13"},
                          Case{4, 0.5, 0.001, "22.78965962802381726582635274"},
                          Case{64, 2, 0.01, "27.32173187455178019755074756"}}) {
        CAPTURE(p.order, p.sigma, p.q);
        CHECK_THAT(profile_bound_rdp(p.order, p.sigma, p.q), encloses_printed(p.value));
    }
}

TEST_CASE("the profile bound against its literal integral", "[profile_bound]") {
    for (const double order : {1.0 + 1e-6, 1.3, 12.5})
        for (const double sigma : {0.9, 4.0, 1e3})
            for (const double q : {1e-6, 0.05, 0.95}) {
                if (order > 5.0 && sigma < 1.0) continue;
                CAPTURE(order, sigma, q);
                REQUIRE_THAT(profile_bound_rdp(order, sigma, q),
                             Encloses(profile(order, sigma, q)));
            }
}

TEST_CASE("between H and 1 + 2 (H - 1)", "[profile_bound]") {
    Random random(181);
    CAPTURE(random.seed());
    for (int i = 0; i < 80 * effort(); ++i) {
        const double sigma = random.log_uniform(0.1, 1e3);
        const double q = random.log_uniform(1e-9, 1.0);
        const double order = 1.0 + random.log_uniform(1e-6, 500.0);
        CAPTURE(sigma, q, order);
        const Enclosure profile_value = profile_bound_rdp(order, sigma, q);
        const Enclosure exact = fixed_size_without_replacement_rdp(order, sigma, q);
        REQUIRE(profile_value.relative_width() <= 1e-11);
        REQUIRE(profile_value.upper >= exact.lower);
        // log(1 + 2 (F-1)) with F - 1 = expm1((a-1) D), without overflow.
        const Wide growth = (Wide(order) - 1) * Wide(exact.upper);
        REQUIRE((Wide(order) - 1) * Wide(profile_value.lower) <= growth + log1p(1 - exp(-growth)));
    }
}

TEST_CASE("how far above H: the ratios of docs/proofs.md", "[profile_bound]") {
    const auto ratio = [](double q, double r, double order) -> double {
        const double sigma = 1.0 / r;
        const double above = profile_bound_rdp(order, sigma, q).midpoint() * (order - 1.0);
        const double exact =
            fixed_size_without_replacement_rdp(order, sigma, q).midpoint() * (order - 1.0);
        return std::expm1(above) / std::expm1(exact);
    };
    CHECK(ratio(0.1, 0.5, 1.5) == Approx(1.433).margin(6e-4));
    CHECK(ratio(0.01, 0.3, 20.0) == Approx(1.334).margin(6e-4));
    CHECK(ratio(0.3, 1.0, 3.0) == Approx(1.00004).margin(6e-6));
}

TEST_CASE("profile bound: the corners of the domain", "[profile_bound]") {
    for (const double order : {1.0 + 1e-12, 1.0000001, 2.5, 1000.5, 1e4})
        for (const double sigma : {0.05, 1.0, 1e4})
            for (const double q : {1e-9, 0.3, 1.0 - 1e-9}) {
                if (order > 2000.0 && sigma < 0.1) continue;
                CAPTURE(order, sigma, q);
                const Enclosure e = profile_bound_rdp(order, sigma, q);
                CHECK(e.lower > 0.0);
                CHECK(e.lower <= e.upper);
                CHECK(e.relative_width() <= 1e-11);
            }
    // Far components: the W^a part is H's, the rest is q + (1-q) small numbers.
    const Enclosure far = profile_bound_rdp(2.5, 0.05, 0.5);
    CHECK_THAT(far, Encloses((Wide(2.5) * log(Wide(0.5)) +
                              Wide(2.5) * Wide(1.5) * 2 / (Wide(0.05) * 0.05)) /
                             Wide(1.5)));
}

TEST_CASE("profile bounds of e^(10^10) are as sharp", "[profile_bound]") {
    for (const double order : {5000.5, 9999.5, 1e4})
        for (const double q : {1e-9, 0.3}) {
            // Far components: log F = a log q + a(a-1) c^2/2.
            CAPTURE(order, q);
            const Wide a(order);
            const Wide c = 2 / Wide(0.05);
            CHECK_THAT(profile_bound_rdp(order, 0.05, q),
                       Encloses(a * log(Wide(q)) / (a - 1) + a * c * c / 2));
        }
}

TEST_CASE("q = 0 releases nothing, q = 1 folds the Gaussian", "[profile_bound]") {
    CHECK(profile_bound_rdp(2.0, 1.0, 0.0) == exactly(0.0));
    for (const double order : {1.5, 4.0}) {
        // W = X: E[X^a; z > r] + E[X^{1-a}; z > r] - P(z < r) - P(z > r), r = c/2, completes to the
        // moment e^{a(a-1) c^2/2}.
        const Wide exact = 2 * Wide(order) / Wide(4);
        CHECK_THAT(profile_bound_rdp(order, 2.0, 1.0), Encloses(exact));
    }
}

TEST_CASE("profile bound: bad parameters are refused by name", "[profile_bound]") {
    const double nan = std::nan("");
    const auto refused = [](double order, double sigma, double q) -> std::string {
        try {
            static_cast<void>(profile_bound_rdp(order, sigma, q));
        } catch (const DomainError& error) {
            return error.parameter();
        }
        return "";
    };
    for (const double order : {1.0, 0.5, nan, infinity}) CHECK(refused(order, 1.0, 0.1) == "alpha");
    for (const double sigma : {0.0, -1.0, nan, infinity})
        CHECK(refused(2.0, sigma, 0.1) == "sigma");
    for (const double q : {-0.1, 1.1, nan}) CHECK(refused(2.0, 1.0, q) == "q");
}

TEST_CASE("orders beyond the arithmetic's range: nothing is claimed, and nothing thrown",
          "[profile_bound]") {
    for (const double order : {1e17, 1e19, 1e22, 1e100})
        for (const double sigma : {1e-5, 1.0, 1e12, 1e19}) {
            CAPTURE(order, sigma);
            const Enclosure bound = profile_bound_rdp(order, sigma, 0.2);
            CHECK(bound.lower <= bound.upper);
            // At most that of the whole record, a c^2/2 with c = 2/sigma, and log 2 / (a-1).
            CHECK(bound.lower <= 2.001 * order / (sigma * sigma) + 1e-16);
            CHECK(bound.upper > 0.0);
        }
}
