#include "assay/ldp/subsample.hpp"

#include <algorithm>

#include "assay/numeric/random_streams.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Answers with the whole of their sets and distributions, as a user would keep them.
struct ToldAnswers {
    std::vector<CategorySubset> subsets;
    std::vector<ResponseDistribution> distributions;
    std::vector<int> responses;
};

void tell(ResponseHistory& history, ToldAnswers& told, const CategorySubset& subset, int response) {
    history.add(subset, response);
    told.subsets.push_back(subset);
    told.distributions.push_back(response_distribution(history.mechanism(), subset.size()));
    told.responses.push_back(response);
}

/// Half of the answers to one set, the others to random ones.
ToldAnswers fill(ResponseHistory& history, Random& random, int count) {
    const int categories = history.categories();
    ToldAnswers told;
    std::vector<double> keys(static_cast<std::size_t>(categories));
    CategorySubset often(categories);
    often.resize(random.integer(0, categories - 1));
    for (int i = 0; i < count; ++i) {
        for (double& key : keys) key = random.uniform(0.0, 1.0);
        CategorySubset other(categories);
        other.rank_by(keys);
        other.resize(random.integer(smallest_subset(history.mechanism()), categories - 1));
        const bool same = often.size() > 0 && random.integer(0, 1) == 0;
        tell(history, told, same ? often : other, random.integer(0, categories - 1));
    }
    return told;
}

/// sum_j g(y_j | i) / h(y_j) over these answers, term by term in 50 digits.
std::vector<Wide> dense_ratios(const ToldAnswers& told, const std::vector<double>& theta,
                               const std::vector<std::uint32_t>& indices) {
    std::vector<Wide> ratios(theta.size(), 0);
    Wide whole = 0;
    for (const double p : theta) whole += p;
    for (const std::uint32_t j : indices) {
        const int y = told.responses[j];
        const auto probability = [&](int x) {
            return Wide(told.distributions[j].probability(told.subsets[j].contains(y),
                                                          told.subsets[j].contains(x), x == y));
        };
        Wide h = 0;
        for (std::size_t x = 0; x < theta.size(); ++x)
            h += probability(static_cast<int>(x)) * theta[x] / whole;
        for (std::size_t i = 0; i < theta.size(); ++i)
            ratios[i] += probability(static_cast<int>(i)) / h;
    }
    return ratios;
}

std::vector<double> random_theta(Random& random, int categories) {
    std::vector<double> theta(Subsample::padded(static_cast<std::size_t>(categories)));
    double sum = 0.0;
    for (int i = 0; i < categories; ++i)
        sum += theta[static_cast<std::size_t>(i)] = -std::log(random.uniform(0.0, 1.0));
    for (double& p : theta) p /= sum;
    return theta;
}

/// Draws the subsample of the first words that are not refused, and returns its indices.
std::vector<std::uint32_t> draw(Subsample& subsample, RandomStream stream, std::size_t count) {
    const SubsampleIndices& uniform = subsample.indices();
    std::vector<std::uint64_t> words(uniform.words(count));
    for (std::uint64_t& word : words) do
            word = stream.bits();
        while (uniform.refuses(word));
    std::vector<std::uint32_t> indices(words.size() * uniform.digits());
    REQUIRE_FALSE(uniform.find(words, indices));
    indices.resize(count);
    subsample.draw(indices);
    return indices;
}

}  // namespace

TEST_CASE("the slopes of a subsample are sums over its answers", "[subsample]") {
    Random random(5201);
    CAPTURE(random.seed());
    for (const ResponseVariant variant : {ResponseVariant::theorem, ResponseVariant::as_released})
        for (const int categories : {2, 4, 5, 10, 15, 20, 21, 65, 130}) {
            const RestrictedResponse mechanism{.categories = categories,
                                               .epsilon = random.log_uniform(0.1, 8.0),
                                               .budget_share = random.uniform(0.1, 1.0),
                                               .variant = variant};
            CAPTURE(categories, mechanism.epsilon, mechanism.budget_share);
            ResponseHistory history(mechanism);
            const ToldAnswers told = fill(history, random, random.integer(1, 300));
            const int count = random.integer(1, 90);
            Subsample subsample(mechanism, count);
            subsample.follow(history);
            const std::vector<std::uint32_t> order = subsample.order(history);
            for (int trial = 0; trial < 4 * effort(); ++trial) {
                std::vector<std::uint32_t> drawn =
                    draw(subsample, {5, Purpose::test, static_cast<std::uint64_t>(trial)},
                         static_cast<std::size_t>(count));
                for (std::uint32_t& answer : drawn) answer = order[answer];
                const std::vector<double> theta = random_theta(random, categories);
                const std::span<const double> slopes = subsample.slopes(history, theta, 1.0);
                const std::vector<Wide> truth =
                    dense_ratios(told, {theta.begin(), theta.begin() + categories}, drawn);
                for (std::size_t i = 0; i < truth.size(); ++i)
                    CHECK(slopes[i] == Approx(static_cast<double>(truth[i])).epsilon(1e-11));
            }
        }
}

