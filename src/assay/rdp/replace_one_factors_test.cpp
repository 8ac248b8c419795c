#include "assay/rdp/replace_one_factors.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Digits100;

namespace {

/// The products of (83) as they are printed, alpha/(alpha-1) included.
Digits100 literal_ratio(const Digits100& alpha, int k, int j) {
    Digits100 product = alpha / (alpha - 1);
    for (int l = 0; l < j; ++l) product *= 1 - l / alpha;
    for (int l = 0; l < k - j; ++l) product *= 1 + (l - 1) / alpha;
    return product;
}

}  // namespace

TEST_CASE("the factors equal the printed products", "[replace_one_factors]") {
    const double order = GENERATE(1.0 + 1e-12, 1.5, 2.0, 3.0 - 1e-12, 10.9, 63.0, 9999.5);
    ReplaceOneFactors factors(24);
    factors.prepare(order);
    for (const int k : {1, 2, 3, 4, 9, 24}) {
        Digits100 sum = 0;
        Digits100 binomial = 1;
        for (int j = 0; j <= k; ++j) {
            const Digits100 exact = literal_ratio(order, k, j);
            INFO(order << " " << k << " " << j);
            CHECK(abs(Digits100(factors.ratio(k, j)) - exact) <=
                  abs(exact) * Digits100(4 * k + 4) * unit_roundoff);
            sum += binomial * abs(exact - 1);
            binomial = binomial * (k - j) / (j + 1);
        }
        const ReplaceOneFactors::Spread spread = factors.spread(k);
        CHECK(abs(Digits100(spread.sum) - sum) <= Digits100(spread.error));
    }
}

TEST_CASE("an integer order makes the long falling products vanish", "[replace_one_factors]") {
    ReplaceOneFactors factors(8);
    factors.prepare(3.0L);
    for (int j = 4; j <= 8; ++j) CHECK(factors.ratio(8, j) == 0.0L);
    CHECK(factors.ratio(8, 3) > 0.0L);
}
