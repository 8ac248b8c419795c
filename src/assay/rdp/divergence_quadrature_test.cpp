#include "assay/rdp/divergence_quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/binomial_pair.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

void check_moment(const ExcessMoment& moment, const Wide& exact, double width) {
    CAPTURE(digits(exact), digits(wide(moment.lower)), digits(wide(moment.upper)), moment.nodes);
    REQUIRE(moment.certified);
    REQUIRE(wide(moment.lower) <= exact);
    REQUIRE(exact <= wide(moment.upper));
    REQUIRE(wide(moment.upper) - wide(moment.lower) <= Wide(width) * exact);
}

/// A collinear pair whose every value is off by `error`, and says so.
class Disturbed final : public LikelihoodRatio {
public:
    Disturbed(const CollinearPair& pair, real error) : pair_(pair), error_(error) {}
    [[nodiscard]] LossPoint at(real z) const override {
        LossPoint point = pair_.at(z);
        point.loss *= 1.0L + error_;
        point.excess *= 1.0L + error_;
        point.log_p += error_;
        point.absolute_error += std::fabs(error_) * (1.0L + std::fabs(point.loss));
        point.relative_error += std::fabs(error_);
        return point;
    }
    [[nodiscard]] PairShape shape() const override { return pair_.shape(); }
    [[nodiscard]] TailPair tails(real z) const override { return pair_.tails(z); }

private:
    CollinearPair pair_;
    real error_;
};

/// Densities off by a common factor: the loss stays exact, F is off by that factor.
class Scaled final : public LikelihoodRatio {
public:
    Scaled(const CollinearPair& pair, real error) : pair_(pair), error_(error) {}
    [[nodiscard]] LossPoint at(real z) const override {
        LossPoint point = pair_.at(z);
        point.log_p += error_;
        point.log_q += error_;
        point.absolute_error += std::fabs(error_);
        return point;
    }
    [[nodiscard]] PairShape shape() const override { return pair_.shape(); }
    [[nodiscard]] TailPair tails(real z) const override { return pair_.tails(z); }

private:
    CollinearPair pair_;
    real error_;
};

}  // namespace

TEST_CASE("F - 1 against the unreduced integrand in 50 digits", "[divergence_quadrature]") {
    Random random(131);
    CAPTURE(random.seed());
    for (int i = 0; i < 36 * effort(); ++i) {
        const double q =
            i % 4 == 0 ? 1.0 - random.log_uniform(1e-9, 0.5) : random.log_uniform(1e-7, 1.0);
        const double c = random.log_uniform(2e-3, 4.0);
        const double order =
            1.0 + random.log_uniform(i % 5 == 0 ? 1e-6 : 1e-2, std::min(60.0, 30.0 / c));
        const double x = i % 3 == 1 ? 0.0 : c;
        const double y = i % 3 == 0 ? 0.0 : i % 3 == 1 ? -c : -c * random.uniform(-0.9, 1.0);
        CAPTURE(q, order, x, y);
        const Wide exact = pair_moment(order, q, x, y) - 1;
        check_moment(excess_moment(CollinearPair(q, x, y), order), exact, 1e-13);
    }
}

TEST_CASE("the reference checks itself: half the step, the same 40 digits",
          "[divergence_quadrature]") {
    for (const double order : {1.5, 20.0}) {
        const Wide coarse = pair_moment(order, 0.01, 1.5, -0.5, 118.0);
        const Wide fine = pair_moment(order, 0.01, 1.5, -0.5, 236.0);
        CHECK(abs(coarse / fine - 1) < Wide(1e-45));
    }
    CHECK(abs(pair_moment(7, 0.2, 0.9, 0) / integer_moment(7, 0.2, 0.9) - 1) < Wide(1e-45));
}

TEST_CASE("the binomial pair in both directions", "[divergence_quadrature]") {
    for (const int batch : {1, 3, 12})
        for (const double order : {1.3, 4.0})
            for (const double c : {0.3, 1.2}) {
                const double dataset = 10.0 * batch + 3.0;
                const auto size = static_cast<std::int64_t>(dataset);
                CAPTURE(batch, order, c);
                check_moment(excess_moment(BinomialPair(batch, size, c, true), order),
                             binomial_moment(order, batch, dataset, c) - 1, 1e-13);
                check_moment(excess_moment(BinomialPair(batch, size, c, false), order),
                             binomial_moment(1 - Wide(order), batch, dataset, c) - 1, 1e-13);
            }
}