TEST_CASE("every answer once gives the gradients of the oracle", "[subsample]") {
    struct Line {
        RestrictedResponse mechanism;
        std::vector<double> phi;
        std::vector<double> rho;
        std::vector<std::pair<int, std::vector<int>>> data;
        std::vector<double> gradient;
    };
    const std::vector<Line> lines{
        {{.categories = 3, .epsilon = 5.0, .budget_share = 0.9},
         {2.7, 2.0, 3.5},
         {0.5, 2.0, 0.5},
         {{1, {}}, {1, {2, 3}}, {2, {}}, {3, {}}, {3, {}}},
         {-1.060295245418640104631, -0.6096853584524109833116, -1.176523462989957071678}},
        {{.categories = 3, .epsilon = 5.0, .budget_share = 0.8},
         {2.2, 2.0, 1.6},
         {0.5, 0.5, 2.0},
         {{1, {2}}, {1, {}}, {3, {}}, {3, {}}, {2, {2, 3}}},
         {-1.174039932010063326775, -1.613442555330851664929, 0.006108100677401655477038}}};
    for (const Line& line : lines) {
        const int categories = line.mechanism.categories;
        ResponseHistory history(line.mechanism);
        for (const auto& [y, members] : line.data) {
            std::vector<int> from_0;
            for (const int member : members) from_0.push_back(member - 1);
            history.add(CategorySubset(categories, from_0), y - 1);
        }
        const std::size_t answers = line.data.size();
        Subsample subsample(line.mechanism, static_cast<int>(answers));
        subsample.follow(history);
        double sum = 0.0;
        for (const double phi : line.phi) sum += phi;
        std::vector<double> phi = line.phi;
        phi.push_back(0.0);
        subsample.draw(std::vector<std::uint32_t>{0, 1, 2, 3, 4});
        const std::span<const double> slopes = subsample.slopes(history, phi, sum);
        for (std::size_t i = 0; i < 3; ++i) {
            const double gradient = (line.rho[i] - 1.0) / line.phi[i] - 1.0 + slopes[i] -
                                    static_cast<double>(answers) / sum;
            CHECK(gradient == Approx(line.gradient[i]).epsilon(1e-13));
        }
    }
}

TEST_CASE("the gradient is that of the log-likelihood in phi", "[subsample]") {
    Random random(5202);
    CAPTURE(random.seed());
    const RestrictedResponse mechanism{.categories = 6, .epsilon = 1.5, .budget_share = 0.8};
    ResponseHistory history(mechanism);
    const ToldAnswers told = fill(history, random, 40);
    std::vector<std::uint32_t> all(told.responses.size());
    for (std::uint32_t j = 0; j < all.size(); ++j) all[j] = j;
    std::vector<double> phi;
    for (int i = 0; i < 6; ++i) phi.push_back(random.uniform(0.1, 3.0));
    const auto log_likelihood = [&](const std::vector<Wide>& at) {
        Wide sum = 0;
        for (const Wide& value : at) sum += value;
        Wide total = 0;
        for (std::size_t j = 0; j < told.responses.size(); ++j) {
            const int y = told.responses[j];
            Wide h = 0;
            for (int x = 0; x < 6; ++x)
                h += told.distributions[j].probability(told.subsets[j].contains(y),
                                                       told.subsets[j].contains(x), x == y) *
                     at[static_cast<std::size_t>(x)] / sum;
            total += log(h);
        }
        return total;
    };
    double sum = 0.0;
    for (const double value : phi) sum += value;
    const std::vector<Wide> ratios = dense_ratios(told, phi, all);
    const Wide step("1e-20");
    for (std::size_t i = 0; i < 6; ++i) {
        std::vector<Wide> left(phi.begin(), phi.end());
        std::vector<Wide> right = left;
        left[i] -= step;
        right[i] += step;
        const Wide slope = (log_likelihood(right) - log_likelihood(left)) / (2 * step);
        const Wide formula = (ratios[i] - told.responses.size()) / sum;
        CHECK(static_cast<double>(formula) == Approx(static_cast<double>(slope)).epsilon(1e-13));
    }
}

