#include "assay/rdp/binomial_pair.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// V(z), V'(z) and V(z) - 1 by all B + 1 terms, each from its predecessor.
struct Mixture {
    Wide value = 0;
    Wide slope = 0;
};

Mixture mixture(std::int64_t batch, std::int64_t dataset, const Wide& c, const Wide& z) {
    const Wide odds = 1 / (Wide(dataset) - 1);
    Wide term = exp(Wide(batch) * log1p(-1 / Wide(dataset)));
    Wide growth = exp(c * (z - c / 2));
    const Wide square = exp(-c * c);
    Mixture result;
    for (std::int64_t n = 0; n <= batch; ++n) {
        result.value += term;
        result.slope += term * Wide(n) * c;
        term *= odds * growth * Wide(batch - n) / Wide(n + 1);
        growth *= square;
    }
    return result;
}

void check_point(std::int64_t batch, std::int64_t dataset, real c, real z, real loosest) {
    CAPTURE(batch, dataset, c, z);
    const Mixture exact = mixture(batch, dataset, Wide(c), Wide(z));
    const Wide loss = log(exact.value);
    const LossPoint removal = BinomialPair(batch, dataset, c, true).at(z);
    const LossPoint addition = BinomialPair(batch, dataset, c, false).at(-z);
    CAPTURE(removal.absolute_error, removal.relative_error, digits(loss));
    REQUIRE(abs(Wide(removal.log_p) - loss) <= Wide(removal.absolute_error));
    REQUIRE(removal.log_q == 0.0L);
    REQUIRE(abs(Wide(addition.log_q) - loss) <= Wide(addition.absolute_error));
    REQUIRE(addition.log_p == 0.0L);
    const bool small = abs(loss) <= 1;
    const auto check = [&](const LossPoint& point, const Wide& l, const Wide& x) {
        const Wide slack = small ? Wide(point.relative_error) * abs(l) : Wide(point.absolute_error);
        REQUIRE(abs(Wide(point.loss) - l) <= slack);
        if (small) REQUIRE(abs(Wide(point.excess) - x) <= Wide(point.relative_error) * abs(x));
    };
    check(removal, loss, exact.value - 1);
    check(addition, -loss, 1 / exact.value - 1);
    // d log V/dz, and the reflected one.
    REQUIRE(abs(Wide(addition.log_q_slope) + exact.slope / exact.value) <=
            Wide(1e-12) * exact.slope / exact.value + Wide(1e-17));
    REQUIRE(removal.absolute_error <= loosest);
    REQUIRE(addition.absolute_error <= loosest);
}

}  // namespace

TEST_CASE("V around 1 and far from it, in its own error bounds", "[binomial_pair]") {
    Random random(111);
    CAPTURE(random.seed());
    for (int i = 0; i < 200 * effort(); ++i) {
        const std::int64_t batch = random.integer(1, 40);
        const auto dataset = static_cast<std::int64_t>(static_cast<double>(batch) + 1.0 +
                                                       random.log_uniform(0.1, 1e9));
        const auto c = static_cast<real>(random.log_uniform(2e-4, 10.0));
        const real z = static_cast<real>(random.uniform(-12.0, 12.0)) +
                       static_cast<real>(batch) * c * static_cast<real>(random.uniform(-0.5, 2.0));
        check_point(batch, dataset, c, z, 1e-12L);
    }
}

TEST_CASE("one draw is the two-component mixture with weight 1/D", "[binomial_pair]") {
    const BinomialPair one(1, 200, 0.75L, true);
    const CollinearPair two(1.0L / 200.0L, 0.75L, 0.0L);
    for (real z = -10.0L; z < 30.0L; z += 0.7L) {
        CHECK(std::fabs(one.at(z).loss - two.at(z).loss) <=
              1e-16L * std::fabs(two.at(z).loss) + 1e-17L);
        CHECK(one.tails(z).under_p ==
              Approx(static_cast<double>(two.tails(z).under_p)).epsilon(1e-12));
    }
}

TEST_CASE("large batches: beyond the table of weights too", "[binomial_pair]") {
    // The mode of the sum moves past 2048 when z is large.
    for (const real z : {-8.0L, 0.0L, 3.0L, 40.0L, 300.0L})
        check_point(3000, 4000, 0.05L, z, 1e-11L);
    // Weights by lgamma of numbers much larger than the exponents that go with them.
    check_point(200'000, 200'001, 2e-4L, 41000.0L, 1e-11L);
    for (const real z : {0.5L, 100.0L}) check_point(20000, 20001, 0.003L, z, 1e-10L);
    check_point(5000, 1'000'000'000'000, 2e-4L, 2.0L, 1e-13L);
}

TEST_CASE("weights far down the table carry the rounding of all before them", "[binomial_pair]") {
    for (const real z : {60.0L, 120.0L, 180.0L, 200.0L}) check_point(3000, 4000, 0.05L, z, 1e-11L);
    for (const real z : {30.0L, 90.0L}) check_point(2000, 1'000'000, 0.2L, z, 1e-11L);
}

