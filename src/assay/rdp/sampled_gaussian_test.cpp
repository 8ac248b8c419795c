#include "assay/rdp/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Wide removed_shift(double s) {
    return 1 / Wide(s);
}

bool overlap(const Enclosure& a, const Enclosure& b) {
    return a.lower <= b.upper && b.lower <= a.upper;
}

}  // namespace

TEST_CASE("Poisson sampling at independent 30-digit values", "[sampled_gaussian]") {
    struct Case {
        double order, s, q;
        const char* removal;
        const char* addition;
    };
    for (const Case& p : {Case{1.5, 3, 0.0024, "0.000000507608022465380037904913089556",
                               "0.000000507311589724074699055005212858"},
                          Case{2, 1, 0.01, "0.000171813422074547930990657278983",
                               "0.000160222649818553615160221650209"},
                          Case{32.5, 1, 0.001, "9.12295090265899862826460595139",
                               "0.0000257760677046420141430250378764"},
                          Case{8, 0.5, 0.05, "12.5763059730961672763431466597",
                               "0.0284858546179354100893691614744"},
                          Case{4.5, 50, 0.0001, "9.00180114039618679167871236357e-12",
                               "9.00179825914841759096690171512e-12"}}) {
        CAPTURE(p.order, p.s, p.q);
        CHECK_THAT(poisson_add_remove_rdp(p.order, p.s, p.q), encloses_printed(p.removal));
        CHECK_THAT(poisson_addition_rdp(p.order, p.s, p.q), encloses_printed(p.addition));
    }
    struct Replace {
        double order, sigma, q;
        const char* value;
    };
    for (const Replace& p : {Replace{1.5, 6, 0.0024, "0.000000480028908566181351559225742940"},
                             Replace{10.9, 6, 0.0024, "0.00000348821236175477671447292448270"},
                             Replace{60.5, 20, 0.2, "0.0121021468144084287281681497065"},
                             Replace{60.5, 20, 0.3, "0.0272313191479624265951490291242"},
                             Replace{4, 1, 0.3, "0.934109365285172404867120647545"}}) {
        CAPTURE(p.order, p.sigma, p.q);
        CHECK_THAT(poisson_replace_one_rdp(p.order, p.sigma, p.q), encloses_printed(p.value));
    }
}

TEST_CASE("all three pairs against the unreduced integral", "[sampled_gaussian]") {
    Random random(171);
    CAPTURE(random.seed());
    for (int i = 0; i < 15 * effort(); ++i) {
        const double q =
            i % 4 == 0 ? 1.0 - random.log_uniform(1e-9, 0.5) : random.log_uniform(1e-7, 1.0);
        const double s = random.log_uniform(0.4, 300.0);
        const double order = 1.0 + random.log_uniform(1e-4, std::min(40.0, 15.0 * s));
        CAPTURE(q, s, order);
        const Wide a(order);
        REQUIRE_THAT(poisson_add_remove_rdp(order, s, q),
                     Encloses(divergence(pair_moment(a, q, removed_shift(s), 0), a)));
        REQUIRE_THAT(poisson_addition_rdp(order, s, q),
                     Encloses(divergence(pair_moment(a, q, 0, -removed_shift(s)), a)));
        REQUIRE_THAT(
            poisson_replace_one_rdp(order, s, q),
            Encloses(divergence(pair_moment(a, q, removed_shift(s), -removed_shift(s)), a)));
    }
}

TEST_CASE("integer sum = series = quadrature", "[sampled_gaussian]") {
    for (const int order : {2, 3, 8, 40, 300})
        for (const double s : {0.3, 1.0, 4.0, 1e3})
            for (const double q : {1e-9, 0.004, 0.5, 1.0 - 1e-9}) {
                CAPTURE(order, s, q);
                const Wide truth = divergence(integer_moment(order, q, removed_shift(s)), order);
                const Enclosure sum = poisson_integer_order_rdp(order, s, q);
                CHECK_THAT(sum, Encloses(truth));
                CHECK_THAT(poisson_add_remove_rdp(order, s, q), Encloses(truth));
                const Enclosure series = poisson_fractional_series_rdp(order, s, q);
                CHECK(Wide(series.lower) <= truth);
                CHECK(truth <= Wide(series.upper));
            }
}

