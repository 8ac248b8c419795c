#include "assay/ldp/utilities.hpp"

#include <algorithm>
#include <cmath>

#include "assay/ldp/category_subset.hpp"
#include "assay/ldp/utilities_dense.hpp"
#include "test_support/enumerated_response.hpp"
#include "test_support/ldp_test_support.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::falling;
using test_support::first_categories;
using test_support::infinity;
using test_support::Random;
using test_support::Wide;

/// Equal, uneven, spread over twelve decades, or half of them zero.
std::vector<double> random_falling(Random& random, int categories) {
    std::vector<double> weights(static_cast<std::size_t>(categories));
    const int kind = random.integer(0, 3);
    for (double& weight : weights) {
        if (kind == 0) weight = 1.0;
        if (kind == 1) weight = random.uniform(0.0, 1.0);
        if (kind == 2) weight = random.log_uniform(1e-12, 1.0);
        if (kind == 3) weight = random.integer(0, 1) * random.uniform(0.1, 1.0);
    }
    weights.front() += 0.01;
    return falling(std::move(weights));
}

std::vector<double> values_of(SubsetUtilities& utilities, Utility utility,
                              const std::vector<double>& theta) {
    const RestrictedResponse& m = utilities.mechanism();
    std::vector<double> values(
        static_cast<std::size_t>(largest_subset(m) - smallest_subset(m) + 1));
    utilities.by_size(utility, theta, values);
    return values;
}

/// Absolute; of U1 relative to -U1 + sum theta^2, the sum of squares that it is computed from.
template <class Real>
double error_against(const test_support::WideMatrix<Real>& g, Utility utility, double value,
                     const std::vector<double>& theta) {
    const Real truth = test_support::utility_by_definition<Real>(utility, g, theta);
    Real scale = 1;
    if (utility == Utility::fisher_information) {
        scale = -truth;
        for (const double p : theta) scale += Real(p) * p;
    }
    return static_cast<double>(abs(value - truth) / scale);
}

/// The largest error over the utilities and sizes; a U1 of -inf is left out.
template <class Real>
double worst_error(SubsetUtilities& utilities, const std::vector<double>& theta) {
    const RestrictedResponse& m = utilities.mechanism();
    double worst = 0.0;
    for (int size = smallest_subset(m); size <= largest_subset(m); ++size) {
        const auto g = test_support::enumerate_matrix<Real>(m, first_categories(size));
        for (const Utility utility : all_utilities) {
            const double value = values_of(
                utilities, utility, theta)[static_cast<std::size_t>(size - smallest_subset(m))];
            if (value == -infinity && utility == Utility::fisher_information) continue;
            worst = std::max(worst, error_against<Real>(g, utility, value, theta));
        }
    }
    return worst;
}

struct Fact {
    Utility utility;
    double epsilon;
    double budget_share;
    std::vector<double> counts;
    int size;
    double value;
};

/// Independent values, to 22 digits at the decimal parameters.
const std::vector<Fact> facts{
    {Utility::fisher_information,
     5,
     0.9,
     {942003, 802292, 418887, 415102, 385216, 332760, 293202, 236311, 196051, 66795},
     5,
     -8.167991518023397835913},
    {Utility::entropy,
     0.5,
     0.9,
     {774349, 532137, 291396, 275997, 151554, 125013, 123720, 74705, 36599, 29831},
     5,
     -2.058327310492990758155},
    {Utility::posterior_total_variation,
     5,
     0.9,
     {915557, 763011, 660773, 475425, 469073, 329142, 290830, 226365, 141737, 54589},
     5,
     0.7671736142974094226179},
    {Utility::marginal_total_variation,
     5,
     0.9,
     {995719, 811554, 759649, 758855, 560786, 499256, 434925, 224153, 79383, 49341},
     5,
     -0.07230554872772889493992},
    {Utility::mean_squared_error,
     0.5,
     0.8,
     {814358, 736511, 600219, 509095, 509053, 481576, 430023, 300250, 161111, 95985},
     5,
     -0.8744124605965595905642},
    {Utility::honest_response,
     1,
     0.8,
     {959794, 922047, 769834, 762202, 713735, 120294, 117199, 108743, 79285, 53348},
     5,
     0.2838126323157466931624},
};

}  // namespace