TEST_CASE("what the nodes say of their errors arrives in the answer", "[divergence_quadrature]") {
    for (const real error : {1e-9L, -1e-9L, 1e-6L, -1e-6L}) {
        const CollinearPair pair(0.05, 0.8L, 0.0L);
        for (const double order : {1.01, 2.5, 12.0}) {
            const ExcessMoment moment = excess_moment(Disturbed(pair, error), order);
            const Wide exact = pair_moment(order, 0.05, Wide(0.8L), 0) - 1;
            CAPTURE(error, order);
            REQUIRE(moment.certified);
            CHECK(wide(moment.lower) <= exact);
            CHECK(exact <= wide(moment.upper));
            const Wide width = wide(moment.upper) / exact - wide(moment.lower) / exact;
            CHECK(width >= 2 * Wide(std::fabs(error)));
            CHECK(width <= 400 * Wide(order) * Wide(std::fabs(error)));
        }
    }
}

TEST_CASE("an error common to both densities arrives too", "[divergence_quadrature]") {
    for (const real error : {1e-9L, -1e-9L, 1e-6L})
        for (const double order : {1.01, 3.0}) {
            // Shifts so short that every loss is below 1.
            const CollinearPair pair(0.05, 0.1L, 0.0L);
            const ExcessMoment moment = excess_moment(Scaled(pair, error), order);
            const Wide exact = pair_moment(order, Wide(0.05), Wide(0.1L), 0) - 1;
            CAPTURE(error, order);
            REQUIRE(moment.certified);
            CHECK(wide(moment.lower) <= exact);
            CHECK(exact <= wide(moment.upper));
        }
}

TEST_CASE("an answer that needs too many nodes is refused, not guessed",
          "[divergence_quadrature]") {
    const CollinearPair pair(0.1, 1.0L, 0.0L);
    const ExcessMoment moment = excess_moment(pair, 5.0L, 10);
    CHECK_FALSE(moment.certified);
    const Enclosure trivial = renyi_divergence(moment, 5.0L);
    CHECK(trivial.lower == 0.0);
    CHECK(std::isinf(trivial.upper));
    CHECK(excess_moment(pair, 5.0L).nodes < 400);
}

TEST_CASE("the divergence is log(F)/(a-1) of both ends", "[divergence_quadrature]") {
    for (const double excess : {1e-30, 1e-3, 1.0, 1e300}) {
        ExcessMoment moment;
        moment.lower = ScaledReal(static_cast<real>(excess));
        moment.upper = ScaledReal(static_cast<real>(excess) * 1.5L);
        const Enclosure e = renyi_divergence(moment, 3.5L);
        CHECK(abs(Wide(e.lower) * Wide(2.5) / log1p(Wide(excess)) - 1) < Wide(1e-15));
        CHECK(Wide(e.lower) * Wide(2.5) <= log1p(Wide(excess)));
        CHECK(Wide(e.upper) * Wide(2.5) >= log1p(Wide(excess) * Wide(1.5)));
        CHECK(abs(Wide(e.upper) * Wide(2.5) / log1p(Wide(excess) * Wide(1.5)) - 1) < Wide(1e-15));
    }
}

TEST_CASE("orders up to 1 and beyond all numbers are refused", "[divergence_quadrature]") {
    const CollinearPair pair(0.1, 1.0L, 0.0L);
    for (const real order :
         {1.0L, 0.5L, -1.0L, std::nanl(""), std::numeric_limits<real>::infinity()}) {
        try {
            static_cast<void>(excess_moment(pair, order));
            FAIL("accepted");
        } catch (const DomainError& error) {
            CHECK(error.parameter() == "alpha");
        }
    }
}

TEST_CASE("shifts beyond the arithmetic's range are not certified, and soon",
          "[divergence_quadrature]") {
    for (const real shift : {1e6L, 1e12L, 1e19L, 1e50L, 1e300L})
        for (const real other : {0.0L, -shift})
            for (const real order : {1.0000001L, 2.0L, 50.0L}) {
                CAPTURE(static_cast<double>(std::log10(shift)), static_cast<double>(order));
                CHECK_FALSE(excess_moment(CollinearPair(0.1L, shift, other), order).certified);
            }
    // An order so large that it lifts the rounding of log P out of range.
    CHECK_FALSE(excess_moment(CollinearPair(0.2L, 1.0L / 1.53e50L, 0.0L), 2.3e40L).certified);
    // Also where the nodes would be too many for what is left of the range.
    CHECK_FALSE(excess_moment(CollinearPair(0.1L, 30.0L, 0.0L), 1.5L, 100).certified);
}
