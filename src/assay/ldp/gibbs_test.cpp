#include "assay/ldp/gibbs.hpp"

#include <algorithm>

#include "assay/ldp/grid_posterior.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

struct Chain {
    std::array<double, 3> mean{};
    std::array<double, 3> deviation{};
};

Chain run(const RestrictedResponse& mechanism, const std::vector<KeptAnswer>& answers,
          const std::array<double, 3>& rho, int sweeps, std::uint64_t seed) {
    ResponseHistory history(mechanism);
    for (const auto& [subset, response] : answers) history.add(subset, response);
    GibbsSampler sampler({}, mechanism, rho);
    RandomStream stream(seed, Purpose::gibbs, 0);
    sampler.advance(history, stream, 200);
    std::vector<double> draws(3 * static_cast<std::size_t>(sweeps));
    sampler.advance(history, stream, sweeps, draws);
    Chain chain;
    for (std::size_t k = 0; k < draws.size(); ++k) chain.mean[k % 3] += draws[k] / sweeps;
    for (std::size_t k = 0; k < draws.size(); ++k) {
        const double off = draws[k] - chain.mean[k % 3];
        chain.deviation[k % 3] += off * off / sweeps;
    }
    for (double& value : chain.deviation) value = std::sqrt(value);
    return chain;
}

/// Answers of people of categories 0, 1, 2 in the shares 6 : 3 : 1.
std::vector<KeptAnswer> collect(const RestrictedResponse& mechanism, int count, int size,
                                std::uint64_t seed) {
    RandomStream stream(seed, Purpose::local_response, 0);
    std::vector<KeptAnswer> answers;
    for (int i = 0; i < count; ++i) {
        CategorySubset subset(3);
        subset.rank_by(std::vector<double>{stream.uniform(), stream.uniform(), stream.uniform()});
        subset.resize(size >= 0 ? size : i % 3);
        const std::uint64_t share = stream.below(10);
        const int truth = share < 6 ? 0 : share < 9 ? 1 : 2;
        answers.push_back({subset, respond(stream, response_distribution(mechanism, subset.size()),
                                           subset, truth)});
    }
    return answers;
}

}  // namespace

TEST_CASE("Gibbs draws have the moments of the posterior", "[gibbs]") {
    // Sets of every kind, of one size, empty; alpha above and below 1; few and many answers.
    struct Setting {
        RestrictedResponse mechanism;
        int answers;
        int size;
        std::array<double, 3> rho;
    };
    const std::vector<Setting> settings{
        {{.categories = 3, .epsilon = 1.0, .budget_share = 0.8}, 30, -1, {1.0, 1.0, 1.0}},
        {{.categories = 3, .epsilon = 3.0, .budget_share = 0.5}, 30, 1, {1.0, 2.0, 1.0}},
        {{.categories = 3, .epsilon = 1.0, .budget_share = 0.1}, 40, 1, {1.0, 1.0, 1.5}},
        {{.categories = 3, .epsilon = 1.0, .budget_share = 0.9}, 40, 0, {1.0, 1.0, 1.0}},
        {{.categories = 3, .epsilon = 2.0, .budget_share = 0.9}, 400, 2, {1.0, 1.0, 1.0}},
        {{.categories = 3,
          .epsilon = 1.0,
          .budget_share = 0.9,
          .variant = ResponseVariant::as_released},
         60,
         1,
         {1.0, 1.0, 1.0}},
    };
    const int sweeps = 20'000 * effort();
    std::uint64_t seed = 5501;
    for (const Setting& s : settings) {
        CAPTURE(s.mechanism.epsilon, s.mechanism.budget_share, s.answers, s.size, seed);
        const std::vector<KeptAnswer> answers = collect(s.mechanism, s.answers, s.size, seed);
        const GridPosterior truth = grid_posterior(s.mechanism, answers, s.rho, 120);
        const Chain chain = run(s.mechanism, answers, s.rho, sweeps, seed);
        for (std::size_t i = 0; i < 3; ++i) {
            // Five standard errors at 40 sweeps a free draw.
            const double margin = 5.0 * truth.deviation[i] * std::sqrt(40.0 / sweeps);
            CHECK(std::fabs(chain.mean[i] - truth.mean[i]) < margin);
            CHECK(std::fabs(chain.deviation[i] - truth.deviation[i]) < margin);
        }
        ++seed;
    }
}

TEST_CASE("without answers Gibbs draws are of the prior", "[gibbs]") {
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.0, .budget_share = 0.8};
    const std::array<double, 3> rho{0.2, 1.0, 4.0};
    const int sweeps = 50'000;
    const Chain chain = run(mechanism, {}, rho, sweeps, 5510);
    for (std::size_t i = 0; i < 3; ++i) {
        const double mean = rho[i] / 5.2;
        const double deviation = std::sqrt(mean * (1.0 - mean) / 6.2);
        CHECK(std::fabs(chain.mean[i] - mean) < 5.0 * deviation / std::sqrt(sweeps));
        CHECK(chain.deviation[i] == Approx(deviation).epsilon(0.03));
    }
}

