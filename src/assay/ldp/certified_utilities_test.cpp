#include "assay/ldp/certified_utilities.hpp"

#include <algorithm>
#include <numeric>

#include "test_support/enumerated_response.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

struct Member {
    Utility utility;
    CertifiedUtility certified;
};

const Member members[] = {
    {Utility::fisher_information, &CertifiedUtilities::fisher_information},
    {Utility::entropy, &CertifiedUtilities::entropy},
    {Utility::posterior_total_variation, &CertifiedUtilities::posterior_total_variation},
    {Utility::marginal_total_variation, &CertifiedUtilities::marginal_total_variation},
    {Utility::mean_squared_error, &CertifiedUtilities::mean_squared_error},
    {Utility::honest_response, &CertifiedUtilities::honest_response}};

/// Counts of sum 2^20, so that theta is a double: some zeros, the smallest last.
std::vector<double> drawn_counts(Random& random, int categories) {
    std::vector<double> counts;
    double left = 0x1p20;
    for (int i = 0; i + 1 < categories; ++i) {
        const double most = left * random.uniform(0.0, 1.0);
        counts.push_back(random.integer(0, 5) == 0 ? 0.0 : std::floor(most));
        left -= counts.back();
    }
    counts.push_back(left);
    std::iter_swap(std::min_element(counts.begin(), counts.end()), counts.end() - 1);
    return counts;
}

std::vector<double> frequencies(std::vector<double> counts) {
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (double& c : counts) c /= total;
    return counts;
}

std::vector<int> drawn_subset(Random& random, int categories) {
    std::vector<int> all(static_cast<std::size_t>(categories));
    std::iota(all.begin(), all.end(), 0);
    for (int i = categories - 1; i > 0; --i)
        std::swap(all[static_cast<std::size_t>(i)],
                  all[static_cast<std::size_t>(random.integer(0, i))]);
    all.resize(static_cast<std::size_t>(random.integer(0, categories)));
    return all;
}

WideColumn<Wide> marginals(const WideMatrix<Wide>& g, const std::vector<double>& theta) {
    WideColumn<Wide> h;
    for (const WideColumn<Wide>& row : g) {
        h.emplace_back(0);
        for (std::size_t x = 0; x < row.size(); ++x) h.back() += row[x] * theta[x];
    }
    return h;
}

/// det A by elimination without pivots.
Wide determinant(WideMatrix<Wide> a) {
    Wide product = 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product *= a[i][i];
        for (std::size_t row = i + 1; row < a.size(); ++row) {
            const Wide factor = a[row][i] / a[i][i];
            for (std::size_t j = i; j < a.size(); ++j) a[row][j] -= factor * a[i][j];
        }
    }
    return product;
}

WideMatrix<Wide> fisher_without(const WideMatrix<Wide>& g, const WideColumn<Wide>& h,
                                std::size_t dropped) {
    WideMatrix<Wide> fisher;
    for (std::size_t i = 0; i < h.size(); ++i) {
        if (i == dropped) continue;
        fisher.emplace_back();
        for (std::size_t j = 0; j < h.size(); ++j) {
            if (j == dropped) continue;
            Wide sum = 0;
            for (std::size_t y = 0; y < h.size(); ++y)
                sum += (g[y][i] - g[y][dropped]) * (g[y][j] - g[y][dropped]) / h[y];
            fisher.back().push_back(sum);
        }
    }
    return fisher;
}

CertifiedUtilities at(const RestrictedResponse& mechanism, const std::vector<double>& counts,
                      const std::vector<int>& subset) {
    return {mechanism, counts, CategorySubset(mechanism.categories, subset)};
}

}  // namespace

