#include "assay/rdp/binomial_weights.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <cmath>

using namespace assay;

namespace {

using Wide = boost::multiprecision::cpp_bin_float_100;

Wide literal_weight(std::int64_t batch, std::int64_t dataset, std::int64_t n) {
    Wide weight = pow(1 - Wide(1) / dataset, static_cast<int>(batch - n));
    for (std::int64_t i = 0; i < n; ++i) weight *= Wide(batch - i) / (i + 1) / dataset;
    return weight;
}

}  // namespace

TEST_CASE("binomial weights keep their digits at any dataset size", "[binomial_weights]") {
    const std::int64_t batch = GENERATE(1, 5, 120);
    const std::int64_t dataset =
        GENERATE(std::int64_t{2}, std::int64_t{50000}, std::int64_t{1000000000000});
    BinomialWeights weights(batch, dataset);
    for (;; weights.advance()) {
        const Wide exact = log(literal_weight(batch, dataset, weights.n()));
        const Wide distance = abs(Wide(weights.weight().log()) - exact);
        const real rounding = (24.0L + 2.0L * std::fabs(weights.weight().log())) * unit_roundoff;
        INFO(batch << " " << dataset << " " << weights.n());
        CHECK(distance.convert_to<real>() <= weights.log_error() + rounding);
        if (weights.n() == batch) break;
    }
}

TEST_CASE("q~ of all terms is one minus a_0", "[binomial_weights]") {
    for (const std::int64_t dataset : {121, 50000, 1000000000}) {
        const PositiveNumber q = effective_sampling(120, dataset, 120);
        const Wide exact = 1 - literal_weight(120, dataset, 0);
        const Wide ratio = Wide(q.value.value()) / exact - 1;
        CHECK(abs(ratio).convert_to<real>() <= 1.01L * q.log_error);
        CHECK(q.log_error < 1e-16L);
    }
}
