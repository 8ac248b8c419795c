#include "assay/ldp/restricted_response.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "assay/ldp/category_subset.hpp"
#include "test_support/enumerated_response.hpp"
#include "test_support/ldp_test_support.hpp"

namespace assay {
namespace {

using test_support::first_categories;
using test_support::Random;
using test_support::refused;
using test_support::Wide;

constexpr auto theorem = ResponseVariant::theorem;
constexpr auto as_released = ResponseVariant::as_released;

/// Sums of the distribution over the answers to one whose category is in S, and to one whose is
/// not.
double sum_inside(const ResponseDistribution& distribution) {
    const double n = distribution.categories - distribution.subset_size;
    return distribution.honest_inside + (distribution.subset_size - 1) * distribution.other_inside +
           n * distribution.outside_from_inside;
}
double sum_outside(const ResponseDistribution& distribution) {
    const double n = distribution.categories - distribution.subset_size;
    return distribution.subset_size * distribution.other_inside + distribution.honest_outside +
           (n - 1) * distribution.other_outside;
}

/// The largest ln g(y | x) / g(y | x') over what occurs.
double worst_log_ratio(const ResponseDistribution& distribution) {
    const int k = distribution.subset_size;
    const int n = distribution.categories - k;
    double worst = 0.0;
    if (k > 0) worst = std::log(distribution.honest_inside / distribution.other_inside);
    std::vector<double> outside;
    if (n > 0) outside.push_back(distribution.honest_outside);
    if (n > 1) outside.push_back(distribution.other_outside);
    if (n > 0 && k > 0) outside.push_back(distribution.outside_from_inside);
    if (outside.size() > 1) {
        const auto [least, most] = std::minmax_element(outside.begin(), outside.end());
        worst = std::max(worst, std::log(*most / *least));
    }
    return worst;
}

/// The chance of a chi-square statistic as large as that of `draws` answers.
double p_value_of_answers(const RestrictedResponse& m, const CategorySubset& subset, int truth,
                          int draws, std::uint64_t seed) {
    const ResponseDistribution distribution = response_distribution(m, subset.size());
    RandomStream stream(seed, Purpose::local_response, 0);
    std::vector<int> counts(static_cast<std::size_t>(m.categories));
    for (int i = 0; i < draws; ++i)
        ++counts[static_cast<std::size_t>(respond(stream, distribution, subset, truth))];
    std::vector<int> members;
    for (int i = 0; i < subset.size(); ++i) members.push_back(subset.member(i));
    const auto exact = test_support::enumerate_answers<Wide>(m, members, truth);
    double statistic = 0.0;
    for (std::size_t y = 0; y < counts.size(); ++y) {
        const double expected = static_cast<double>(exact[y]) * draws;
        statistic += (counts[y] - expected) * (counts[y] - expected) / expected;
    }
    const boost::math::chi_squared distribution_of_statistic(m.categories - 1);
    return boost::math::cdf(boost::math::complement(distribution_of_statistic, statistic));
}

}  // namespace

TEST_CASE("response probabilities agree with Algorithm 2 enumerated", "[restricted-response]") {
    Random random(81);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 60 * test_support::effort(); ++trial) {
        const RestrictedResponse m{
            .categories = random.integer(2, 7),
            .epsilon = random.log_uniform(1e-4, 30.0),
            .budget_share = trial % 5 == 0 ? random.integer(0, 1) : random.uniform(0.0, 1.0),
            .variant = trial % 3 == 0 ? as_released : theorem};
        std::vector<int> members;
        for (int x = m.categories - 1; x >= 0; --x)
            if (random.integer(0, 2) > 0) members.push_back(x);
        const CategorySubset subset(m.categories, members);
        const ResponseDistribution distribution = response_distribution(m, subset.size());
        const auto g = test_support::enumerate_matrix(m, members);
        CAPTURE(trial, m.categories, members.size(), m.epsilon, m.budget_share);
        CAPTURE(to_string(m.variant));
        const double theta_step = 2.0 / (m.categories * (m.categories + 1.0));
        double inside_mass = 0.0;
        for (int x = 0; x < m.categories; ++x)
            if (subset.contains(x)) inside_mass += theta_step * (x + 1);
        for (int y = 0; y < m.categories; ++y) {
            Wide marginal = 0;
            for (int x = 0; x < m.categories; ++x) {
                const Wide& exact = g[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
                marginal += exact * theta_step * (x + 1);
                const double p =
                    distribution.probability(subset.contains(y), subset.contains(x), x == y);
                CHECK(p == Approx(static_cast<double>(exact)).epsilon(3e-14));
            }
            const double h =
                distribution.marginal(subset.contains(y), theta_step * (y + 1), inside_mass);
            CHECK(h == Approx(static_cast<double>(marginal)).epsilon(1e-13));
        }
    }
}

TEST_CASE("the second privacy parameter agrees with independent values", "[restricted-response]") {
    const auto second = [](int categories, int size, double eps, double share) {
        return complement_epsilon({.categories = categories, .epsilon = eps, .budget_share = share},
                                  size);
    };
    CHECK(second(20, 19, 1.0, 1.0) == 1.0);
    CHECK(second(20, 17, 5.0, 0.8) == Approx(2.959995280027569494).epsilon(1e-14));
    CHECK(second(20, 1, 1.0, 1.0) == 0.0);
    CHECK(second(10, 9, 10.0, 1.0) == 10.0);
    CHECK(second(20, 1, 2.0, 0.3) == Approx(1.586008342433430662).epsilon(1e-14));
    CHECK(second(20, 0, 2.0, 0.3) == 2.0);
}

TEST_CASE("honest probabilities agree with independent values", "[restricted-response]") {
    CHECK(response_distribution({.categories = 20, .epsilon = 1.0, .budget_share = 0.9}, 0)
              .honest_outside == Approx(0.1251609979983353348).epsilon(1e-14));
    const auto honest = [](int size, double eps, double ratio) {
        const ResponseDistribution distribution =
            response_distribution({.categories = 20, .epsilon = eps, .budget_share = 0.9}, size);
        double weights = 0.0;
        double sum = 0.0;
        for (int x = 0; x < 20; ++x) {
            const double weight = std::pow(ratio, -x);
            weights += weight;
            sum += weight * (x < size ? distribution.honest_inside : distribution.honest_outside);
        }
        return sum / weights;
    };
    CHECK(honest(10, 1.0, 1.0) == Approx(0.10961148881046597949).epsilon(1e-14));
    CHECK(honest(2, 1.0, 1.1) == Approx(0.13939222844937463530).epsilon(1e-14));
    CHECK(honest(19, 1.0, 1.5) == Approx(0.11461549863791238128).epsilon(1e-14));
    CHECK(honest(10, 5.0, 1.5) == Approx(0.88720490831105468251).epsilon(1e-14));
    CHECK(honest(0, 5.0, 3.0) == Approx(0.88650832406574199244).epsilon(1e-14));
}

TEST_CASE("distributions are distributions at every size and at the edges",
          "[restricted-response]") {
    for (const int categories : {2, 3, 20, 1'000'000})
        for (const double epsilon : {1e-300, 1e-8, 0.5, 5.0, 500.0})
            for (const double share : {0.0, 0.3, 0.9, 1.0 - 0x1p-53, 1.0})
                for (const auto variant : {theorem, as_released})
                    for (const int size : {0, 1, 2, categories / 2, categories - 1, categories}) {
                        const RestrictedResponse m{categories, epsilon, share, variant};
                        const ResponseDistribution distribution = response_distribution(m, size);
                        CAPTURE(categories, epsilon, share, size, to_string(variant));
                        for (const double p :
                             {distribution.honest_inside, distribution.other_inside,
                              distribution.outside_from_inside, distribution.honest_outside,
                              distribution.other_outside})
                            CHECK((p >= 0.0 && p <= 1.0));
                        if (size > 0) CHECK(sum_inside(distribution) == Approx(1.0).epsilon(1e-14));
                        if (size < categories)
                            CHECK(sum_outside(distribution) == Approx(1.0).epsilon(1e-14));
                    }
}

TEST_CASE("the theorem's mechanism is private and its bound attained", "[restricted-response]") {
    int attained = 0;
    int all = 0;
    for (int categories = 2; categories <= 12; ++categories)
        for (int size = 0; size < categories; ++size)
            for (const double epsilon : {0.1, 1.0, 5.0, 20.0})
                for (const double share : {0.1, 0.5, 0.9, 1.0}) {
                    const double worst = worst_log_ratio(
                        response_distribution({categories, epsilon, share, theorem}, size));
                    CAPTURE(categories, size, epsilon, share, worst);
                    CHECK(worst <= epsilon * (1.0 + 1e-13));
                    attained += worst >= epsilon * (1.0 - 1e-12);
                    ++all;
                }
    CHECK(attained > all / 2);
}

TEST_CASE("the released mechanism is not private", "[restricted-response]") {
    // K = 20, budget share 0.9, one category in S: what the claimed 0.5, 1 and 5 become.
    const auto worst = [](double epsilon) {
        return worst_log_ratio(response_distribution({20, epsilon, 0.9, as_released}, 1));
    };
    CHECK(worst(0.5) == Approx(0.916).margin(5e-4));
    CHECK(worst(1.0) == Approx(1.813).margin(5e-4));
    CHECK(worst(5.0) == Approx(7.330).margin(5e-4));
}

TEST_CASE("the second parameter stays within bounds where its formula has a pole",
          "[restricted-response]") {
    Random random(82);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 2000 * test_support::effort(); ++trial) {
        const int size = random.integer(1, 30);
        const double epsilon = random.uniform(4.0, 60.0);
        // eps - eps1 a few roundings beside ln |S|, or ln of the outsiders.
        const auto variant = trial % 2 == 0 ? theorem : as_released;
        const int pole = variant == theorem ? 40 - size : size;
        double share = 1.0 - std::log(static_cast<double>(pole)) / epsilon;
        for (int step = random.integer(-3, 3); step != 0; step += step < 0 ? 1 : -1)
            share = std::nextafter(share, step < 0 ? 0.0 : 1.0);
        share = std::min(share, 1.0);
        const double second = complement_epsilon({40, epsilon, share, variant}, size);
        CAPTURE(trial, size, epsilon, share, second, to_string(variant));
        CHECK((second >= 0.0 && second <= epsilon));
        CHECK(second > std::min(epsilon, 2.0) * (size > 1 || variant == theorem ? 0.9 : 0.0));
    }
}

