#include "assay/rdp/fixed_size_without_replacement.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/general_subsampling.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Wide replaced_shift(double sigma) {
    return 2 / Wide(sigma);
}

/// log F/(a-1) where the two components hardly overlap (c = 40): F = (1-q)^a + q^a e^{a(a-1)c^2/2}
/// up to a relative e^{-c^2/8} = 1e-87.
Wide far_apart(double order, double q, const Wide& c) {
    const Wide a(order);
    const Wide stay = a * log1p(-Wide(q));
    const Wide move = a * log(Wide(q)) + a * (a - 1) * c * c / 2;
    const Wide top = stay > move ? stay : move;
    const Wide bottom = stay > move ? move : stay;
    // Near F = 1 both matter: 1 - (1-q)^a - .. is formed from the two exponentials themselves.
    if (top < 1) return log(exp(stay) + exp(move)) / (a - 1);
    return (top + log1p(exp(bottom - top))) / (a - 1);
}

}  // namespace

TEST_CASE("H at independent 30-digit values", "[fixed_size_without_replacement]") {
    struct Case {
        double order, sigma, q;
        const char* value;
    };
    for (const Case& p : {
             Case{1.001, 6, 0.0024, "0.000000338694367935724674397424987090"},
             Case{1.01, 6, 0.0024, "0.000000341740470599022326806055782522"},
             Case{1.5, 6, 0.0024, "0.000000507608022465380037904913089556"},
             Case{2.5, 6, 0.0024, "0.000000846260696078792007005765535905"},
             Case{10.9, 6, 0.0024, "0.00000369878906594249660207347323021"},
             Case{32.5, 6, 0.0024, "0.0000110990664754601970208218914013"},
             Case{63.5, 6, 0.0024, "0.0000218880768414180790738911754251"},
             Case{2.5, 0.5, 0.1, "16.1623581789251983909943261824"},
             Case{1.5, 0.5, 0.001, "0.0237085044368397334381175277273"},
             Case{32.5, 1, 0.3, "63.7578058368065739758654205690"},
             Case{1.5, 100, 0.00001, "3.00060007400479964783308334693e-14"},
             Case{20.5, 20, 0.001, "0.000000103033414866606876257086638709"},
             Case{32.5, 1000, 0.00001, "6.50001300794729505629143155006e-15"},
             Case{4.5, 2, 0.9, "2.11888740783191119944537761449"},
             Case{256, 2, 0.1, "125.688385161543232568201545834"},
             Case{1000.5, 20, 0.0001, "0.0000000503266453661124289648361728558"},
         }) {
        CAPTURE(p.order, p.sigma, p.q);
        CHECK_THAT(fixed_size_without_replacement_rdp(p.order, p.sigma, p.q),
                   encloses_printed(p.value));
    }
    CHECK_THAT(fixed_size_without_replacement_addition_rdp(1.5, 6, 0.0024),
               encloses_printed("0.000000507311589724074699055005212858"));
    CHECK_THAT(fixed_size_without_replacement_addition_rdp(10.9, 6, 0.0024),
               encloses_printed("0.00000367638618844502189259526805984"));
    CHECK_THAT(fixed_size_without_replacement_addition_rdp(60.5, 20, 0.3),
               encloses_printed("0.0242699511104763236105658763244"));
    CHECK_THAT(fixed_size_without_replacement_addition_rdp(4, 1, 0.3),
               encloses_printed("0.245389044680503190810421541430"));
}

TEST_CASE("H by three methods: integer sum, Taylor moments, quadrature",
          "[fixed_size_without_replacement]") {
    for (const int order : {2, 3, 5, 17})
        for (const double sigma : {0.7, 2.0, 50.0})
            for (const double q : {1e-6, 0.03, 0.8}) {
                CAPTURE(order, sigma, q);
                const Wide sum = integer_moment(order, q, replaced_shift(sigma));
                const Wide integral = pair_moment(order, q, replaced_shift(sigma), 0);
                CHECK(abs(sum / integral - 1) < Wide(1e-44));
                // sum_k C(a,k) q^k M_k with the alternating sum (44) for M_k.
                Wide taylor = 0;
                Wide coefficient = 1;
                for (int k = 0; k <= order; ++k) {
                    Wide moment = 0;
                    Wide binomial = 1;
                    for (int l = 0; l <= k; ++l) {
                        const Wide term = binomial * exp(replaced_shift(sigma) *
                                                         replaced_shift(sigma) * l * (l - 1) / 2);
                        moment += (k - l) % 2 == 0 ? term : Wide(-term);
                        binomial = binomial * (k - l) / (l + 1);
                    }
                    taylor += coefficient * moment;
                    coefficient *= Wide(q) * (order - k) / (k + 1);
                }
                CHECK(abs(taylor / sum - 1) < Wide(1e-44));
                const Enclosure exact = fixed_size_without_replacement_rdp(order, sigma, q);
                CHECK_THAT(exact, Encloses(divergence(sum, order)));
                // Wang's lower bound is H at integers (133).
                const Enclosure wang = wang_lower_rdp(order, sigma, q);
                CHECK(wang.lower <= exact.upper);
                CHECK(exact.lower <= wang.upper);
            }
}

