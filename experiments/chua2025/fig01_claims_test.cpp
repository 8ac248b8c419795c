#include "experiments/chua2025/fig01_claims.hpp"

#include <cmath>

#include "experiments/significance.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::experiments;
using namespace assay::experiments::chua2025;

namespace {

constexpr SamplingScheme shuffle = SamplingScheme::shuffle;
constexpr SamplingScheme poisson_scheme = SamplingScheme::poisson;
constexpr SamplingScheme balls = SamplingScheme::balls_and_bins;

const std::vector<AucSample> samples{
    {shuffle, 16, 0.0, {0.70, 0.71, 0.72}},        {poisson_scheme, 16, 0.0, {0.67, 0.69, 0.68}},
    {balls, 16, 0.0, {0.71, 0.70, 0.75}},          {shuffle, 32, 0.0, {0.61, 0.60, 0.62}},
    {poisson_scheme, 32, 0.0, {0.62, 0.60, 0.60}}, {shuffle, 16, 0.1, {0.9, 0.8, 0.7}},
    {poisson_scheme, 16, 0.1, {0.1, 0.2, 0.1}}};

Lead lead(double from, double to) {
    return lead_of(samples, {&shuffle, 1}, {&poisson_scheme, 1}, from, to);
}

}  // namespace

TEST_CASE("a lead in one setting is Welch's test of it", "[experiments]") {
    const Lead found = lead(0.1, 1.0);
    const double p = welch_p_value(samples[5].aucs, samples[6].aucs);
    CHECK(found.settings == 1);
    CHECK(found.ahead == Approx(p).epsilon(1e-12));
    CHECK(found.behind == Approx(1.0 - p).epsilon(1e-12));
    CHECK(found.least_two_sided == Approx(2.0 * p).epsilon(1e-12));
    CHECK(found.mean == Approx(0.8 - 0.4 / 3.0));
    CHECK(found.standard_error == Approx(std::sqrt(0.01 / 3.0 + 0.01 / 9.0)));
}

TEST_CASE("two settings are combined as by Fisher", "[experiments]") {
    const Lead found = lead(0.0, 0.0);
    const double product = welch_p_value(samples[0].aucs, samples[1].aucs) *
                           welch_p_value(samples[3].aucs, samples[4].aucs);
    CHECK(found.settings == 2);
    // P(U V < x) = x (1 - log x) for two uniform numbers.
    CHECK(found.ahead == Approx(product * (1.0 - std::log(product))).epsilon(1e-12));
    CHECK(found.mean == Approx(0.5 * (0.03 + 0.61 - 1.82 / 3.0)));
}

TEST_CASE("samplers taken together have all their runs", "[experiments]") {
    const SamplingScheme both[] = {shuffle, balls};
    const std::vector<AucSample> first(samples.begin(), samples.begin() + 3);
    const Lead found = lead_of(first, both, {&poisson_scheme, 1}, 0.0, 0.0);
    CHECK(found.settings == 1);
    CHECK(found.mean == Approx(4.29 / 6.0 - 0.68));
    CHECK(found.ahead ==
          Approx(welch_p_value(std::vector<double>{0.70, 0.71, 0.72, 0.71, 0.70, 0.75},
                               samples[1].aucs)));
}

TEST_CASE("no settings decide nothing", "[experiments]") {
    const Lead found = lead(0.2, 0.3);
    CHECK(found.settings == 0);
    CHECK(found.ahead == 1.0);
    CHECK(found.behind == 1.0);
}
