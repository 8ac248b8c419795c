#include "assay/epochs/deterministic_batches.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// E[(e^{L} - e^eps)_+] over the reference normal, by the trapezoid rule in 100 digits from the
/// kink on, in a variable that makes the integrand smooth and decaying at both ends.
Wide quadrature(double s, double eps) {
    const Wide shift = 1 / Wide(s);
    const Wide kink = Wide(eps) * s + shift / 2;
    Wide sum = 0;
    const Wide step = Wide(1) / 32;
    for (int i = -200; i <= 140; ++i) {
        const Wide t = step * i;
        const Wide x = exp(t - exp(-t));
        const Wide z = kink + x;
        const Wide gain = exp(Wide(eps)) * boost::math::expm1(Wide(shift * x));
        sum += gain * normal_density(z) * x * (1 + exp(-t));
    }
    return sum * step;
}

}  // namespace

TEST_CASE("deterministic batches at independent values", "[deterministic_batches]") {
    struct Case {
        double s, eps;
        const char* value;
    };
    for (const Case& c :
         {Case{0.3, 0.5, "0.87822261633462829"}, Case{0.3, 6, "0.34067048731875068"},
          Case{1, 6, "2.7878597637636822e-9"}, Case{2, 2, "9.4391686349472338e-6"}}) {
        CAPTURE(c.s, c.eps);
        CHECK_THAT(deterministic_delta({c.s, 5}, c.eps), encloses_printed(c.value));
    }
}

TEST_CASE("deterministic batches by quadrature", "[deterministic_batches]") {
    Random random(47);
    CAPTURE(random.seed());
    for (int i = 0; i < 10 * effort(); ++i) {
        const double s = random.log_uniform(0.3, 1e4);
        const double eps = random.uniform(0.0, 5.0 / s);
        CAPTURE(s, eps);
        CHECK_THAT(deterministic_delta({s, 1}, eps), Encloses(quadrature(s, eps), 1e-15, 1e-16));
    }
}

TEST_CASE("deterministic batches far out", "[deterministic_batches]") {
    CHECK(deterministic_delta({1.0, 1}, 1e4).lower == 0.0);
    CHECK(deterministic_delta({1e-12, 1}, 1.0).lower > 0.999);
    // Where the second term needs its series: near the first one's median.
    const Enclosure half = deterministic_delta({1e-5, 1}, 0.5e10);
    CHECK(half.lower < 0.5);
    CHECK(half.lower > 0.4999);
    CHECK(half.relative_width() < 1e-15);
    CHECK(refused([] { return deterministic_delta({1.0, 1}, -0.5); }) == "epsilon");
    CHECK(refused([] { return deterministic_delta({0.0, 1}, 0.5); }) == "noise-multiplier");
}