TEST_CASE("utilities have one name each", "[utilities]") {
    for (const Utility utility : all_utilities)
        CHECK(utility_from_string(to_string(utility)) == utility);
    CHECK(to_string(Utility::posterior_total_variation) == "posterior-total-variation");
    CHECK(test_support::refused([] { return utility_from_string("fisher"); }) == "utility");
}

TEST_CASE("utilities of every size agree with their definitions", "[utilities]") {
    Random random(41);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 24 * test_support::effort(); ++trial) {
        const RestrictedResponse m{
            .categories = random.integer(2, 7),
            .epsilon = random.log_uniform(1e-4, 15.0),
            .budget_share = trial % 6 == 0 ? 1.0 : random.uniform(0.02, 1.0),
            .variant = trial % 4 == 3 ? ResponseVariant::as_released : ResponseVariant::theorem};
        const std::vector<double> theta = random_falling(random, m.categories);
        SubsetUtilities utilities(m);
        CAPTURE(trial, m.categories, m.epsilon, m.budget_share, to_string(m.variant));
        CHECK(worst_error<Wide>(utilities, theta) < 4e-15);
    }
}

TEST_CASE("utilities at the largest budget, with zeros, against 300 digits", "[utilities]") {
    using Digits = test_support::Decimals<300>;
    for (const double share : {0.0, 0.25, 1.0}) {
        SubsetUtilities utilities({.categories = 4, .epsilon = 500.0, .budget_share = share});
        CAPTURE(share);
        CHECK(worst_error<Digits>(utilities, {0.5, 0.5, 0.0, 0.0}) < 4e-15);
        CHECK(worst_error<Digits>(utilities, {0.75, 0.125, 0.125, 0.0}) < 4e-15);
    }
}

TEST_CASE("utilities of every size agree with the dense reference", "[utilities]") {
    Random random(42);
    CAPTURE(random.seed());
    for (const int categories : {20, 33, 70}) {
        const RestrictedResponse m{.categories = categories,
                                   .epsilon = random.uniform(0.5, 3.0),
                                   .budget_share = random.uniform(0.6, 0.95)};
        const std::vector<double> theta = random_falling(random, categories);
        SubsetUtilities utilities(m);
        for (const Utility utility : all_utilities) {
            const std::vector<double> values = values_of(utilities, utility, theta);
            for (int size = 0; size < categories; size += categories < 50 ? 1 : 13) {
                const CategorySubset subset(categories, first_categories(size));
                const double dense = dense_utility(utility, m, subset, theta);
                CAPTURE(categories, size, to_string(utility));
                const double value = values[static_cast<std::size_t>(size)];
                CHECK(std::fabs(value - dense) <= 1e-10 * std::max(1e-3, std::fabs(dense)));
            }
        }
    }
}

TEST_CASE("utilities agree with independent values", "[utilities]") {
    for (const Fact& fact : facts) {
        SubsetUtilities utilities({.categories = static_cast<int>(fact.counts.size()),
                                   .epsilon = fact.epsilon,
                                   .budget_share = fact.budget_share});
        const std::vector<double> values = values_of(utilities, fact.utility, falling(fact.counts));
        CAPTURE(to_string(fact.utility));
        CHECK(values[static_cast<std::size_t>(fact.size)] == Approx(fact.value).epsilon(1e-13));
    }
}

TEST_CASE("utilities are numbers at the edges of every domain", "[utilities]") {
    const std::vector<double> odd_epsilons{1e-300, 1e-150, 1e-12, 1.0, 500.0};
    for (const double epsilon : odd_epsilons)
        for (const double share : {0.0, 1e-300, 1e-9, 0.5, 1.0 - 0x1p-53, 1.0})
            for (const int categories : {2, 3, 6})
                for (const auto variant :
                     {ResponseVariant::theorem, ResponseVariant::as_released}) {
                    SubsetUtilities utilities({categories, epsilon, share, variant});
                    std::vector<double> single(static_cast<std::size_t>(categories), 0.0);
                    single[0] = 1.0;
                    std::vector<double> equal(single.size(), 1.0);
                    for (const auto& theta : {single, falling(equal)})
                        for (const Utility utility : all_utilities) {
                            CAPTURE(epsilon, share, categories, to_string(utility));
                            const bool fisher = utility == Utility::fisher_information;
                            for (const double value : values_of(utilities, utility, theta)) {
                                CHECK(!std::isnan(value));
                                CHECK((std::isfinite(value) || (fisher && value < 0.0)));
                                CHECK(value <= 1.0 + 1e-15);
                            }
                            const int best = utilities.best_size(utility, theta);
                            CHECK(best >= smallest_subset(utilities.mechanism()));
                            CHECK(best <= largest_subset(utilities.mechanism()));
                        }
                }
}