TEST_CASE("fixed size without replacement: the corners of the domain",
          "[fixed_size_without_replacement]") {
    const std::vector<double> orders{1.0 + 1e-12, 1.0000001, 2.5, 9999.5, 1e4};
    for (const double order : orders)
        for (const double q : {1e-9, 0.5, 1.0 - 1e-9}) {
            CAPTURE(order, q);
            // sigma = 0.05: the components are 40 deviations apart.
            CHECK_THAT(fixed_size_without_replacement_rdp(order, 0.05, q),
                       Encloses(far_apart(order, q, 2 / Wide(0.05))));
            // sigma = 1e4: c = 2e-4 and the unreduced integral converges at once; F - 1 may be
            // 1e-38, which takes 100 digits.
            const auto integral = [&](const Digits100& x, const Digits100& y) {
                const Digits100 moment = pair_moment_in<Digits100>(order, q, x, y, 240.0);
                return Wide(log(moment) / (Digits100(order) - 1));
            };
            const Digits100 c = 2 / Digits100(1e4);
            CHECK_THAT(fixed_size_without_replacement_rdp(order, 1e4, q), Encloses(integral(c, 0)));
            CHECK_THAT(fixed_size_without_replacement_addition_rdp(order, 1e4, q),
                       Encloses(integral(0, -c)));
        }
}

TEST_CASE("addition with far components: F = (1-q)^(1-a)", "[fixed_size_without_replacement]") {
    // Q >= 1-q everywhere, and Q = 1-q up to e^{-200} where N_0 has its mass.
    for (const double order : {1.0 + 1e-12, 1.0000001, 2.5, 63.0, 9999.5})
        for (const double q : {1e-9, 1e-3, 0.5, 1.0 - 1e-9})
            for (const double sigma : {0.05, 0.06}) {
                CAPTURE(order, q, sigma);
                CHECK_THAT(fixed_size_without_replacement_addition_rdp(order, sigma, q),
                           Encloses(-log1p(-Wide(q))));
            }
}

TEST_CASE("no gaps between the corners: bounded width, ordered ends, capped",
          "[fixed_size_without_replacement]") {
    for (const double sigma : {0.05, 0.3, 1.0, 30.0, 1e4})
        for (const double q : {1e-9, 1e-3, 0.3, 1.0 - 1e-9})
            for (const double order : {1.0 + 1e-12, 1.0000001, 1.7, 63.0, 9999.5}) {
                CAPTURE(sigma, q, order);
                const Enclosure e = fixed_size_without_replacement_rdp(order, sigma, q);
                const Enclosure r = fixed_size_without_replacement_addition_rdp(order, sigma, q);
                CHECK(e.lower > 0.0);
                CHECK(r.lower > 0.0);
                CHECK(e.relative_width() <= 1e-11);
                CHECK(r.relative_width() <= 1e-11);
                CHECK(r.lower <= e.upper);  // removal is worse
                CHECK(Wide(e.lower) <= 2 * Wide(order) / (Wide(sigma) * sigma));  // unsampled
                // Q >= 1-q; up to rounding, see above for the case of equality.
                CHECK(Wide(r.lower) <= -log1p(-Wide(q)) * (1 + Wide(1e-13)));
            }
}

TEST_CASE("q = 1 is the Gaussian mechanism, q = 0 releases nothing",
          "[fixed_size_without_replacement]") {
    for (const double order : {1.0 + 1e-12, 1.5, 64.0, 1e4})
        for (const double sigma : {0.05, 1.0, 1e4}) {
            CAPTURE(order, sigma);
            const Wide exact = 2 * Wide(order) / (Wide(sigma) * sigma);
            CHECK_THAT(fixed_size_without_replacement_rdp(order, sigma, 1.0), Encloses(exact));
            CHECK(fixed_size_without_replacement_rdp(order, sigma, 0.0) == exactly(0.0));
            CHECK(fixed_size_without_replacement_addition_rdp(order, sigma, 0.0) == exactly(0.0));
        }
    const std::vector<double> orders{2.0, 3.0};
    for (const Enclosure& e : fixed_size_without_replacement_rdp(orders, 1.0, 0.0))
        CHECK(e == exactly(0.0));
}

TEST_CASE("q = 1 is symmetric", "[fixed_size_without_replacement]") {
    for (const double order : {1.0 + 1e-12, 1.5, 64.0, 1e4})
        for (const double sigma : {0.05, 1.0, 1e4}) {
            CAPTURE(order, sigma);
            CHECK_THAT(fixed_size_without_replacement_addition_rdp(order, sigma, 1.0),
                       Encloses(2 * Wide(order) / (Wide(sigma) * sigma)));
        }
}

