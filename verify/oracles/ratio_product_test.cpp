#include "verify/oracles/ratio_product.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "verify/oracles/balls_and_bins_epoch.hpp"

using namespace assay::verify;

namespace {

Interval ratio_number(double x) {
    return {x, ratio_bits};
}

/// The interval holds the truth and is narrower than `width` of it.
void check_holds(const Interval& found, const Interval& truth, double width) {
    CAPTURE(found.lower_text(12), found.upper_text(12), truth.lower_text(12));
    CHECK(overlap(found, truth));
    CHECK(found.relative_width() < width);
}

/// E (W - k)_+ by a sum over quantiles: no proof, 6 digits.
double summed_excess(double q, double c, double k) {
    const double step = 1e-4;
    double sum = 0.0;
    for (double z = -9.0 + step / 2; z < 9.0 + c; z += step)
        sum += step * std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)) *
               std::max(1.0 - q + q * std::exp(c * z - c * c / 2) - k, 0.0);
    return sum;
}

}  // namespace

TEST_CASE("two Gaussian steps are one of the root of two times the size", "[ratio_product]") {
    for (const double c : {0.2, 1.0, 2.5})
        for (const double eps : {0.0, 0.5}) {
            CAPTURE(c, eps);
            const Interval shift = ratio_number(c);
            const Interval k = exp(ratio_number(eps));
            const Interval truth = removal_ratio(1.0, shift * sqrt(ratio_number(2.0))).excess(k);
            const RatioDistribution one = removal_ratio(1.0, shift);
            check_holds(product_excess(one, one, k, 300), truth, 3e-3);
            // The Gaussian is its own mirror image.
            const RatioDistribution back = addition_ratio(1.0, shift);
            check_holds(product_excess(back, one, k, 300), truth, 3e-3);
        }
}

TEST_CASE("calls of one step", "[ratio_product]") {
    const double c = 0.8;
    for (const double q : {0.05, 0.5})
        for (const double k : {0.7, 0.97, 1.0, 1.1, 2.0}) {
            CAPTURE(q, k);
            const double removal =
                removal_ratio(q, ratio_number(c)).excess(ratio_number(k)).upper_double();
            CHECK(removal == Approx(summed_excess(q, c, k)).epsilon(1e-5));
            // E (1 - k W)_+ = k (E (W - 1/k)_+ + 1/k - 1).
            const double addition =
                addition_ratio(q, ratio_number(c)).excess(ratio_number(k)).upper_double();
            CHECK(addition ==
                  Approx(k * summed_excess(q, c, 1.0 / k) + 1.0 - k).epsilon(1e-5).margin(1e-9));
            if (k >= 1.0)
                CHECK(symmetric_ratio(q, ratio_number(c)).excess(ratio_number(k)).upper_double() ==
                      Approx(removal));
        }
}

TEST_CASE("the antipodal pair's call by a sum over quantiles, on either side of 1",
          "[ratio_product]") {
    const double c = 0.8;
    const double step = 1e-4;
    for (const double q : {0.05, 0.5, 1.0})
        for (const double k : {0.3, 0.97, 1.0, 1.1, 4.0}) {
            CAPTURE(q, k);
            double sum = 0.0;
            for (double z = -9.0 - c + step / 2; z < 9.0 + c; z += step) {
                const double up = 1.0 - q + q * std::exp(c * z - c * c / 2);
                const double down = 1.0 - q + q * std::exp(-c * z - c * c / 2);
                sum += step * std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)) *
                       std::max(up - k * down, 0.0);
            }
            CHECK(antipodal_ratio(q, ratio_number(c)).excess(ratio_number(k)).upper_double() ==
                  Approx(sum).epsilon(1e-5));
        }
}

TEST_CASE("two Poisson steps meet quadrature", "[ratio_product]") {
    for (const double q : {0.01, 0.3}) {
        const RatioDistribution step = removal_ratio(q, ratio_number(0.5));
        const Interval k = exp(ratio_number(0.125));
        const Interval truth =
            poisson_shortfall(2, k, ratio_number(q), ratio_number(2.0), 100) + 1.0 - k;
        check_holds(product_excess(step, step, k, 1000), truth, 2e-3);
    }
}

TEST_CASE("an epoch and a Gaussian step, either one in the other", "[ratio_product]") {
    const RatioDistribution step = removal_ratio(1.0, ratio_number(0.5));
    const RatioDistribution epoch = two_batches_ratio(1.0, false);
    const Interval k = exp(ratio_number(1.0));
    const Interval here = product_excess(step, epoch, k, 100);
    check_holds(product_excess(epoch, step, k, 100), here, 2e-2);
    check_holds(here, here, 2e-2);
    CHECK(certainly_below(epoch.excess(k), here));
}
