#include "assay/rdp/collinear_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Wide mixture(const Wide& q, const Wide& shift, const Wide& z) {
    return 1 - q + q * exp(shift * (z - shift / 2));
}

/// All members of the point against 50 digits, within what the point claims of itself.
void check_point(double q, real x, real y, real z) {
    CAPTURE(q, x, y, z);
    const LossPoint point = CollinearPair(q, x, y).at(z);
    const Wide p_exact = mixture(Wide(q), Wide(x), Wide(z));
    const Wide q_exact = mixture(Wide(q), Wide(y), Wide(z));
    // P - Q = q (X - Y): where both are nearly 1-q, 50 digits do not tell P from Q.
    const Wide excess =
        Wide(q) *
        (exp(Wide(x) * (Wide(z) - Wide(x) / 2)) - exp(Wide(y) * (Wide(z) - Wide(y) / 2))) / q_exact;
    const Wide loss = abs(excess) < 0.5 ? log1p(excess) : log(p_exact / q_exact);
    const Wide absolute(point.absolute_error);
    const Wide relative(point.relative_error);
    REQUIRE(abs(Wide(point.log_p) - log(p_exact)) <= absolute);
    REQUIRE(abs(Wide(point.log_q) - log(q_exact)) <= absolute);
    if (abs(loss) > 1)
        REQUIRE(abs(Wide(point.loss) - loss) <= absolute);
    else
        REQUIRE(abs(Wide(point.loss) - loss) <= relative * abs(loss));
    if (abs(loss) <= 1) REQUIRE(abs(Wide(point.excess) - excess) <= relative * abs(excess));
    const Wide slope = Wide(y) * Wide(q) * exp(Wide(y) * (Wide(z) - Wide(y) / 2)) / q_exact;
    REQUIRE(abs(Wide(point.log_q_slope) - slope) <= abs(slope) * Wide(1e-14) + Wide(1e-30));
    // The claims are not vacuous: away from the crossing a few hundred roundoffs.
    const real size = 1.0L + std::fabs(std::log(static_cast<real>(q))) +
                      (std::fabs(x) + std::fabs(y)) * (std::fabs(z) + std::fabs(x) + std::fabs(y));
    REQUIRE(point.absolute_error <= 200.0L * unit_roundoff * size);
    const real gap = (x - y) * std::fabs(z - 0.5L * (x + y));
    if (gap > 0.1L) REQUIRE(point.relative_error <= 1000.0L * unit_roundoff * size * size);
}

}  // namespace

TEST_CASE("a point of the pair against 50 digits, in its own error bounds", "[collinear_pair]") {
    Random random(101);
    CAPTURE(random.seed());
    for (int i = 0; i < 250 * effort(); ++i) {
        const double q =
            i % 4 == 0 ? 1.0 - random.log_uniform(1e-9, 0.5) : random.log_uniform(1e-9, 1.0);
        const auto c = static_cast<real>(random.log_uniform(2e-4, 40.0));
        const real z = c * static_cast<real>(random.uniform(-3.0, 5.0)) +
                       static_cast<real>(random.uniform(-12.0, 12.0));
        switch (i % 4) {
            case 0: check_point(q, c, 0.0L, z); break;
            case 1: check_point(q, 0.0L, -c, z); break;
            case 2: check_point(q, c, -c, z); break;
            default: check_point(q, c, c * static_cast<real>(random.uniform(-1.0, 1.0)), z);
        }
    }
}

TEST_CASE("a sampling probability near 1 keeps 1 - q", "[collinear_pair]") {
    for (const double q : {1.0 - 1e-9, 1.0 - 0x1p-53})
        for (const real z : {5.0L, 9.0L, 11.0L, 14.0L, 30.0L}) {
            check_point(q, 0.0L, -2.0L, z);
            check_point(q, 2.0L, 0.0L, -z);
            check_point(q, 2.0L, -2.0L, z);
        }
}

TEST_CASE("close to where the densities cross", "[collinear_pair]") {
    for (const real gap : {0.0L, 1e-18L, -1e-12L, 1e-6L, -1e-3L}) {
        check_point(0.01, 0.25L, 0.0L, 0.125L + gap);
        check_point(0.3, 0.75L, -0.75L, gap);
        check_point(0.3, 0.0L, -2.0L, -1.0L + gap);
    }
    // At the crossing itself nothing is lost and nothing is claimed.
    const LossPoint point = CollinearPair(0.3, 1.0L, 0.0L).at(0.5L);
    CHECK(point.loss == 0.0L);
    CHECK(point.excess == 0.0L);
}

TEST_CASE("far out the excess leaves the range and the loss stays exact", "[collinear_pair]") {
    const CollinearPair pair(1e-3, 40.0L, 0.0L);
    const LossPoint point = pair.at(4e5L);
    CHECK(std::isinf(point.excess));
    const Wide exact = log(Wide(1e-3)) + 40 * (Wide(400000) - 20);
    CHECK(abs(Wide(point.loss) - exact) <= Wide(point.absolute_error));
    const LossPoint left = pair.at(-4e5L);
    CHECK(abs(Wide(left.loss) - log1p(-Wide(1e-3))) <= Wide(left.relative_error) * Wide(1.001e-3));
}