TEST_CASE("certified utilities hold the definitions, for any theta and any S", "[ldp]") {
    Random random(531);
    CAPTURE(random.seed());
    for (int i = 0; i < 60 * effort(); ++i) {
        const RestrictedResponse mechanism{
            .categories = random.integer(2, 9),
            .epsilon = random.log_uniform(0.1, 12.0),
            .budget_share = random.uniform(0.05, 0.98),
            .variant = i % 5 == 4 ? ResponseVariant::as_released : ResponseVariant::theorem};
        const std::vector<double> counts = drawn_counts(random, mechanism.categories);
        const std::vector<double> theta = frequencies(counts);
        const std::vector<int> subset = drawn_subset(random, mechanism.categories);
        CAPTURE(mechanism.epsilon, mechanism.budget_share, counts, subset);
        const WideMatrix<Wide> g = enumerate_matrix(mechanism, subset);
        const CertifiedUtilities certified = at(mechanism, counts, subset);
        for (const Member& member : members) {
            CAPTURE(to_string(member.utility));
            const Wide truth = utility_by_definition(member.utility, g, theta);
            const Enclosure value = to_enclosure((certified.*member.certified)());
            if (abs(truth) < 1e-40)
                CHECK(value == Enclosure{0.0, 0.0});
            else
                CHECK_THAT(value, Encloses(truth, 1e-14));
        }
        const WideColumn<Wide> h = marginals(g, theta);
        for (int y = 0; y < mechanism.categories; ++y) {
            const Wide truth = h[static_cast<std::size_t>(y)];
            CHECK_THAT(to_enclosure(certified.marginal(y)), Encloses(truth, 1e-15));
            CHECK_THAT(to_enclosure(certified.marginal_complement(y)), Encloses(1 - truth, 1e-15));
        }
    }
}

TEST_CASE("determinants and traces hold dense linear algebra", "[ldp]") {
    Random random(532);
    CAPTURE(random.seed());
    for (int i = 0; i < 25 * effort(); ++i) {
        const RestrictedResponse mechanism{.categories = random.integer(2, 7),
                                           .epsilon = random.log_uniform(0.1, 12.0),
                                           .budget_share = random.uniform(0.05, 0.98)};
        const std::vector<double> counts = drawn_counts(random, mechanism.categories);
        const std::vector<double> theta = frequencies(counts);
        const std::vector<int> subset = drawn_subset(random, mechanism.categories);
        CAPTURE(mechanism.epsilon, mechanism.budget_share, counts, subset);
        const WideMatrix<Wide> g = enumerate_matrix(mechanism, subset);
        const WideColumn<Wide> h = marginals(g, theta);
        const CertifiedUtilities certified = at(mechanism, counts, subset);
        const std::size_t all = h.size();
        CHECK_THAT(to_enclosure(response_determinant(certified.distribution())),
                   Encloses(determinant(g), 1e-14));
        CHECK_THAT(to_enclosure(certified.fisher_determinant()),
                   Encloses(determinant(fisher_without(g, h, all - 1)), 1e-14));
        Wide sum = 0;  // every variance is in all of these traces but one
        for (std::size_t j = 0; j < all; ++j) {
            const Wide trace = trace_of_inverse(fisher_without(g, h, j));
            CHECK_THAT(to_enclosure(certified.trace_inverse_fisher(static_cast<int>(j))),
                       Encloses(trace, 1e-14));
            sum += trace;
        }
        CHECK_THAT(to_enclosure(certified.trace_full_covariance()),
                   Encloses(sum / static_cast<double>(all - 1), 1e-14));
        CHECK(refused([&] { return certified.trace_inverse_fisher(-1); }) == "dropped");
    }
}

TEST_CASE("close to nothing, the digits are kept", "[ldp]") {
    // h is within e^-45 of theta, and almost all of theta is one category.
    const RestrictedResponse mechanism{.categories = 4, .epsilon = 50.0, .budget_share = 0.9};
    const std::vector<double> counts{0x1p20 - 3.0, 1.0, 1.0, 1.0};
    const WideMatrix<Wide> g = enumerate_matrix(mechanism, {0, 1});
    const CertifiedUtilities certified = at(mechanism, counts, {0, 1});
    for (const Member& member : members) {
        CAPTURE(to_string(member.utility));
        CHECK_THAT(
            to_enclosure((certified.*member.certified)()),
            Encloses(utility_by_definition(member.utility, g, frequencies(counts)), 1e-14, 1e-25));
    }
}

