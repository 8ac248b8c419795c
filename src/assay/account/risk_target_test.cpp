#include "assay/account/risk_target.hpp"

#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

namespace assay {

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string refused_field(const RiskTarget& target) {
    return test_support::refused([&] {
        validate(target);
        return 0;
    });
}

}  // namespace

TEST_CASE("each target names its limit", "[calibrate]") {
    CHECK(limit_of(PrivacyTarget{1.0, 1e-5}) == 1e-5);
    CHECK(limit_of(PowerTarget{0.01, 0.1}) == 0.1);
    CHECK(limit_of(MuTarget{0.5, 0.0}) == 0.5);
    CHECK(limit_of(AdvantageTarget{0.2}) == 0.2);
    CHECK(std::string(risk_name(PrivacyTarget{})) == "delta");
    CHECK(std::string(risk_name(PowerTarget{})) == "true_positive_rate");
    CHECK(std::string(risk_name(MuTarget{})) == "gaussian_mu");
    CHECK(std::string(risk_name(AdvantageTarget{})) == "advantage");
}

TEST_CASE("the risk of a Gaussian step has a closed form for every target", "[calibrate]") {
    const Release release{Adjacency::add_remove, {{Gaussian{2.0}, 1}}};
    const boost::math::normal_distribution<double> normal;
    const double mu = 0.5;
    const auto around = [&](const RiskTarget& target, double exact) {
        const Bracket found = risk(release, target, {});
        CAPTURE(risk_name(target), exact);
        CHECK(found.lower.value <= exact * (1.0 + 1e-12));
        CHECK(found.upper.value >= exact * (1.0 - 1e-12));
        CHECK(found.gap() < 1e-3);
    };
    around(PrivacyTarget{0.7, 0.1},
           cdf(normal, mu / 2 - 0.7 / mu) - std::exp(0.7) * cdf(normal, -mu / 2 - 0.7 / mu));
    around(PowerTarget{0.01, 0.5},
           cdf(complement(normal, quantile(complement(normal, 0.01)) - mu)));
    around(MuTarget{1.0, 0.0}, mu);
    around(AdvantageTarget{0.5}, 2.0 * cdf(normal, mu / 2) - 1.0);
}

TEST_CASE("targets outside their domain are refused by the name of the field", "[calibrate]") {
    for (const double epsilon : {-1.0, not_a_number, HUGE_VAL})
        CHECK(refused_field(PrivacyTarget{epsilon, 0.1}) == "epsilon");
    for (const double delta : {0.0, 1.0, not_a_number})
        CHECK(refused_field(PrivacyTarget{1.0, delta}) == "delta");
    CHECK(refused_field(PowerTarget{0.0, 0.5}) == "false positive rate");
    CHECK(refused_field(PowerTarget{0.5, 0.5}) == "true positive rate");
    CHECK(refused_field(PowerTarget{0.5, 1.0}) == "true positive rate");
    CHECK(refused_field(MuTarget{0.0, 0.0}) == "mu");
    CHECK(refused_field(MuTarget{1.0, 0.5}) == "smallest error");
    CHECK(refused_field(AdvantageTarget{1.0}) == "advantage");
    CHECK(refused_field(PrivacyTarget{0.0, 0.5}).empty());
}

}  // namespace assay