TEST_CASE("the sizes a mechanism may choose", "[restricted-response]") {
    const RestrictedResponse a{7, 1.0, 0.5, theorem};
    const RestrictedResponse b{7, 1.0, 0.5, as_released};
    CHECK(smallest_subset(a) == 0);
    CHECK(largest_subset(a) == 6);
    CHECK(smallest_subset(b) == 1);
    CHECK(largest_subset(b) == 7);
    CHECK(to_string(theorem) == "theorem");
    CHECK(to_string(as_released) == "as-released");
    // As released, S of all categories is S of all but one.
    const ResponseDistribution whole = response_distribution(b, 7);
    const ResponseDistribution all_but_one = response_distribution(b, 6);
    CHECK(whole.honest_inside == all_but_one.honest_inside);
    CHECK(whole.other_inside == Approx(all_but_one.outside_from_inside).epsilon(1e-15));
    CHECK(whole.honest_inside == Approx(all_but_one.honest_outside).epsilon(1e-15));
}

TEST_CASE("answers follow the distribution", "[restricted-response]") {
    std::uint64_t seed = 1000;
    for (const auto variant : {theorem, as_released})
        for (const int categories : {2, 3, 6})
            for (int size = smallest_subset({categories, 1.0, 0.5, variant});
                 size <= largest_subset({categories, 1.0, 0.5, variant}); ++size)
                for (const double share : {0.0, 0.6, 1.0})
                    for (int place : {0, categories / 2, categories - 1}) {
                        // The members are not the first categories.
                        const RestrictedResponse m{categories, 1.2, share, variant};
                        CategorySubset subset(categories);
                        std::vector<double> weights;
                        for (int x = 0; x < categories; ++x) weights.push_back(x % 2 == 0 ? x : -x);
                        subset.rank_by(weights);
                        subset.resize(size);
                        const int truth = subset.order()[static_cast<std::size_t>(place)];
                        CAPTURE(seed, categories, size, share, place, to_string(variant));
                        CHECK(p_value_of_answers(m, subset, truth, 4000, ++seed) > 1e-5);
                    }
}