TEST_CASE("fixed size without replacement: more order, more sampling, less noise: more divergence",
          "[fixed_size_without_replacement]") {
    Random random(151);
    CAPTURE(random.seed());
    for (int i = 0; i < 60 * effort(); ++i) {
        const double sigma = random.log_uniform(0.1, 1e3);
        const double q = random.log_uniform(1e-8, 0.9);
        const double order = 1.0 + random.log_uniform(1e-6, 1e3);
        CAPTURE(sigma, q, order);
        const double here = fixed_size_without_replacement_rdp(order, sigma, q).upper;
        CHECK(here <
              fixed_size_without_replacement_rdp(1.0 + 1.01 * (order - 1.0), sigma, q).lower *
                  (1.0 + 1e-9));
        CHECK(here < fixed_size_without_replacement_rdp(order, sigma, 1.001 * q).lower);
        CHECK(here < fixed_size_without_replacement_rdp(order, 0.999 * sigma, q).lower);
    }
}

TEST_CASE("Poisson sampling at half the noise is the same integral",
          "[fixed_size_without_replacement]") {
    for (const double order : {1.01, 3.3, 50.0})
        for (const double sigma : {1.0, 6.0}) {
            CHECK(fixed_size_without_replacement_rdp(order, sigma, 0.01) ==
                  poisson_add_remove_rdp(order, sigma / 2.0, 0.01));
            CHECK(fixed_size_without_replacement_addition_rdp(order, sigma, 0.01) ==
                  poisson_addition_rdp(order, sigma / 2.0, 0.01));
        }
}

TEST_CASE("the leading order is q^2 a (e^{4/sigma^2} - 1)/2", "[fixed_size_without_replacement]") {
    for (const double sigma : {1.5, 3.0, 300.0})
        for (const double order : {1.0001, 1.5, 4.0}) {
            const double q = 1e-9;
            const Wide leading =
                Wide(q) * Wide(q) * Wide(order) * expm1(4 / (Wide(sigma) * sigma)) / 2;
            const Enclosure e = fixed_size_without_replacement_rdp(order, sigma, q);
            CHECK(abs(Wide(e.midpoint()) / leading - 1) < Wide(1e-3));
        }
}

TEST_CASE("log(H - 1) of any shift and weight", "[fixed_size_without_replacement]") {
    for (const double order : {1.01, 2.0, 11.5})
        for (const double c : {1e-3, 0.5, 3.0})
            for (const double q : {1e-8, 0.4, 1.0}) {
                CAPTURE(order, c, q);
                const Wide exact = log(pair_moment(order, q, c, 0) - 1);
                const Enclosure e = log_excess_moment(order, c, q);
                CHECK(Wide(e.lower) <= exact);
                CHECK(exact <= Wide(e.upper));
                CHECK(e.upper - e.lower < 1e-13 * (1.0 + std::fabs(e.upper)));
            }
    CHECK(log_excess_moment(2.0, 0.0L, 0.5L) == Enclosure{-infinity, -infinity});
    CHECK(log_excess_moment(2.0, 1.0L, 0.0L) == Enclosure{-infinity, -infinity});
}

TEST_CASE("fixed size without replacement: the whole curve equals its orders",
          "[fixed_size_without_replacement]") {
    std::vector<double> orders;
    for (int i = 11; i <= 109; i += 7) orders.push_back(i / 10.0);
    for (int i = 12; i <= 63; i += 5) orders.push_back(i);
    for (const double sigma : {0.5, 6.0, 1e4})
        for (const double q : {1e-9, 0.0024, 0.5}) {
            const auto curve = fixed_size_without_replacement_rdp(orders, sigma, q);
            for (std::size_t i = 0; i < orders.size(); ++i) {
                const Enclosure single = fixed_size_without_replacement_rdp(orders[i], sigma, q);
                CAPTURE(sigma, q, orders[i]);
                REQUIRE(curve[i].lower <= single.upper);
                REQUIRE(single.lower <= curve[i].upper);
                REQUIRE(curve[i].relative_width() <= 1e-11);
            }
        }
}

TEST_CASE("fixed size without replacement: bad parameters are refused by name",
          "[fixed_size_without_replacement]") {
    const double nan = std::nan("");
    const auto each = [&](const auto& call) {
        for (const double order : {1.0, 0.5, 0.0, -3.0, nan, infinity})
            CHECK(refused([&] { return call(order, 6.0, 0.1); }) == "alpha");
        for (const double sigma : {0.0, -1.0, nan, infinity})
            CHECK(refused([&] { return call(2.0, sigma, 0.1); }) == "sigma");
        for (const double q : {-0.1, 1.1, nan, infinity})
            CHECK(refused([&] { return call(2.0, 6.0, q); }) == "q");
    };
    each([](double a, double s, double q) { return fixed_size_without_replacement_rdp(a, s, q); });
    each([](double a, double s, double q) {
        return fixed_size_without_replacement_addition_rdp(a, s, q);
    });
    each([](double a, double s, double q) {
        const std::vector<double> orders{a};
        return fixed_size_without_replacement_rdp(orders, s, q);
    });
    const std::vector<double> second_is_bad{2.0, nan};
    CHECK(refused([&] { return fixed_size_without_replacement_rdp(second_is_bad, 6.0, 0.1); }) ==
          "alpha");
}
