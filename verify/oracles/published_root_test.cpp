#include "verify/oracles/published_root.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

/// e^{-x}/2: the root is log(1/(2 delta)).
Interval halved_exponential(const Interval& x, long accuracy) {
    return exp(-(x + Interval(0.0, accuracy + 80))) / 2.0;
}

}  // namespace

TEST_CASE("roots far from one and close to zero are enclosed to the digits asked for") {
    for (const long bits : {64, 128, 512})
        for (const double delta : {1e-300, 1e-3, 0.4999999999, 0.5 - 0x1p-40}) {
            CAPTURE(bits, delta);
            const Interval root = least_epsilon(delta, bits, halved_exponential);
            const Interval exact = -log(2.0 * Interval(delta, bits + 200));
            CHECK(overlap(root, exact));
            CHECK(root.relative_width() <= std::ldexp(1.0, static_cast<int>(-bits)));
        }
}

TEST_CASE("a probability that is reached at once needs no epsilon") {
    CHECK(least_epsilon(0.75, 64, halved_exponential).is_zero());
}

TEST_CASE("a root at zero is enclosed") {
    const Interval root = least_epsilon(0.5, 64, halved_exponential);
    CHECK(root.lower_double() == 0.0);
    CHECK(root.upper_double() <= 1.0);
}

TEST_CASE("a profile that ends at zero has its root before the end") {
    // max(0, 1 - x)/2
    const Interval root = least_epsilon(1e-30, 64, [](const Interval& x, long accuracy) {
        const Interval zero(0.0, accuracy + 200);
        return max(zero, 1.0 - (x + zero)) / 2.0;
    });
    CHECK(overlap(root, 1.0 - Interval(2e-30, 200)));
    CHECK(root.relative_width() <= 0x1p-64);
}

TEST_CASE("a profile that never falls has no root") {
    const Interval root = least_epsilon(
        0.25, 64, [](const Interval&, long accuracy) { return Interval(0.5, accuracy); });
    CHECK_FALSE(root.is_finite());
}