TEST_CASE("answers follow the distribution with many categories", "[restricted-response]") {
    const RestrictedResponse m{60, 3.0, 0.8, theorem};
    std::uint64_t seed = 2000;
    for (const int size : {0, 1, 30, 59}) {
        const CategorySubset subset(60, first_categories(size));
        for (const int truth : {0, 29, 59}) {
            CAPTURE(seed, size, truth);
            CHECK(p_value_of_answers(m, subset, truth, 200'000, ++seed) > 1e-5);
        }
    }
}

TEST_CASE("answers at a budget of 500 are honest and of a million categories in range",
          "[restricted-response]") {
    RandomStream stream(5, Purpose::local_response, 0);
    CategorySubset subset(1'000'000);
    for (const int size : {0, 1, 500'000, 999'999}) {
        subset.resize(size);
        const ResponseDistribution distribution =
            response_distribution({1'000'000, 500.0, 0.5, theorem}, size);
        const ResponseDistribution vague =
            response_distribution({1'000'000, 1e-9, 0.5, theorem}, size);
        for (const int truth : {0, 499'999, 999'999})
            for (int i = 0; i < 20; ++i) {
                CHECK(respond(stream, distribution, subset, truth) == truth);
                const int answer = respond(stream, vague, subset, truth);
                CHECK((answer >= 0 && answer < 1'000'000));
            }
    }
}

TEST_CASE("mechanisms out of their domain are refused", "[restricted-response]") {
    const auto bad = [](int categories, double epsilon, double share) {
        return refused([&] {
            return response_distribution({categories, epsilon, share, theorem}, 1);
        });
    };
    CHECK(bad(1, 1.0, 0.5) == "categories");
    CHECK(bad(1'000'001, 1.0, 0.5) == "categories");
    CHECK(bad(5, 0.0, 0.5) == "epsilon");
    CHECK(bad(5, 500.1, 0.5) == "epsilon");
    CHECK(bad(5, std::nan(""), 0.5) == "epsilon");
    CHECK(bad(5, 1.0, -0.1) == "budget-share");
    CHECK(bad(5, 1.0, 1.1) == "budget-share");
    CHECK(bad(5, 1.0, std::nan("")) == "budget-share");
    CHECK(bad(5, 1.0, 0.5).empty());
    const RestrictedResponse m{5, 1.0, 0.5, theorem};
    CHECK(refused([&] { return response_distribution(m, -1); }) == "subset-size");
    CHECK(refused([&] { return complement_epsilon(m, 6); }) == "subset-size");
}

}  // namespace assay
