#include <algorithm>
#include <cmath>

#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::quantity_value;

// Closed forms, and quadrature by the trapezoid rule, in double precision, at parameters of
// different values: one that is passed on in another's place is seen.

namespace {

double below(double x) {
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

double gaussian_delta(double sigma, double epsilon) {
    return below(0.5 / sigma - epsilon * sigma) -
           std::exp(epsilon) * below(-0.5 / sigma - epsilon * sigma);
}

/// E of `f`(W), W of two batches.
template <class F>
double mean_of_two_batches(double sigma, const F& f) {
    constexpr double step = 0.01;
    double sum = 0.0;
    for (double x = -9.0; x < 9.0; x += step)
        for (double y = -9.0; y < 9.0; y += step) {
            const double w =
                0.5 * (std::exp(x / sigma) + std::exp(y / sigma)) * std::exp(-0.5 / sigma / sigma);
            sum += f(w) * std::exp(-0.5 * (x * x + y * y));
        }
    return sum * step * step / (2.0 * std::acos(-1.0));
}

/// The largest `f`(C) over a fine grid of C.
template <class F>
double largest(const F& f) {
    double most = 0.0;
    for (double c = -5.0; c < 10.0; c += 1e-4) most = std::max(most, f(c));
    return most;
}

void check_encloses(const Enclosure& found, double expected, double relative) {
    CHECK(found.lower <= expected * (1.0 + relative));
    CHECK(found.upper >= expected * (1.0 - relative));
    CHECK(found.upper - found.lower <= 4e-3 * expected);
}

}  // namespace

TEST_CASE("divergences of balls-and-bins are evaluated at their own parameters", "[formulas]") {
    const double sigma = 1.3;
    const double epsilon = 0.4;
    const double e = std::exp(epsilon);
    const double removal =
        mean_of_two_batches(sigma, [&](double w) { return std::max(w - e, 0.0); });
    const double addition =
        mean_of_two_batches(sigma, [&](double w) { return std::max(1.0 - e * w, 0.0); });
    check_encloses(quantity_value("balls_and_bins.delta_remove",
                                  {{"T", 2.0}, {"sigma", sigma}, {"eps", epsilon}}),
                   removal, 1e-4);
    check_encloses(quantity_value("balls_and_bins.delta_add",
                                  {{"T", 2.0}, {"sigma", sigma}, {"eps", epsilon}}),
                   addition, 1e-4);
    // One batch is the Gaussian mechanism, and four epochs of it one of half the noise.
    check_encloses(quantity_value("balls_and_bins.delta_remove_epochs",
                                  {{"T", 1.0}, {"sigma", sigma}, {"k", 4.0}, {"eps", epsilon}}),
                   gaussian_delta(sigma / 2.0, epsilon), 1e-9);
    check_encloses(
        quantity_value("exact.deterministic_delta", {{"sigma", sigma}, {"eps", epsilon}}),
        gaussian_delta(sigma, epsilon), 1e-12);
    // E W^2 = (e^(1/sigma^2) + T - 1) / T.
    check_encloses(
        quantity_value("exact.balls_and_bins_rdp", {{"T", 7.0}, {"sigma", sigma}, {"alpha", 2.0}}),
        std::log((std::exp(1.0 / sigma / sigma) + 6.0) / 7.0), 1e-12);
    // One step: q times the Gaussian's at log(1 + (e^eps - 1)/q).
    const double q = 0.3;
    check_encloses(quantity_value("poisson.delta_remove",
                                  {{"T", 1.0}, {"sigma", sigma}, {"q", q}, {"eps", epsilon}}),
                   q * gaussian_delta(sigma, std::log1p((e - 1.0) / q)), 1e-9);
}

TEST_CASE("chua2025's thresholds, events and lower bounds have their own parameters",
          "[formulas]") {
    const double sigma = 0.7;
    const double epsilon = 1.5;
    const double batches = 12.0;
    const test_support::Parameters all = {{"T", batches}, {"sigma", sigma}, {"eps", epsilon}};
    const double removal =
        0.5 + sigma * sigma * (epsilon - std::log1p(std::expm1(1.0 / sigma / sigma) / batches));
    const double addition = 0.5 + sigma * sigma * (std::log(batches) - epsilon);
    check_encloses(quantity_value("chua2025.c_eps_remove", all), removal, 1e-12);
    check_encloses(quantity_value("chua2025.c_eps_add", all), addition, 1e-12);
    check_encloses(quantity_value("chua2025.event_probability_remove", all),
                   1.0 - std::pow(below(removal / sigma), batches), 1e-11);
    check_encloses(quantity_value("chua2025.event_probability_add", all),
                   std::pow(below(addition / sigma), batches), 1e-11);
    const auto others = [&](double c) { return std::pow(below(c / sigma), batches - 1.0); };
    check_encloses(quantity_value("chua2025.eq_6", all), largest([&](double c) {
                       return 1.0 - below((c - 1.0) / sigma) * others(c) -
                              std::exp(epsilon) * (1.0 - below(c / sigma) * others(c));
                   }),
                   1e-6);
    check_encloses(quantity_value("chua2025.shuffle_lower", all), largest([&](double c) {
                       return 1.0 - below((c - 2.0) / sigma) * others(c) -
                              std::exp(epsilon) * (1.0 - below((c - 1.0) / sigma) * others(c));
                   }),
                   1e-6);
}

TEST_CASE("confidence bounds and order statistics have their own parameters", "[formulas]") {
    const double q = 0.2;
    const double p =
        quantity_value("chua2025.kl_upper_confidence", {{"q", q}, {"m", 50.0}, {"beta", 1e-3}})
            .upper;
    CHECK(p > q);
    CHECK(q * std::log(q / p) + (1.0 - q) * std::log((1.0 - q) / (1.0 - p)) ==
          Approx(std::log(1e3) / 50.0).epsilon(1e-10));
    // The k-th largest of R uniforms: the harmonic sum over R - k + 1 .. R, negative.
    CHECK(quantity_value("order_statistics.mean_log_uniform", {{"R", 5.0}, {"k", 2.0}}).upper ==
          Approx(-1.0 / 4.0 - 1.0 / 5.0).epsilon(1e-12));
    CHECK(quantity_value("order_statistics.mean_normal", {{"R", 3.0}, {"k", 1.0}}).lower ==
          Approx(1.5 / std::sqrt(std::acos(-1.0))).epsilon(1e-9));
    CHECK(quantity_value("order_statistics.mean_normal", {{"R", 3.0}, {"k", 3.0}}).lower ==
          Approx(-1.5 / std::sqrt(std::acos(-1.0))).epsilon(1e-9));
}