TEST_CASE("a subsample depends on the history alone, not on how it was followed", "[subsample]") {
    Random random(5203);
    CAPTURE(random.seed());
    const RestrictedResponse mechanism{.categories = 9, .epsilon = 1.0, .budget_share = 0.8};
    ResponseHistory history(mechanism);
    Subsample patient(mechanism, 20);
    ToldAnswers told;
    const std::vector<double> theta = random_theta(random, 9);
    for (int i = 0; i < 200; ++i) {
        // The favourite set changes twice: sets become frequent and cease to be.
        const std::vector<int> favourite{i / 70};
        const std::vector<int> other{random.integer(0, 3), random.integer(4, 8)};
        const bool liked = random.integer(0, 3) > 0;
        tell(history, told, CategorySubset(9, liked ? favourite : other), random.integer(0, 8));
        patient.follow(history);
        if (i % 20 != 19) continue;
        Subsample fresh(mechanism, 20);
        fresh.follow(history);
        const RandomStream stream(6, Purpose::test, static_cast<std::uint64_t>(i));
        CHECK(draw(patient, stream, 20) == draw(fresh, stream, 20));
        const std::span<const double> one = patient.slopes(history, theta, 1.0);
        const std::span<const double> two = fresh.slopes(history, theta, 1.0);
        CHECK(std::equal(one.begin(), one.begin() + 9, two.begin()));
    }
}

TEST_CASE("every answer may be rare, or frequent", "[subsample]") {
    Random random(5212);
    CAPTURE(random.seed());
    for (const int categories : {4, 10, 24, 70})
        for (const int count : {1, 9, 255, 256, 4096})
            for (const bool same : {false, true}) {
                const RestrictedResponse mechanism{
                    .categories = categories, .epsilon = 1.0, .budget_share = 0.8};
                CAPTURE(categories, count, same);
                ResponseHistory history(mechanism);
                ToldAnswers told;
                for (int i = 0; i < 500; ++i) {
                    const std::vector<int> some{i % 2, 2 + i / 2 % (categories - 2)};
                    const CategorySubset subset(categories, same ? std::vector<int>{1} : some);
                    tell(history, told, subset, subset.outsider(0));
                }
                Subsample subsample(mechanism, count);
                subsample.follow(history);
                const std::vector<std::uint32_t> order = subsample.order(history);
                std::vector<std::uint32_t> drawn =
                    draw(subsample, {5, Purpose::test, 0}, static_cast<std::size_t>(count));
                for (std::uint32_t& answer : drawn) answer = order[answer];
                const std::vector<double> theta = random_theta(random, categories);
                const std::span<const double> slopes = subsample.slopes(history, theta, 1.0);
                const std::vector<Wide> truth =
                    dense_ratios(told, {theta.begin(), theta.begin() + categories}, drawn);
                for (std::size_t i = 0; i < truth.size(); ++i)
                    CHECK(slopes[i] == Approx(static_cast<double>(truth[i])).epsilon(1e-11));
            }
}

TEST_CASE("frequent sets are bounded for few categories", "[subsample]") {
    CHECK(Subsample::most_frequent(2, 50) == 8);
    CHECK(Subsample::most_frequent(10, 255) == 5);
    CHECK(Subsample::most_frequent(24, 1) == 2);
    CHECK(Subsample::most_frequent(25, 1) > 1'000'000);
    CHECK(Subsample::most_frequent(10, 256) > 1'000'000);
}

TEST_CASE("slopes stay finite where a theta or a distribution is degenerate", "[subsample]") {
    for (const double epsilon : {1e-3, 50.0, 500.0}) {
        const RestrictedResponse mechanism{
            .categories = 8, .epsilon = epsilon, .budget_share = 0.9};
        ResponseHistory history(mechanism);
        for (int size = 1; size < 8; ++size) {
            CategorySubset subset(8);
            subset.resize(size);
            history.add(subset, 7);
            history.add(subset, 0);
        }
        Subsample subsample(mechanism, 50);
        subsample.follow(history);
        for (std::size_t corner = 0; corner < 8; ++corner) {
            std::vector<double> theta(8);
            theta[corner] = 1.0;
            draw(subsample, {7, Purpose::test, 0}, 50);
            for (const double slope : subsample.slopes(history, theta, 1.0)) {
                CHECK(std::isfinite(slope));
                CHECK(slope >= 0.0);
            }
        }
    }
}