TEST_CASE("q = 1 is a plain shift", "[collinear_pair]") {
    for (const real z : {-100.0L, -30.0L, -0.5L, 0.9L, 20.0L, 100.0L}) {
        const LossPoint point = CollinearPair(1.0L, 1.5L, 0.0L).at(z);
        CHECK(std::fabs(point.loss - 1.5L * (z - 0.75L)) <=
              8.0L * unit_roundoff * (1.5L * std::fabs(z) + 2.0L));
        const LossPoint other = CollinearPair(1.0L, 0.0L, -1.5L).at(z);
        CHECK(std::fabs(other.loss - 1.5L * (z + 0.75L)) <=
              8.0L * unit_roundoff * (1.5L * std::fabs(z) + 2.0L));
    }
}

TEST_CASE("collinear pair: tails are bounded from their own sides", "[collinear_pair]") {
    for (const double q : {1e-6, 0.01, 0.5, 1.0})
        for (const double c : {0.1, 1.0, 4.0})
            for (const double z : {-5.0, -0.3, 0.0, 1.0, 6.0, 20.0})
                for (const bool mirrored : {false, true}) {
                    const real x = mirrored ? 0.0L : static_cast<real>(c);
                    const real y = mirrored ? -static_cast<real>(c) : 0.0L;
                    const TailPair tails = CollinearPair(q, x, y).tails(z);
                    const auto exact = [&](real shift) -> Wide {
                        return (1 - Wide(q)) * normal_tail_wide(Wide(z)) +
                               Wide(q) * normal_tail_wide(Wide(z) - Wide(shift));
                    };
                    CAPTURE(q, c, z, mirrored);
                    CHECK(Wide(tails.under_p) <= exact(x));
                    CHECK(Wide(tails.under_p) >= exact(x) * (1 - Wide(0x1p-40)));
                    CHECK(Wide(tails.under_q) >= exact(y));
                    CHECK(Wide(tails.under_q) <= exact(y) * (1 + Wide(0x1p-40)));
                }
}

TEST_CASE("collinear pair: the shape bounds what it says it bounds", "[collinear_pair]") {
    Random random(102);
    CAPTURE(random.seed());
    for (int i = 0; i < 60 * effort(); ++i) {
        const double q = random.uniform(0.001, 0.999);
        const auto x = static_cast<real>(random.uniform(-1.0, 3.0));
        const real y = x - static_cast<real>(random.uniform(0.1, 3.0));
        const CollinearPair pair(q, x, y);
        const PairShape shape = pair.shape();
        CAPTURE(q, x, y);
        real before = -std::numeric_limits<real>::infinity();
        for (real z = -12.0L; z <= 12.0L; z += 0.75L) {
            const LossPoint point = pair.at(z);
            // Monotone where 0 lies between the shifts; one change of sign in any case.
            if (x >= 0.0L && y <= 0.0L) REQUIRE(point.loss >= before);
            before = point.loss;
            const real side = z - shape.crossing;
            if (std::fabs(side) > 1e-3L) REQUIRE((point.loss > 0.0L) == (side > 0.0L));
            REQUIRE(point.excess >= shape.lowest_excess);
            REQUIRE(point.log_q_slope >= shape.q_slope_min);
            // |Q(z + i t)| >= cos(sector t/2)^power |Q(z)| inside the strip.
            const Wide t = Wide(shape.strip) * Wide(random.uniform(0.0, 0.99));
            const Wide part = Wide(q) * exp(Wide(y) * (Wide(z) - Wide(y) / 2));
            const Wide re = 1 - Wide(q) + part * cos(Wide(y) * t);
            const Wide im = part * sin(Wide(y) * t);
            const Wide least = pow(cos(Wide(shape.sector) * t / 2), Wide(shape.sector_power)) *
                               mixture(Wide(q), Wide(y), Wide(z));
            REQUIRE(re * re + im * im >= least * least * (1 - Wide(1e-18)));
        }
        CHECK(shape.p_slope_max >= std::max(0.0L, x));
        CHECK(shape.strip * std::max(std::fabs(x), std::fabs(y)) <= std::numbers::pi_v<real>);
        CHECK(shape.q_left_mean <= std::min(0.0L, y));
        CHECK(std::fabs(pair.at(shape.crossing).loss) < 1e-15L);
    }
    CHECK(CollinearPair(0.25L, 1.0L, 0.0L).shape().lowest_excess <= -0.25L);
    CHECK(CollinearPair(0.25L, 1.0L, 0.0L).shape().lowest_excess > -0.2500001L);
}

TEST_CASE("pairs that are no pairs are refused", "[collinear_pair]") {
    const auto refused = [](real q, real x, real y) -> std::string {
        try {
            static_cast<void>(CollinearPair(q, x, y));
        } catch (const DomainError& error) {
            return error.parameter();
        }
        return "";
    };
    const real nan = std::nanl("");
    for (const real q : {-0.1L, 0.0L, 1.1L, nan}) CHECK(refused(q, 1.0L, 0.0L) == "q");
    CHECK(refused(0.5L, 0.0L, 1.0L) == "shift");
    CHECK(refused(0.5L, infinity, 0.0L) == "shift");
    CHECK(refused(0.5L, nan, 0.0L) == "shift");
    CHECK(refused(0.5L, 0.0L, -infinity) == "shift");
    CHECK(refused(0.5L, 1.0L, 1.0L).empty());
}
