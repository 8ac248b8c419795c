#include "assay/rdp/binomial_weights.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Digits100;

namespace {

Digits100 literal_weight(std::int64_t batch, std::int64_t dataset, std::int64_t n) {
    Digits100 weight = pow(1 - Digits100(1) / dataset, static_cast<int>(batch - n));
    for (std::int64_t i = 0; i < n; ++i) weight *= Digits100(batch - i) / (i + 1) / dataset;
    return weight;
}

}  // namespace

TEST_CASE("binomial weights keep their digits at any dataset size", "[binomial_weights]") {
    const std::int64_t batch = GENERATE(1, 5, 120);
    const std::int64_t dataset =
        GENERATE(std::int64_t{2}, std::int64_t{50000}, std::int64_t{1000000000000});
    BinomialWeights weights(batch, dataset);
    for (;; weights.advance()) {
        const Digits100 exact = log(literal_weight(batch, dataset, weights.n()));
        const Digits100 distance = abs(Digits100(weights.weight().log()) - exact);
        const real rounding = (24.0L + 2.0L * std::fabs(weights.weight().log())) * unit_roundoff;
        INFO(batch << " " << dataset << " " << weights.n());
        CHECK(distance.convert_to<real>() <= weights.log_error() + rounding);
        if (weights.n() == batch) break;
    }
}

TEST_CASE("q~ of all terms is one minus a_0", "[binomial_weights]") {
    for (const std::int64_t dataset : {121, 50000, 1000000000}) {
        const PositiveNumber q = effective_sampling(120, dataset, 120);
        const Digits100 exact = 1 - literal_weight(120, dataset, 0);
        const Digits100 ratio = Digits100(q.value.value()) / exact - 1;
        CHECK(abs(ratio).convert_to<real>() <= 1.01L * q.log_error);
        CHECK(q.log_error < 1e-16L);
    }
}