TEST_CASE("the series in erfc at fractional orders", "[sampled_gaussian]") {
    // Tight where A - 1 is not tiny; sound everywhere.
    CHECK_THAT(poisson_fractional_series_rdp(10.9, 2, 0.3),
               encloses_printed("0.305769316698597164022845308097"));
    CHECK_THAT(poisson_fractional_series_rdp(1.5, 3, 0.0024),
               encloses_printed("0.000000507608022465380037904913089556", 1e-9));
    Random random(172);
    CAPTURE(random.seed());
    for (int i = 0; i < 40 * effort(); ++i) {
        const double q = random.log_uniform(1e-6, 0.99);
        const double s = random.log_uniform(0.5, 100.0);
        const double order = 1.0 + random.log_uniform(1e-6, 60.0);
        CAPTURE(q, s, order);
        const Enclosure series = poisson_fractional_series_rdp(order, s, q);
        const Enclosure exact = poisson_add_remove_rdp(order, s, q);
        REQUIRE(series.lower <= series.upper);
        REQUIRE(overlap(series, exact));
        const bool sizeable = exact.lower * (order - 1.0) > 1e-3 && exact.lower * order < 30.0;
        if (sizeable && q < 0.4 && order > 5.0) CHECK(series.relative_width() < 1e-7);
    }
    for (const double order : {1.0 + 1e-12, 9999.5})
        for (const double s : {0.05, 1e4})
            for (const double q : {1e-9, 1.0 - 1e-9}) {
                CAPTURE(order, s, q);
                CHECK(overlap(poisson_fractional_series_rdp(order, s, q),
                              poisson_add_remove_rdp(order, s, q)));
            }
}

TEST_CASE("removal is the worse direction, and the unsampled Gaussian worse still",
          "[sampled_gaussian]") {
    for (const double s : {0.05, 0.5, 2.0, 1e4})
        for (const double q : {1e-9, 0.01, 0.5, 1.0 - 1e-9})
            for (const double order : {1.0 + 1e-12, 1.0000001, 2.5, 100.0, 9999.5}) {
                CAPTURE(s, q, order);
                const Enclosure removal = poisson_add_remove_rdp(order, s, q);
                const Enclosure addition = poisson_addition_rdp(order, s, q);
                const Enclosure replace = poisson_replace_one_rdp(order, s, q);
                const Wide one = Wide(order) / (2 * Wide(s) * Wide(s));
                for (const Enclosure& e : {removal, addition, replace}) {
                    CHECK(e.lower > 0.0);
                    CHECK(e.relative_width() <= 1e-11);
                }
                CHECK(addition.lower <= removal.upper);
                CHECK(Wide(removal.lower) <= one);
                CHECK(Wide(replace.lower) <= 4 * one);
                CHECK(removal.lower <= replace.upper);  // replace-one contains zero-out
                // docs/proofs.md, Proposition 7: D <= -log(1-q) + a/(2 s^2).
                CHECK(Wide(replace.lower) <= one - log1p(-Wide(q)));
            }
}

TEST_CASE("sigma = 0.05 in closed form for every pair", "[sampled_gaussian]") {
    // s = 0.05: shifts of 20, components apart by e^{-50} (e^{-200} for the antiparallel ones).
    for (const double order : {1.0000001, 2.5, 9999.5})
        for (const double q : {1e-9, 0.5}) {
            CAPTURE(order, q);
            const Wide a(order);
            const Wide rate = a * (a - 1) * removed_shift(0.05) * removed_shift(0.05) / 2;
            const Wide stay = log1p(-Wide(q));
            const Wide hit = log(Wide(q));
            const auto join = [](const Wide& x, const Wide& y) -> Wide {
                return x > y ? x + log1p(exp(y - x)) : y + log1p(exp(x - y));
            };
            CHECK_THAT(poisson_add_remove_rdp(order, 0.05, q),
                       Encloses(join(a * stay, a * hit + rate) / (a - 1), 1e-11, 1e-12));
            // P keeps its two components; Q is 1-q there: F = (1-q) + q^a (1-q)^{1-a} e^rate.
            CHECK_THAT(
                poisson_replace_one_rdp(order, 0.05, q),
                Encloses(join(stay, a * hit + (1 - a) * stay + rate) / (a - 1), 1e-11, 1e-12));
        }
}