TEST_CASE("the grouped sampler agrees with one that draws each category", "[gibbs]") {
    const int categories = 70;
    const int users = 600;
    const int sweeps = 1000;
    const RestrictedResponse mechanism{
        .categories = categories, .epsilon = 5.0, .budget_share = 0.5};
    ResponseHistory history(mechanism);
    std::vector<KeptAnswer> answers;
    RandomStream people(5520, Purpose::local_response, 0);
    CategorySubset subset(categories);
    std::vector<double> keys(categories);
    for (int i = 0; i < users; ++i) {
        if (i % 40 == 0)
            for (double& key : keys) key = people.uniform();
        subset.rank_by(keys);
        subset.resize(i % 2 == 0 ? 60 : i % 9);
        const int truth = static_cast<int>(people.below(5));
        answers.push_back({subset, respond(people, response_distribution(mechanism, subset.size()),
                                           subset, truth)});
        history.add(subset, answers.back().response);
    }
    const std::vector<double> rho(categories, 1.0);

    GibbsSampler sampler({}, mechanism, rho);
    RandomStream stream(5521, Purpose::gibbs, 0);
    sampler.advance(history, stream, 100);
    std::vector<double> draws(categories * sweeps);
    sampler.advance(history, stream, sweeps, draws);

    std::vector<double> theta(categories, 1.0 / categories);
    std::vector<double> plain_sum(categories);
    std::vector<double> plain_square(categories);
    std::vector<double> weights(categories);
    for (int sweep = -100; sweep < sweeps; ++sweep) {
        std::vector<double> counts = rho;
        for (const KeptAnswer& answer : answers) {
            const int y = answer.response;
            const ResponseDistribution distribution =
                response_distribution(mechanism, answer.subset.size());
            double sum = 0.0;
            for (int x = 0; x < categories; ++x)
                weights[static_cast<std::size_t>(x)] = sum +=
                    theta[static_cast<std::size_t>(x)] *
                    distribution.probability(answer.subset.contains(y), answer.subset.contains(x),
                                             x == y);
            const auto drawn =
                std::upper_bound(weights.begin(), weights.end() - 1, sum * stream.uniform());
            counts[static_cast<std::size_t>(drawn - weights.begin())] += 1.0;
        }
        double sum = 0.0;
        for (std::size_t i = 0; i < theta.size(); ++i) sum += theta[i] = stream.gamma(counts[i]);
        for (std::size_t i = 0; i < theta.size(); ++i) {
            theta[i] /= sum;
            if (sweep < 0) continue;
            plain_sum[i] += theta[i];
            plain_square[i] += theta[i] * theta[i];
        }
    }
    for (std::size_t i = 0; i < theta.size(); ++i) {
        double mean = 0.0;
        for (int sweep = 0; sweep < sweeps; ++sweep)
            mean += draws[static_cast<std::size_t>(sweep * categories) + i] / sweeps;
        const double plain = plain_sum[i] / sweeps;
        const double deviation = std::sqrt(plain_square[i] / sweeps - plain * plain);
        // Five standard errors of the difference at 20 sweeps a free draw.
        CHECK(std::fabs(mean - plain) < 5.0 * deviation * std::sqrt(2.0 * 20.0 / sweeps));
    }
}

TEST_CASE("Gibbs draws stay finite at the edges of the domain", "[gibbs]") {
    for (const double epsilon : {0.01, 500.0})
        for (const double rho : {1e-6, 1e9}) {
            const RestrictedResponse mechanism{
                .categories = 5, .epsilon = epsilon, .budget_share = 0.9};
            ResponseHistory history(mechanism);
            for (int i = 0; i < 40; ++i) {
                CategorySubset subset(5);
                subset.resize(i % 5);
                history.add(subset, i * i % 5);
            }
            GibbsSampler sampler({}, mechanism, std::vector<double>(5, rho));
            RandomStream stream(5530, Purpose::gibbs, 0);
            for (int sweep = 0; sweep < 50; ++sweep) {
                sampler.advance(history, stream, 1);
                double sum = 0.0;
                for (const double theta : sampler.theta()) sum += theta;
                CHECK(sum == Approx(1.0));
            }
        }
}

TEST_CASE("Gibbs settings outside their domain are refused by name", "[gibbs]") {
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.0, .budget_share = 0.8};
    const std::vector<double> good(3, 1.0);
    const auto refused_for = [&](int updates, const std::vector<double>& rho) {
        return refused([&] { return GibbsSampler({.updates = updates}, mechanism, rho); });
    };
    CHECK(refused_for(0, good).empty());
    CHECK(refused_for(-1, good) == "updates");
    CHECK(refused_for(1, {1.0, 1.0}) == "prior");
    CHECK(refused_for(1, {1.0, 1.0, 0.0}) == "prior");
    CHECK(refused_for(1, {1.0, 1.0, NAN}) == "prior");
    GibbsSampler sampler({}, mechanism, good);
    CHECK(refused([&] { return sampler.assign(std::vector<double>{0.5, 0.5}), 0; }) == "theta");
    CHECK(refused([&] { return sampler.assign(good), 0; }) == "theta");
    CHECK(refused([&] {
              return sampler.assign(std::vector<double>{-0.5, 0.5, 1.0}), 0;
          }) == "theta");
}
