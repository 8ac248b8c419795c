#include "verify/oracles/balls_and_bins_split.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace assay::verify;

namespace {

long double shortfall(long double k, long double w) {
    const auto normal = [](long double x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); };
    const long double z = std::log(k) / w + w / 2.0L;
    return k * normal(z) - normal(z - w);
}

/// E (k - X - Y)_+, a sum over v with the normal of X at z = top - e^v, X = k at the top.
long double shortfall_of_two(long double k, long double w) {
    constexpr long double step = 1.0L / 64.0L;
    const long double top = std::min(std::log(k) / w + w / 2.0L, 12.0L);
    long double sum = 0.0L;
    for (long double v = -36.0L; v < 3.5L; v += step) {
        const long double z = top - std::exp(v);
        const long double x = std::exp(w * z - w * w / 2.0L);
        if (x < k) sum += std::exp(v - z * z / 2.0L) * shortfall(k - x, w);
    }
    return sum * step / std::sqrt(2.0L * std::acos(-1.0L));
}

}  // namespace

TEST_CASE("a sum of two lognormals agrees with a sum over normals", "[balls_and_bins]") {
    for (const double sigma : {0.5, 3.0, 40.0})
        for (const double k : {0.5, 2.1, 100.0})
            for (const long goal : {48, 96}) {
                CAPTURE(sigma, k, goal);
                const Interval at(k, goal + 60);
                const Interval noise(sigma, goal + 60);
                const Interval found = split_integral(
                    at, noise, at, 1.0,
                    [&](const Interval&, const Interval& other) {
                        return one_shortfall(at * other, noise);
                    },
                    goal);
                const double width = (found - found).upper_double() / k;
                CHECK(width < std::ldexp(1.0, static_cast<int>(8 - goal)));
                const auto truth = static_cast<double>(shortfall_of_two(k, 1.0L / sigma));
                CAPTURE(found.lower_text(20), truth);
                CHECK(std::abs(found.lower_double() - truth) <= 1e-12 * k);
            }
}

TEST_CASE("one put is the privacy profile of a Gaussian", "[balls_and_bins]") {
    // E (k - X)_+ + 1 - k at sigma = 2, k = e^0.125 (the value of exact.deterministic_delta,
    // computed independently with 60+ digits, mpmath).
    const Interval k = exp(Interval(0.125, 200));
    const Interval delta = one_shortfall(k, Interval(2.0, 200)) + 1.0 - k;
    const Interval truth = Interval::decimal("0.15038116527960193017224876457853", 200);
    CHECK(abs(delta / truth - 1.0).upper_double() < 1e-30);
}