TEST_CASE("q = 1 and q = 0", "[sampled_gaussian]") {
    for (const double order : {1.0 + 1e-12, 3.0, 1e4})
        for (const double s : {0.05, 1.0, 1e4}) {
            CAPTURE(order, s);
            const Wide one = Wide(order) / (2 * Wide(s) * Wide(s));
            CHECK_THAT(poisson_add_remove_rdp(order, s, 1.0), Encloses(one));
            CHECK(poisson_add_remove_rdp(order, s, 0.0) == exactly(0.0));
            CHECK(poisson_addition_rdp(order, s, 0.0) == exactly(0.0));
            CHECK(poisson_replace_one_rdp(order, s, 0.0) == exactly(0.0));
            CHECK(poisson_fractional_series_rdp(order, s, 0.0) == exactly(0.0));
        }
    CHECK_THAT(poisson_integer_order_rdp(5, 2.0, 1.0), Encloses(Wide(5) / 8));
    CHECK_THAT(poisson_fractional_series_rdp(5.5, 2.0, 1.0), Encloses(Wide(5.5) / 8));
    CHECK(poisson_integer_order_rdp(5, 2.0, 0.0) == exactly(0.0));
}

TEST_CASE("q = 1 is symmetric, and an exchange doubles the shift", "[sampled_gaussian]") {
    for (const double order : {1.0 + 1e-12, 3.0, 1e4})
        for (const double s : {0.05, 1.0, 1e4}) {
            CAPTURE(order, s);
            const Wide one = Wide(order) / (2 * Wide(s) * Wide(s));
            CHECK_THAT(poisson_addition_rdp(order, s, 1.0), Encloses(one));
            CHECK_THAT(poisson_replace_one_rdp(order, s, 1.0), Encloses(4 * one));
        }
}

TEST_CASE("large integer orders", "[sampled_gaussian]") {
    for (const double s : {0.05, 5.0, 1e4})
        for (const double q : {1e-9, 0.01}) {
            CAPTURE(s, q);
            const Enclosure sum = poisson_integer_order_rdp(10000, s, q);
            CHECK(overlap(sum, poisson_add_remove_rdp(10000, s, q)));
            CHECK(sum.relative_width() <= 1e-11);
        }
}

TEST_CASE("sampled gaussian: more order, more sampling, less noise: more divergence",
          "[sampled_gaussian]") {
    Random random(173);
    CAPTURE(random.seed());
    for (int i = 0; i < 40 * effort(); ++i) {
        const double s = random.log_uniform(0.1, 1e3);
        const double q = random.log_uniform(1e-8, 0.9);
        const double order = 1.0 + random.log_uniform(1e-3, 1e3);
        CAPTURE(s, q, order);
        for (const auto& rdp :
             {poisson_add_remove_rdp, poisson_replace_one_rdp, poisson_addition_rdp}) {
            const double here = rdp(order, s, q).upper;
            CHECK(here < rdp(order, s, 1.001 * q).lower);
            CHECK(here <= rdp(1.0 + 1.01 * (order - 1.0), s, q).upper * (1.0 + 1e-11));
            CHECK(here <= rdp(order, 0.999 * s, q).upper * (1.0 + 1e-11));
        }
    }
}

TEST_CASE("sampled gaussian: bad parameters are refused by name", "[sampled_gaussian]") {
    const double nan = std::nan("");
    const auto each = [&](const auto& call, const std::string& noise) {
        for (const double order : {1.0, 0.5, -3.0, nan, infinity})
            CHECK(refused([&] { return call(order, 6.0, 0.1); }) == "alpha");
        for (const double s : {0.0, -1.0, nan, infinity})
            CHECK(refused([&] { return call(2.0, s, 0.1); }) == noise);
        for (const double q : {-0.1, 1.1, nan, infinity})
            CHECK(refused([&] { return call(2.0, 6.0, q); }) == "q");
    };
    each([](double a, double s, double q) { return poisson_add_remove_rdp(a, s, q); }, "s");
    each([](double a, double s, double q) { return poisson_addition_rdp(a, s, q); }, "s");
    each([](double a, double s, double q) { return poisson_replace_one_rdp(a, s, q); }, "sigma");
    each([](double a, double s, double q) { return poisson_fractional_series_rdp(a, s, q); }, "s");
    for (const int order : {1, 0, -5})
        CHECK(refused([&] { return poisson_integer_order_rdp(order, 6.0, 0.1); }) == "alpha");
    CHECK(refused([&] { return poisson_integer_order_rdp(2, 0.0, 0.1); }) == "s");
    CHECK(refused([&] { return poisson_integer_order_rdp(2, 6.0, nan); }) == "q");
}