TEST_CASE("relative accuracy where V - 1 is tiny", "[binomial_pair]") {
    for (const std::int64_t dataset : {std::int64_t{1000}, std::int64_t{1'000'000'000'000}})
        for (const real z : {-3.0L, -0.5L, 0.5L, 2.0L}) {
            const real c = 2e-4L;
            const Mixture exact = mixture(120, dataset, Wide(c), Wide(z));
            const LossPoint point = BinomialPair(120, dataset, c, true).at(z);
            CHECK(abs(Wide(point.excess) / (exact.value - 1) - 1) <= Wide(point.relative_error));
            CHECK(point.relative_error < 1e-14L);
        }
}

TEST_CASE("binomial pair: tails are bounded from their own sides", "[binomial_pair]") {
    for (const int batch : {1, 7, 60})
        for (const std::int64_t dataset : {std::int64_t{61}, std::int64_t{50000}})
            for (const double c : {0.1, 1.0})
                for (const double z : {-3.0, 0.0, 2.0, 7.0}) {
                    Wide weight = pow(1 - 1 / Wide(dataset), batch);
                    Wide right = 0;
                    Wide left = 0;
                    for (int n = 0; n <= batch; ++n) {
                        right += weight * normal_tail_wide(Wide(z) - n * Wide(c));
                        left += weight * normal_tail_wide(Wide(z) + n * Wide(c));
                        weight *= Wide(batch - n) / (n + 1) / (Wide(dataset) - 1);
                    }
                    const Wide plain = normal_tail_wide(Wide(z));
                    CAPTURE(batch, dataset, c, z);
                    const TailPair removal = BinomialPair(batch, dataset, c, true).tails(z);
                    CHECK(Wide(removal.under_p) <= right);
                    CHECK(Wide(removal.under_p) >= right * (1 - Wide(0x1p-40)));
                    CHECK(Wide(removal.under_q) >= plain);
                    CHECK(Wide(removal.under_q) <= plain * (1 + Wide(0x1p-40)));
                    const TailPair addition = BinomialPair(batch, dataset, c, false).tails(z);
                    CHECK(Wide(addition.under_p) <= plain);
                    CHECK(Wide(addition.under_p) >= plain * (1 - Wide(0x1p-40)));
                    CHECK(Wide(addition.under_q) >= left);
                    CHECK(Wide(addition.under_q) <= left * (1 + Wide(0x1p-40)) + Wide(0x1p-49));
                }
}

TEST_CASE("binomial pair: the shape bounds what it says it bounds", "[binomial_pair]") {
    const BinomialPair removal(12, 40, 0.8L, true);
    const BinomialPair addition(12, 40, 0.8L, false);
    const PairShape r = removal.shape();
    const PairShape a = addition.shape();
    CHECK(r.p_slope_max >= 12 * 0.8L);
    CHECK(r.q_slope_min == 0.0L);
    CHECK(r.sector_power == 0.0L);
    CHECK(a.q_slope_min <= -12 * 0.8L);
    CHECK(a.q_left_mean <= -12 * 0.8L);
    CHECK(a.sector_power >= 12.0L);
    CHECK(a.sector >= 0.8L);
    CHECK(r.strip * 0.8L <= std::numbers::pi_v<real>);
    CHECK(Wide(r.lowest_excess) <= pow(1 - Wide(1) / 40, 12) - 1);
    CHECK(r.lowest_excess > -0.27L);
    real before = -std::numeric_limits<real>::infinity();
    real before_other = before;
    for (real z = -30.0L; z <= 30.0L; z += 0.5L) {
        REQUIRE(removal.at(z).loss >= before);
        REQUIRE(addition.at(z).loss >= before_other);
        REQUIRE(removal.at(z).excess >= r.lowest_excess);
        before = removal.at(z).loss;
        before_other = addition.at(z).loss;
    }
    CHECK(std::fabs(removal.at(r.crossing).loss) < 0.3L);
    CHECK(std::fabs(addition.at(a.crossing).loss) < 0.3L);
}

TEST_CASE("sizes that make no sampler are refused by name", "[binomial_pair]") {
    const auto refused = [](std::int64_t batch, std::int64_t dataset, real shift) -> std::string {
        try {
            static_cast<void>(BinomialPair(batch, dataset, shift, true));
        } catch (const DomainError& error) {
            return error.parameter();
        }
        return "";
    };
    CHECK(refused(0, 10, 1.0L) == "B");
    CHECK(refused(10, 10, 1.0L) == "D");
    CHECK(refused(11, 10, 1.0L) == "D");
    for (const real shift : {0.0L, -1.0L, std::nanl(""), std::numeric_limits<real>::infinity()})
        CHECK(refused(3, 10, shift) == "shift");
    CHECK(refused(9, 10, 1.0L).empty());
}