TEST_CASE("a singular Fisher information is minus infinity, a utility of nothing is 0", "[ldp]") {
    const std::vector<double> counts{5.0, 3.0, 1.0, 1.0};
    RestrictedResponse mechanism{.categories = 4, .epsilon = 1.0, .budget_share = 1.0};
    const Enclosure nothing{-INFINITY, -INFINITY};
    const auto fisher = [&](const std::vector<int>& subset) {
        const CertifiedUtilities certified = at(mechanism, counts, subset);
        const Enclosure value = to_enclosure(certified.fisher_information());
        CHECK(certified.fisher_determinant().is_zero() == (value == nothing));
        CHECK(response_determinant(certified.distribution()).is_zero() == (value == nothing));
        return value;
    };
    CHECK(fisher({0}) == nothing);  // the outsiders are not told apart
    CHECK(fisher({0, 1, 2}).relative_width() < 1e-14);
    CHECK(fisher({}).relative_width() < 1e-14);
    mechanism.budget_share = 0.0;
    CHECK(fisher({0}) == nothing);  // nor is anyone in S
    CHECK(fisher({}).relative_width() < 1e-14);
    // Without any information the posterior is the prior; nor does a known category change.
    CHECK(at(mechanism, counts, {0, 1, 2}).posterior_total_variation().is_zero());
    const CertifiedUtilities known = at(mechanism, {0.0, 7.0, 0.0, 0.0}, {0, 1});
    CHECK(known.posterior_total_variation().is_zero());
    CHECK(known.mean_squared_error().is_zero());
    CHECK(at(mechanism, {3.0, 3.0, 3.0, 3.0}, {}).marginal_total_variation().is_zero());
}

TEST_CASE("the best size is that of the definitions", "[ldp]") {
    Random random(533);
    CAPTURE(random.seed());
    for (int i = 0; i < 10 * effort(); ++i) {
        const RestrictedResponse mechanism{.categories = random.integer(3, 6),
                                           .epsilon = random.log_uniform(0.3, 6.0),
                                           .budget_share = random.uniform(0.5, 0.95)};
        std::vector<double> counts = drawn_counts(random, mechanism.categories);
        for (double& c : counts) c += 1.0;  // no sizes that differ in impossible categories alone
        std::vector<double> falling = counts;
        std::sort(falling.rbegin(), falling.rend());
        const std::vector<double> theta = frequencies(falling);
        CAPTURE(mechanism.epsilon, mechanism.budget_share, counts);
        for (const Member& member : members) {
            CAPTURE(to_string(member.utility));
            int best = -1;
            Wide most = 0;
            std::vector<int> subset;
            for (int k = 0; k < mechanism.categories; ++k) {
                const Wide value = utility_by_definition(
                    member.utility, enumerate_matrix(mechanism, subset), theta);
                if (best < 0 || value > most) {
                    best = k;
                    most = value;
                }
                subset.push_back(k);
            }
            const CertifiedSize size = certified_best_size(mechanism, counts, member.certified);
            CHECK(size.is_decided());
            CHECK(size.lowest == best);
        }
    }
}

TEST_CASE("sizes that tie are decided where the tie is proved, never guessed", "[ldp]") {
    const RestrictedResponse mechanism{.categories = 6, .epsilon = 0.5, .budget_share = 0.8};
    // Both h(k = 0) and h(k = 5) are uniform, exactly theta.
    const std::vector<double> even(6, 1.0);
    const auto best = [](const RestrictedResponse& m, const std::vector<double>& counts,
                         CertifiedUtility utility) {
        const CertifiedSize size = certified_best_size(m, counts, utility);
        return std::pair(size.lowest, size.highest);
    };
    CHECK(best(mechanism, even, &CertifiedUtilities::marginal_total_variation) == std::pair(0, 0));
    // A known category: no size has any error left.
    CHECK(best(mechanism, {4, 0, 0, 0, 0, 0}, &CertifiedUtilities::mean_squared_error) ==
          std::pair(0, 0));
    // The whole budget on S: sizes 0 and K-1 are one mechanism.
    RestrictedResponse whole = mechanism;
    whole.budget_share = 1.0;
    CHECK(best(whole, {6, 5, 4, 3, 2, 1}, &CertifiedUtilities::fisher_information) ==
          std::pair(0, 0));
}

TEST_CASE("what is no theta or no S of the mechanism is refused", "[ldp]") {
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.0, .budget_share = 0.5};
    const auto parameter = [&](const std::vector<double>& counts, int subset_categories) {
        return refused([&] {
            return CertifiedUtilities(mechanism, counts, CategorySubset(subset_categories));
        });
    };
    CHECK(parameter({1.0, 1.0}, 3) == "weights");
    CHECK(parameter({1.0, -1.0, 1.0}, 3) == "weights");
    CHECK(parameter({1.0, NAN, 1.0}, 3) == "weights");
    CHECK(parameter({INFINITY, 1.0, 1.0}, 3) == "weights");
    CHECK(parameter({0.0, 0.0, 0.0}, 3) == "weights");
    CHECK(parameter({1.0, 1.0, 1.0}, 4) == "subset");
}
