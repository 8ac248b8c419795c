#include "assay/ldp/subset_choice.hpp"

#include <algorithm>
#include <cmath>

#include "test_support/ldp_test_support.hpp"
#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::falling;
using test_support::Random;

struct BestSize {
    Utility utility;
    double epsilon;
    double budget_share;
    std::vector<double> counts;
    int size;
};

/// Independent values, by the definitions in many digits.
const std::vector<BestSize> best_sizes{
    {Utility::fisher_information,
     0.5,
     0.8,
     {1000000, 750000, 562500, 421875, 316406, 237305, 177979, 133484},
     0},
    {Utility::fisher_information,
     1,
     0.9,
     {978963, 897110, 886187, 805261, 772327, 714647, 546794, 310897, 306599, 287271, 111099,
      37851},
     0},
    {Utility::entropy, 0.5, 0.9, {1000000, 600000, 360000, 216000, 129600, 77760, 46656, 27994}, 2},
    {Utility::entropy,
     1,
     0.9,
     {992350, 513850, 487317, 461115, 436739, 403458, 401320, 342207, 308563, 279183, 151633,
      83413},
     2},
    {Utility::posterior_total_variation,
     0.5,
     0.8,
     {1000000, 600000, 360000, 216000, 129600, 77760, 46656, 27994},
     1},
    {Utility::posterior_total_variation,
     1,
     0.8,
     {975203, 875087, 873719, 738188, 605672, 548991, 523708, 473594, 382678, 300250, 142911,
      19405},
     3},
    {Utility::marginal_total_variation,
     0.5,
     0.9,
     {1000000, 600000, 360000, 216000, 129600, 77760, 46656, 27994},
     3},
    {Utility::marginal_total_variation,
     1,
     0.8,
     {963899, 825250, 774640, 644584, 615054, 500629, 481376, 457222, 446143, 330921, 286546,
      191207},
     9},
    {Utility::mean_squared_error,
     0.5,
     0.9,
     {1000000, 900000, 810000, 729000, 656100, 590490, 531441, 478297},
     2},
    {Utility::mean_squared_error,
     1,
     0.8,
     {976313, 902636, 895308, 888796, 858272, 799184, 751608, 682912, 644827, 376602, 313400,
      117354},
     0},
    {Utility::honest_response,
     0.5,
     0.9,
     {1000000, 750000, 562500, 421875, 316406, 237305, 177979, 133484},
     2},
    {Utility::honest_response,
     1,
     0.8,
     {976495, 956183, 925426, 850704, 786678, 719913, 692233, 468236, 440564, 387095, 377452,
      215669},
     5},
};

std::vector<double> random_weights(Random& random, int categories) {
    std::vector<double> weights;
    for (int x = 0; x < categories; ++x) weights.push_back(random.log_uniform(1e-3, 1.0));
    return falling(std::move(weights));
}

}  // namespace

TEST_CASE("best sizes agree with independent values", "[subset-choice]") {
    for (const BestSize& fact : best_sizes) {
        SubsetUtilities utilities({.categories = static_cast<int>(fact.counts.size()),
                                   .epsilon = fact.epsilon,
                                   .budget_share = fact.budget_share});
        CAPTURE(to_string(fact.utility), fact.counts.size());
        CHECK(choose_size(ByUtility{fact.utility}, utilities, falling(fact.counts)) == fact.size);
    }
}

TEST_CASE("the best leading set is the best of all sets for U6", "[subset-choice]") {
    // aydin2024 Theorem 2, over all 2^K subsets.
    Random random(61);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 200 * test_support::effort(); ++trial) {
        const RestrictedResponse m{.categories = random.integer(2, 10),
                                   .epsilon = random.log_uniform(0.05, 8.0),
                                   .budget_share = random.uniform(0.0, 1.0)};
        const std::vector<double> theta = random_weights(random, m.categories);
        double best_of_all = 0.0;
        for (unsigned set = 0; set + 1 < 1U << m.categories; ++set) {
            const ResponseDistribution distribution =
                response_distribution(m, __builtin_popcount(set));
            double honest = 0.0;
            for (int x = 0; x < m.categories; ++x)
                honest += theta[static_cast<std::size_t>(x)] * ((set >> x & 1U) != 0
                                                                    ? distribution.honest_inside
                                                                    : distribution.honest_outside);
            best_of_all = std::max(best_of_all, honest);
        }
        SubsetUtilities utilities(m);
        std::vector<double> values(theta.size());
        utilities.by_size(Utility::honest_response, theta, values);
        const int size = choose_size(ByUtility{Utility::honest_response}, utilities, theta);
        CAPTURE(trial, m.categories, m.epsilon, m.budget_share, size);
        CHECK(values[static_cast<std::size_t>(size)] == Approx(best_of_all).epsilon(1e-14));
    }
}

TEST_CASE("the chosen size is the first of the largest values", "[subset-choice]") {
    Random random(62);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 100 * test_support::effort(); ++trial) {
        const RestrictedResponse m{
            .categories = random.integer(2, 25),
            .epsilon = random.uniform(0.2, 6.0),
            .budget_share = random.uniform(0.3, 0.95),
            .variant = trial % 2 == 0 ? ResponseVariant::theorem : ResponseVariant::as_released};
        const std::vector<double> theta = random_weights(random, m.categories);
        SubsetUtilities utilities(m);
        for (const Utility utility : all_utilities) {
            std::vector<double> values(
                static_cast<std::size_t>(largest_subset(m) - smallest_subset(m) + 1));
            utilities.by_size(utility, theta, values);
            const auto largest = std::max_element(values.begin(), values.end());
            const int size = choose_size(ByUtility{utility}, utilities, theta);
            CAPTURE(trial, to_string(utility));
            CHECK(size == smallest_subset(m) + static_cast<int>(largest - values.begin()));
        }
    }
}

