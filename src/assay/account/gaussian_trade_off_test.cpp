#include "assay/account/gaussian_trade_off.hpp"

#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

namespace assay {

namespace {

using test_support::Wide;

const Wide oracle("1e-44");  // relative error of the quantile and the tail
const boost::math::normal_distribution<Wide> normal;

/// The z with P(Z > z) = fpr.
Wide quantile_of(double fpr) {
    return boost::math::quantile(complement(normal, Wide(fpr)));
}
Wide exact_power(double fpr, const Wide& mu) {
    return boost::math::cdf(complement(normal, quantile_of(fpr) - mu));
}
Wide exact_miss(double fpr, const Wide& mu) {
    return boost::math::cdf(normal, quantile_of(fpr) - mu);
}

}  // namespace

TEST_CASE("error rates of a shift enclose 50 digits", "[trade_off]") {
    for (const double mu : {0.0, 1e-9, 0.3, 2.0, 20.0})
        for (const double fpr : {1e-300, 1e-12, 0.01, 0.5, 0.9, 1.0 - 0x1p-40}) {
            const GaussianShift shift{static_cast<real>(mu), static_cast<real>(mu)};
            const Wide power = exact_power(fpr, mu);
            const Enclosure found = gaussian_true_positive_rate(shift, fpr);
            const Enclosure miss = gaussian_type_two_error(shift, fpr);
            CAPTURE(mu, fpr);
            CHECK(Wide(found.lower) <= power * (1 + oracle));
            CHECK(Wide(found.upper) >= power * (1 - oracle));
            CHECK(Wide(miss.lower) <= exact_miss(fpr, mu) * (1 + oracle));
            CHECK(Wide(miss.upper) >= exact_miss(fpr, mu) * (1 - oracle));
            CHECK(found.upper - found.lower <= 1e-11 * found.upper);
            // Small errors keep their relative precision, where doubles have any.
            if (miss.lower > 1e-290) CHECK(miss.upper - miss.lower <= 1e-11 * miss.upper);
        }
}

TEST_CASE("a shift between two ends widens both sides", "[trade_off]") {
    const Enclosure found = gaussian_true_positive_rate({1.0L, 1.5L}, 0.1);
    CHECK(Wide(found.lower) <= exact_power(0.1, Wide(1)));
    CHECK(Wide(found.upper) >= exact_power(0.1, Wide(1.5)));
}

TEST_CASE("the shift behind two chances is found again", "[trade_off]") {
    for (const double mu : {0.01, 1.0, 8.0})
        for (const double fpr : {1e-15, 0.2, 0.7}) {
            const auto power = static_cast<real>(exact_power(fpr, Wide(mu)));
            const auto not_power = static_cast<real>(exact_miss(fpr, Wide(mu)));
            const Chance level{fpr, 1.0L - static_cast<real>(fpr)};
            const real below = gaussian_shift_below(level, {power, not_power});
            const real above = gaussian_shift_above(level, {power, not_power});
            CAPTURE(mu, fpr);
            CHECK(below <= mu);
            CHECK(above >= mu);
            CHECK(above - below < 1e-13L * (mu + 10.0L));
        }
    CHECK(gaussian_shift_below({0.1L, 0.9L}, {1.0L, 0.0L}) ==
          std::numeric_limits<real>::infinity());
}

TEST_CASE("levels that are no probabilities are refused", "[trade_off]") {
    for (const double fpr : {-0.1, 1.1, std::nan("")}) {
        CHECK_THROWS_AS(gaussian_true_positive_rate({1.0L, 1.0L}, fpr), DomainError);
        CHECK_THROWS_AS(gaussian_type_two_error({1.0L, 1.0L}, fpr), DomainError);
    }
}

}  // namespace assay
