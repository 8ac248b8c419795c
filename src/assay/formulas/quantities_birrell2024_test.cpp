#include <cmath>
#include <vector>

#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::Parameters;
using test_support::quantity_value;

// The written formulas in double precision at parameters of different values. The bounds are put
// together from the moments, coefficients and remainders that are quantities of their own.

namespace {

constexpr double alpha = 3.5;
constexpr double sigma = 4.0;
constexpr double q = 0.02;

double exp_of(const char* name, Parameters parameters) {
    return std::exp(quantity_value(name, parameters).upper);
}

/// e^((alpha - 1) rdp).
double moment_of(const char* name, double terms) {
    return std::exp(
        (alpha - 1.0) *
        quantity_value(name, {{"alpha", alpha}, {"sigma", sigma}, {"m", terms}, {"q", q}}).upper);
}

}  // namespace

TEST_CASE("Taylor moments are those of the noise and order asked for", "[formulas]") {
    const double square = 4.0 / sigma / sigma;
    const double second = std::expm1(square);
    const double third = std::exp(3.0 * square) - 3.0 * std::exp(square) + 2.0;
    const double fourth =
        std::exp(6.0 * square) - 4.0 * std::exp(3.0 * square) + 6.0 * std::exp(square) - 3.0;
    CHECK(exp_of("birrell2024.log_M", {{"sigma", sigma}, {"k", 2.0}}) == Approx(second));
    CHECK(exp_of("birrell2024.log_M", {{"sigma", sigma}, {"k", 3.0}}) == Approx(third));
    CHECK(exp_of("birrell2024.log_B_tilde", {{"sigma", sigma}, {"j", 4.0}}) == Approx(fourth));
    CHECK(exp_of("birrell2024.log_B_tilde", {{"sigma", sigma}, {"j", 3.0}}) ==
          Approx(std::sqrt(second * fourth)));
}

TEST_CASE("Theorems 3.3 and 3.4 are the sums of their terms", "[formulas]") {
    const double square = 4.0 / sigma / sigma;
    const Parameters all = {{"alpha", alpha}, {"sigma", sigma}, {"m", 3.0}, {"q", q}};
    CHECK(moment_of("birrell2024.thm_3_3", 3.0) - 1.0 ==
          Approx(0.5 * alpha * (alpha - 1.0) * q * q * std::expm1(square) +
                 exp_of("birrell2024.log_R_bound", all))
              .epsilon(1e-9));
    const double leading =
        q * q * alpha * (alpha - 1.0) * (std::exp(square) - std::exp(0.5 * square));
    CHECK(moment_of("birrell2024.thm_3_4", 3.0) - 1.0 ==
          Approx(leading + exp_of("birrell2024.log_E_tilde", all)).epsilon(1e-9));
    CHECK(moment_of("birrell2024.thm_3_4", 4.0) - 1.0 ==
          Approx(leading +
                 q * q * q / 6.0 *
                     exp_of("birrell2024.log_F_tilde",
                            {{"alpha", alpha}, {"sigma", sigma}, {"k", 3.0}}) +
                 exp_of("birrell2024.log_E_tilde",
                        {{"alpha", alpha}, {"sigma", sigma}, {"m", 4.0}, {"q", q}}))
              .epsilon(1e-9));
    // Theorem C.9: integrals of half the distance.
    const double quarter = 1.0 / sigma / sigma;
    CHECK(moment_of("birrell2024.thm_c_9_as_printed", 3.0) - 1.0 ==
          Approx(q * q * alpha * (alpha - 1.0) * (std::exp(quarter) - std::exp(-quarter)) +
                 exp_of("birrell2024.log_E_tilde",
                        {{"alpha", alpha}, {"sigma", 2.0 * sigma}, {"m", 3.0}, {"q", q}}))
              .epsilon(1e-9));
    CHECK(moment_of("birrell2024.thm_c_9_repaired", 4.0) >=
          moment_of("birrell2024.thm_c_9_as_printed", 4.0));
}

TEST_CASE("variances are those of the gradients and batch size given", "[formulas]") {
    const std::vector<double> gradients{1.0, 2.0, 4.0, 9.0};  // mean 4, squares 102 and 38
    const Parameters all = {{"a", gradients}, {"B", 3.0}};
    CHECK(quantity_value("birrell2024.variance_poisson", all).upper ==
          Approx((1.0 / 3.0 - 1.0 / 4.0) * 102.0 / 4.0));
    CHECK(quantity_value("birrell2024.variance_with_replacement", all).upper ==
          Approx(38.0 / 12.0));
    CHECK(quantity_value("birrell2024.variance_without_replacement", all).upper ==
          Approx((1.0 / 3.0 - 1.0 / 4.0) * 38.0 / 3.0));
}