TEST_CASE("the Fisher utility is -inf exactly where answers do not determine theta",
          "[utilities]") {
    const std::vector<double> theta = falling({4.0, 3.0, 2.0, 1.0, 1.0});
    SubsetUtilities whole({.categories = 5, .epsilon = 1.0, .budget_share = 1.0});
    const auto at_one = values_of(whole, Utility::fisher_information, theta);
    SubsetUtilities none({.categories = 5, .epsilon = 1.0, .budget_share = 0.0});
    const auto at_zero = values_of(none, Utility::fisher_information, theta);
    CHECK(std::isfinite(at_one[0]));
    CHECK(std::isfinite(at_one[4]));
    CHECK(at_one[4] == Approx(at_one[0]).epsilon(1e-14));
    CHECK(std::isfinite(at_zero[0]));
    for (std::size_t size : {1U, 2U, 3U}) {
        CHECK(at_one[size] == -infinity);
        CHECK(at_zero[size] == -infinity);
    }
    CHECK(at_zero[4] == -infinity);
}

TEST_CASE("as released the largest size is the one before", "[utilities]") {
    const RestrictedResponse m{5, 1.0, 0.8, ResponseVariant::as_released};
    const std::vector<double> theta = falling({4.0, 3.0, 2.0, 1.0, 1.0});
    SubsetUtilities utilities(m);
    for (const Utility utility : all_utilities) {
        const auto values = values_of(utilities, utility, theta);
        REQUIRE(values.size() == 5);
        CHECK(values[4] == values[3]);
        CHECK(utilities.best_size(utility, theta) < 5);
    }
}

TEST_CASE("sizes of the same mechanism tie, and the smallest wins", "[utilities]") {
    // With the whole budget on S, sizes 0 and K - 1 are both standard randomised response.
    Random random(43);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 50; ++trial) {
        const int categories = random.integer(2, 40);
        SubsetUtilities utilities(
            {.categories = categories, .epsilon = random.uniform(2.0, 12.0), .budget_share = 1.0});
        const std::vector<double> theta = random_falling(random, categories);
        for (const Utility utility : all_utilities) {
            CAPTURE(trial, categories, to_string(utility));
            CHECK(utilities.best_size(utility, theta) != categories - 1);
        }
    }
}

TEST_CASE("distributions are those of the mechanism", "[utilities]") {
    const RestrictedResponse m{6, 2.0, 0.7, ResponseVariant::as_released};
    const SubsetUtilities utilities(m);
    CHECK(utilities.mechanism().epsilon == 2.0);
    for (int size = 0; size <= 6; ++size) {
        CHECK(utilities.distribution(size).subset_size == size);
        CHECK(utilities.distribution(size).honest_outside ==
              response_distribution(m, size).honest_outside);
    }
}

TEST_CASE("utilities refuse what is not an ordered distribution", "[utilities]") {
    SubsetUtilities utilities({.categories = 3, .epsilon = 1.0, .budget_share = 0.9});
    const auto refused = [&](std::vector<double> theta, std::size_t places = 3) {
        return test_support::refused([&] {
            std::vector<double> values(places);
            utilities.by_size(Utility::honest_response, theta, values);
            return 0;
        });
    };
    const double nan = std::nan("");
    CHECK(refused({0.5, 0.3, 0.2}).empty());
    CHECK(refused({0.5, 0.3, 0.2}, 2) == "values");
    for (const auto& theta : std::vector<std::vector<double>>{{0.6, 0.4},
                                                              {0.3, 0.5, 0.2},
                                                              {0.7, 0.4, -0.1},
                                                              {0.5, 0.3, 0.1},
                                                              {0.5, nan, 0.2},
                                                              {nan, 0.5, 0.5},
                                                              {0.5, 0.5, nan},
                                                              {infinity, 0.0, 0.0}})
        CHECK(refused(theta) == "probabilities");
    CHECK(test_support::refused([] {
              return SubsetUtilities({.categories = 1, .epsilon = 1.0, .budget_share = 0.9});
          }) == "categories");
}

}  // namespace assay
