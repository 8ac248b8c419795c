#include "assay/rdp/divergence_curve.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/binomial_pair.hpp"
#include "assay/rdp/collinear_pair.hpp"
#include "assay/rdp/divergence_quadrature.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Every order of the curve must meet the enclosure of that order alone, which has other nodes.
void check_curve(const LikelihoodRatio& pair, const std::vector<double>& orders, double width) {
    const std::vector<Enclosure> curve = divergence_curve(pair, orders);
    REQUIRE(curve.size() == orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const Enclosure single = renyi_divergence(pair, orders[i]);
        CAPTURE(orders[i], curve[i].lower, curve[i].upper, single.lower, single.upper);
        REQUIRE(curve[i].lower <= curve[i].upper);
        REQUIRE(curve[i].relative_width() <= width);
        REQUIRE(curve[i].lower <= single.upper);
        REQUIRE(single.lower <= curve[i].upper);
    }
}

}  // namespace

TEST_CASE("a curve against 50 digits at every order", "[divergence_curve]") {
    const std::vector<double> orders{1.0000001, 1.01, 1.5, 2.0, 3.7, 10.9, 33.0};
    struct Case {
        double q, x, y;
    };
    for (const Case& p : {Case{0.0024, 1.0 / 3.0, 0.0}, Case{0.3, 1.0, -1.0}, Case{0.9, 0.0, -0.7},
                          Case{1e-6, 0.02, 0.0}}) {
        const CollinearPair pair(p.q, p.x, p.y);
        const std::vector<Enclosure> curve = divergence_curve(pair, orders);
        for (std::size_t i = 0; i < orders.size(); ++i) {
            CAPTURE(p.q, p.x, p.y, orders[i]);
            const Wide order(orders[i]);
            REQUIRE_THAT(curve[i],
                         Encloses(divergence(pair_moment(order, p.q, p.x, p.y), order), 4e-12));
        }
    }
}

TEST_CASE("curves agree with single orders over the regimes", "[divergence_curve]") {
    Random random(141);
    CAPTURE(random.seed());
    for (int i = 0; i < 25 * effort(); ++i) {
        const double q = random.log_uniform(1e-9, 0.999);
        const double c = random.log_uniform(2e-4, i % 3 == 0 ? 40.0 : 2.0);
        std::vector<double> orders;
        for (int j = 0; j < 12; ++j) orders.push_back(1.0 + random.log_uniform(1e-3, 500.0));
        CAPTURE(q, c);
        check_curve(CollinearPair(q, c, i % 2 == 0 ? 0.0 : -c), orders, 1e-11);
    }
    check_curve(BinomialPair(120, 50000, 1.0L / 3.0L, true), {1.01, 1.5, 2.0, 2.5}, 1e-11);
    check_curve(BinomialPair(30, 400, 0.2L, true), {1.5, 2.0, 9.0, 40.0, 200.0}, 1e-11);
    check_curve(BinomialPair(30, 400, 0.2L, false), {1.5, 2.0, 9.0}, 1e-11);
}

TEST_CASE("orders beyond the range of doubles, in the same list as small ones",
          "[divergence_curve]") {
    const std::vector<double> orders{1.5, 2.0, 64.0, 700.0, 5000.5, 10000.0};
    for (const double c : {0.5, 2.0, 40.0}) {
        const std::vector<Enclosure> curve = divergence_curve(CollinearPair(0.01, c, 0.0), orders);
        for (const std::size_t i :
             {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}}) {
            const auto order = static_cast<int>(orders[i]);
            CAPTURE(c, order);
            // log-sum of the integer terms, scaled by the largest one.
            const Wide top = Wide(c) * Wide(c) * order * (order - 1) / 2;
            Wide sum = 0;
            Wide log_weight = order * log1p(-Wide(0.01));
            if (order > 2000) log_weight = order * log(Wide(0.01));
            if (order <= 2000) {
                for (int k = 0; k <= order; ++k) {
                    sum += exp(log_weight + Wide(c) * Wide(c) * k * (k - 1) / 2 - top);
                    if (k < order) log_weight += log(Wide(order - k) / (k + 1) / 99);
                }
            } else {  // from the top down: the terms fall off at once
                for (int k = order; k >= order - 200; --k) {
                    sum += exp(log_weight + Wide(c) * Wide(c) * k * (k - 1) / 2 - top);
                    log_weight += log(Wide(k) / (order - k + 1) * 99);
                }
            }
            // q = 0.01 is not 1/100 exactly: 99 is off by a relative 1e-16.
            REQUIRE_THAT(curve[i], Encloses((top + log(sum)) / (order - 1), 1e-11, 1e-13));
        }
    }
}

TEST_CASE("losses beyond 100 nats count with their exact weight", "[divergence_curve]") {
    // |B| = 2, |D| = 50,000, c = 6.5, computed with 60 digits by mpmath.
    const std::vector<double> orders{1.01};
    const std::vector<Enclosure> curve =
        divergence_curve(BinomialPair(2, 50000, 6.5L, true), orders);
    CHECK_THAT(curve[0], Encloses(Wide("0.00044313637566446972207822431568274037"), 1e-11, 1e-16));
}

TEST_CASE("the order of the list does not matter, an empty list is empty", "[divergence_curve]") {
    const CollinearPair pair(0.01, 0.5L, 0.0L);
    const std::vector<double> up{1.5, 4.0, 30.0};
    const std::vector<double> down{30.0, 4.0, 1.5};
    const auto first = divergence_curve(pair, up);
    const auto second = divergence_curve(pair, down);
    for (std::size_t i = 0; i < 3; ++i) CHECK(first[i] == second[2 - i]);
    CHECK(divergence_curve(pair, {}).empty());
}

TEST_CASE("a bad order anywhere in the list is refused", "[divergence_curve]") {
    const CollinearPair pair(0.01, 0.5L, 0.0L);
    for (const double order :
         {1.0, 0.0, -2.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        const std::vector<double> orders{2.0, order, 3.0};
        CHECK_THROWS_AS(divergence_curve(pair, orders), DomainError);
    }
}