TEST_CASE("the semi-adaptive rule takes the first set of the mass", "[subset-choice]") {
    SubsetUtilities theorem({.categories = 5, .epsilon = 1.0, .budget_share = 0.9});
    SubsetUtilities released({5, 1.0, 0.9, ResponseVariant::as_released});
    const std::vector<double> theta{0.5, 0.25, 0.125, 0.0625, 0.0625};
    const std::vector<std::pair<double, int>> sizes{{0.01, 1}, {0.5, 1}, {0.500001, 2}, {0.75, 2},
                                                    {0.8, 3},  {0.9, 4}, {0.9375, 4},   {0.95, 4}};
    for (const auto& [mass, size] : sizes) {
        CAPTURE(mass);
        CHECK(choose_size(SemiAdaptive{mass}, theorem, theta) == size);
        CHECK(choose_size(SemiAdaptive{mass}, released, theta) == (mass > 0.9375 ? 5 : size));
    }
    // 0.1 + .. + 0.1, eight times, is below 0.8 in doubles.
    SubsetUtilities ten({.categories = 10, .epsilon = 1.0, .budget_share = 0.9});
    CHECK(choose_size(SemiAdaptive{0.8}, ten, std::vector<double>(10, 0.1)) == 8);
}

TEST_CASE("the non-adaptive rule is standard randomised response", "[subset-choice]") {
    const std::vector<double> theta{0.5, 0.3, 0.2};
    for (const auto variant : {ResponseVariant::theorem, ResponseVariant::as_released}) {
        SubsetUtilities utilities({3, 1.0, 0.9, variant});
        const int size = choose_size(NonAdaptive{}, utilities, theta);
        CHECK(size == 0);
        CHECK(utilities.distribution(size).honest_outside ==
              Approx(std::exp(1.0) / (std::exp(1.0) + 2.0)));
    }
}

TEST_CASE("subset rules have one name each", "[subset-choice]") {
    CHECK(to_string(SubsetRule(NonAdaptive{})) == "non-adaptive");
    CHECK(to_string(SubsetRule(SemiAdaptive{0.9})) == "semi-adaptive-0.9");
    CHECK(to_string(SubsetRule(ByUtility{Utility::entropy})) == "entropy");
    std::vector<SubsetRule> rules{NonAdaptive{}, SemiAdaptive{0.1 + 0.2}, SemiAdaptive{1e-9}};
    for (const Utility utility : all_utilities) rules.emplace_back(ByUtility{utility});
    for (const SubsetRule& rule : rules) CHECK(subset_rule_from_string(to_string(rule)) == rule);
    for (const char* name :
         {"", "semi-adaptive", "semi-adaptive-", "semi-adaptive-1", "semi-adaptive-0",
          "semi-adaptive-nan", "semi-adaptive-0.9x", "semi-adaptive--0.5", "Entropy"})
        CHECK(test_support::refused([&] { return subset_rule_from_string(name); }) == "rule");
}

TEST_CASE("choosing a size refuses bad masses and probabilities", "[subset-choice]") {
    SubsetUtilities utilities({.categories = 3, .epsilon = 1.0, .budget_share = 0.9});
    const auto refused = [&](const SubsetRule& rule, const std::vector<double>& theta) {
        return test_support::refused([&] { return choose_size(rule, utilities, theta); });
    };
    CHECK(refused(SemiAdaptive{0.0}, {0.5, 0.3, 0.2}) == "mass");
    CHECK(refused(SemiAdaptive{1.0}, {0.5, 0.3, 0.2}) == "mass");
    CHECK(refused(SemiAdaptive{std::nan("")}, {0.5, 0.3, 0.2}) == "mass");
    CHECK(refused(SemiAdaptive{0.5}, {0.5, 0.5}) == "probabilities");
    CHECK(refused(ByUtility{Utility::entropy}, {0.3, 0.5, 0.2}) == "probabilities");
}

TEST_CASE("the released variant concerns the sets of a utility only", "[ldp]") {
    const RestrictedResponse released{.categories = 5,
                                      .epsilon = 1.0,
                                      .budget_share = 0.8,
                                      .variant = ResponseVariant::as_released};
    CHECK(mechanism_for(ByUtility{}, released).variant == ResponseVariant::as_released);
    CHECK(mechanism_for(ByUtility{}, released).budget_share == 0.8);
    const RestrictedResponse semi = mechanism_for(SemiAdaptive{0.9}, released);
    CHECK(semi.variant == ResponseVariant::theorem);
    CHECK(semi.budget_share == 1.0);
    CHECK(complement_epsilon(semi, 2) == 0.0);
    CHECK(mechanism_for(NonAdaptive{}, released).variant == ResponseVariant::theorem);
    RestrictedResponse theorem = released;
    theorem.variant = ResponseVariant::theorem;
    CHECK(mechanism_for(SemiAdaptive{0.9}, theorem).budget_share == 0.8);
}

}  // namespace assay
