#include "experiments/birrell2024/batch_mean_variance.hpp"

#include <cmath>

#include "assay/rdp/gradient_variance.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::experiments::birrell2024;

namespace {

Gradients random_gradients(std::size_t examples, std::size_t size, std::uint64_t seed) {
    test_support::Random random(seed);
    Gradients gradients(examples);
    for (auto& gradient : gradients)
        for (std::size_t j = 0; j < size; ++j)
            gradient.push_back(static_cast<float>(random.uniform(-1.0, 2.0)));
    return gradients;
}

}  // namespace

TEST_CASE("total variances are sums of the scalar ones", "[experiments]") {
    const Gradients gradients = random_gradients(30, 4, 1);
    const BatchMeanVariance total = closed_forms(gradients, 7);
    BatchMeanVariance sum;
    for (std::size_t j = 0; j < 4; ++j) {
        std::vector<double> a;
        for (const auto& gradient : gradients) a.push_back(gradient[j]);
        sum.poisson += variance_poisson(a, 7).upper;
        sum.with_replacement += variance_with_replacement(a, 7).upper;
        sum.without_replacement += variance_without_replacement(a, 7).upper;
    }
    CHECK(total.poisson == Approx(sum.poisson).epsilon(1e-12));
    CHECK(total.with_replacement == Approx(sum.with_replacement).epsilon(1e-12));
    CHECK(total.without_replacement == Approx(sum.without_replacement).epsilon(1e-12));
}

TEST_CASE("listing every batch gives the closed forms", "[experiments]") {
    for (const std::int64_t batch : {1, 3, 4}) {
        const Gradients gradients = random_gradients(8, 3, 2);
        const BatchMeanVariance listed = by_enumeration(gradients, batch);
        const BatchMeanVariance closed = closed_forms(gradients, batch);
        CHECK(listed.poisson == Approx(closed.poisson).epsilon(1e-12));
        CHECK(listed.with_replacement == Approx(closed.with_replacement).epsilon(1e-12));
        CHECK(listed.without_replacement == Approx(closed.without_replacement).epsilon(1e-12));
    }
    CHECK(test_support::refused([] { return by_enumeration(random_gradients(9, 1, 1), 2); }) ==
          "examples");
    CHECK(test_support::refused([] { return by_enumeration(random_gradients(5, 1, 1), 5); }) ==
          "batch size");
    CHECK(test_support::refused([] { return by_enumeration(random_gradients(3, 1, 1), 4); }) ==
          "batch size");
}

TEST_CASE("simulated batches agree within their standard error", "[experiments]") {
    const Gradients gradients = random_gradients(50, 3, 3);
    const BatchMeanVariance closed = closed_forms(gradients, 10);
    struct Case {
        SamplingScheme scheme;
        double exact;
    };
    for (const Case& c :
         {Case{SamplingScheme::poisson, closed.poisson},
          Case{SamplingScheme::fixed_size_with_replacement, closed.with_replacement},
          Case{SamplingScheme::fixed_size_without_replacement, closed.without_replacement}}) {
        const Simulated found = by_simulation(gradients, {c.scheme, 50, 10, std::nullopt, 5}, 4000);
        CHECK(std::abs(found.variance - c.exact) < 5.0 * found.standard_error);
        CHECK(found.standard_error < 0.05 * c.exact);
    }
}
