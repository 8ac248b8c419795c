#include "assay/rdp/absolute_moment.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/taylor_moments.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// E|X - 1|^j for odd j by the binomial theorem on either side of X = 1:
/// E[X^l; X > 1] = e^{l(l-1)c^2/2} Phi((l - 1/2) c).
Wide closed_form(double sigma, int j) {
    const Wide c = 2 / Wide(sigma);
    Wide sum = 0;
    Wide binomial = 1;
    for (int l = 0; l <= j; ++l) {
        const Wide above = normal_tail_wide(-(Wide(l) - Wide(1) / 2) * c);
        const Wide term = binomial * exp(c * c * l * (l - 1) / 2) * (2 * above - 1);
        sum += (j - l) % 2 == 0 ? term : Wide(-term);
        binomial = binomial * (j - l) / (l + 1);
    }
    return sum;
}

}  // namespace

TEST_CASE("odd absolute moments at independent 30-digit values", "[absolute_moment]") {
    CHECK_THAT(log_absolute_moment(6, 1), encloses_printed("-1.3290247051250358617826"));
    CHECK_THAT(log_absolute_moment(6, 3), encloses_printed("-2.56966260356642191803214"));
    CHECK_THAT(log_absolute_moment(2, 5), encloses_printed("9.912804924193650127900699"));
    CHECK_THAT(log_absolute_moment(100, 7), encloses_printed("-23.72352468406603277815635"));
}

TEST_CASE("odd absolute moments against the closed form", "[absolute_moment]") {
    for (const double sigma : {0.05, 0.5, 1.0, 2.5, 9.0})
        for (const int j : {1, 3, 5, 9}) {
            const Wide exact = log(closed_form(sigma, j));
            CAPTURE(sigma, j);
            const Enclosure e = log_absolute_moment(sigma, j);
            CHECK(Wide(e.lower) <= exact);
            CHECK(exact <= Wide(e.upper));
            CHECK(e.upper - e.lower <= 1e-13 * (1.0 + std::fabs(e.upper)));
        }
}

TEST_CASE("odd absolute moments at any noise", "[absolute_moment]") {
    // On both sides of the shift from which the largest term is all: c = 2/sigma = 256.
    for (const double sigma : {0.008, 0.0078126, 0.0078125, 0.0078124, 0.005})
        for (const int j : {1, 3, 5}) {
            const Wide exact = log(closed_form(sigma, j));
            CAPTURE(sigma, j);
            const Enclosure e = log_absolute_moment(sigma, j);
            CHECK(Wide(e.lower) <= exact);
            CHECK(exact <= Wide(e.upper));
            CHECK(e.upper - e.lower <= 1e-14 * e.upper);
        }
    CHECK(log_absolute_moment(0x1p-40, 5).upper == Approx(10.0 * 0x1p82));
    CHECK(log_absolute_moment(1e-300, 3).lower == std::numeric_limits<double>::max());
    CHECK(log_absolute_moment(1e-300, 3).upper == std::numeric_limits<double>::infinity());
    CHECK(log_absolute_moment(5e-324, 1).upper == Approx(std::log(2.0)));
    CHECK(log_absolute_moment(1e-300, 10001).lower == std::numeric_limits<double>::max());
}

TEST_CASE("where the moment is 1 its logarithm shows the last digits", "[absolute_moment]") {
    struct Case {
        double sigma;
        int j;
    };
    for (const Case& p :
         {Case{1.4826022185056018, 1}, Case{3.1578990854055946, 3}, Case{4.3641675676358123, 5}})
        for (int step = -20; step <= 20; ++step) {
            const double sigma = p.sigma * (1.0 + step * 0x1p-50);
            const Wide exact = log(closed_form(sigma, p.j));
            CAPTURE(sigma, p.j, digits(exact));
            const Enclosure e = log_absolute_moment(sigma, p.j);
            REQUIRE(Wide(e.lower) <= exact);
            REQUIRE(exact <= Wide(e.upper));
            REQUIRE(e.upper - e.lower < 1e-14);
        }
}

TEST_CASE("small shifts: the moment of |cz| to second order", "[absolute_moment]") {
    // E|X-1|^j = c^j E|z|^j (1 + O(c^2)).
    const double sigma = 1e4;
    for (const int j : {1, 3, 7}) {
        Wide moment = sqrt(2 / wide_pi());
        for (int k = 2; k < j; k += 2) moment *= k;  // E|z|^j = sqrt(2/pi) 2 4 .. (j-1)
        const Wide leading = Wide(j) * log(2 / Wide(sigma)) + log(moment);
        const Enclosure e = log_absolute_moment(sigma, j);
        CHECK(abs(Wide(e.midpoint()) - leading) < Wide(1e-5));
        CHECK(e.upper - e.lower < 1e-12);
    }
}

TEST_CASE("between the moment and its even neighbours", "[absolute_moment]") {
    for (const double sigma : {0.05, 0.7, 6.0, 300.0, 1e4})
        for (const int j : {1, 3, 21, 301, 10001}) {
            CAPTURE(sigma, j);
            const Enclosure e = log_absolute_moment(sigma, j);
            REQUIRE(e.lower <= e.upper);
            CHECK(std::isfinite(e.lower));
            CHECK(std::isfinite(e.upper));
            CHECK(e.upper - e.lower <= 1e-11 * (1.0 + std::fabs(e.upper)));
            // M_j <= E|X-1|^j <= sqrt(M_{j-1} M_{j+1}).
            CHECK(log_taylor_moment(sigma, j).lower <= e.upper);
            CHECK(e.lower <= log_absolute_moment_bound(sigma, j).upper);
        }
}

TEST_CASE("even, negative and huge exponents are refused, and bad noise", "[absolute_moment]") {
    const auto refused = [](double sigma, int j) -> std::string {
        try {
            static_cast<void>(log_absolute_moment(sigma, j));
        } catch (const DomainError& error) {
            return error.parameter();
        }
        return "";
    };
    for (const int j : {0, 2, -1, -3, 10003}) CHECK(refused(1.0, j) == "j");
    for (const double sigma : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        CHECK(refused(sigma, 3) == "sigma");
}
