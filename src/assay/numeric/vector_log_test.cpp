#include "assay/numeric/vector_log.hpp"

#include <algorithm>
#include <array>
#include <cfloat>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::Random;
using test_support::Wide;

double error(double x) {
    return test_support::error_in_ulp(vector_log(x), log(Wide(x)));
}

ASSAY_VECTOR_CLONES
void logs_of(const double* x, double* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = vector_log(x[i]);
}

}  // namespace

TEST_CASE("vector_log is within one ulp of 50 digits", "[vector-log]") {
    Random random(91);
    CAPTURE(random.seed());
    double worst = 0.0;
    for (int i = 0; i < 3000 * test_support::effort(); ++i) {
        worst = std::max(worst, error(random.log_uniform(1e-300, 1e300)));
        worst = std::max(worst, error(random.uniform(0.6, 1.6)));
        worst = std::max(worst, error(1.0 + random.uniform(-1.0, 1.0) * 1e-6));
    }
    CHECK(worst < 1.0);
    CHECK(worst > 0.5);
}

TEST_CASE("vector_log at the edges of its reduction", "[vector-log]") {
    CHECK(vector_log(1.0) == 0.0);
    CHECK(vector_log(2.0) == std::numbers::ln2);
    const double root = std::sqrt(0.5);
    for (const double x : {root, std::nextafter(root, 0.0), std::nextafter(root, 1.0), 2.0 * root,
                           std::nextafter(2.0 * root, 0.0), std::nextafter(1.0, 0.0),
                           std::nextafter(1.0, 2.0), DBL_MIN, DBL_MAX}) {
        CAPTURE(x);
        CHECK(error(x) < 1.0);
    }
}

TEST_CASE("vector_log has the same bits in a vectorised loop", "[vector-log]") {
    Random random(92);
    CAPTURE(random.seed());
    std::array<double, 1003> x{};
    std::array<double, 1003> out{};
    for (double& value : x) value = random.log_uniform(1e-12, 1.0);
    logs_of(x.data(), out.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double one = x[i];
        double alone = 0.0;
        logs_of(&one, &alone, 1);
        CHECK(out[i] == alone);
    }
}

}  // namespace assay
