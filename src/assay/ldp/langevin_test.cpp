#include "assay/ldp/langevin.hpp"

#include <algorithm>

#include "assay/ldp/grid_posterior.hpp"
#include "assay/numeric/normal_quantile.hpp"
#include "test_support/ldp_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// 30 answers of three categories, sets of every size.
std::vector<KeptAnswer> thirty_answers(Random& random) {
    std::vector<KeptAnswer> answers;
    for (int i = 0; i < 30; ++i) {
        CategorySubset subset(3);
        subset.rank_by(
            std::vector<double>{random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)});
        subset.resize(random.integer(0, 2));
        answers.push_back({subset, std::min(random.integer(0, 3), 2) % 3});
    }
    return answers;
}

struct Moments {
    std::vector<double> mean;
    std::vector<double> deviation;
};

Moments moments(const std::vector<double>& draws, std::size_t categories) {
    Moments result{std::vector<double>(categories), std::vector<double>(categories)};
    const double count = static_cast<double>(draws.size() / categories);
    for (std::size_t k = 0; k < draws.size(); ++k) result.mean[k % categories] += draws[k] / count;
    for (std::size_t k = 0; k < draws.size(); ++k) {
        const double off = draws[k] - result.mean[k % categories];
        result.deviation[k % categories] += off * off / count;
    }
    for (double& value : result.deviation) value = std::sqrt(value);
    return result;
}

std::size_t groups_of_eight(std::size_t words) {
    return (words + 7) / 8 * 8;
}

/// One update from the same random words with the dense gradient of Proposition 4.
std::vector<double> plain_update(const RestrictedResponse& mechanism,
                                 const std::vector<KeptAnswer>& answers, std::vector<double> phi,
                                 const std::vector<double>& rho, int subsample, double gamma,
                                 RandomStream stream) {
    const SubsampleIndices uniform(answers.size());
    std::vector<std::uint64_t> words(
        groups_of_eight(uniform.words(static_cast<std::size_t>(subsample))));
    stream.fill_bits(words);
    // 30 answers: four digits in base 30 a word.
    std::vector<std::size_t> indices;
    for (std::size_t w = 0; indices.size() < static_cast<std::size_t>(subsample); ++w) {
        long double fraction = static_cast<long double>(words[w]) * 0x1p-64L;
        for (int digit = 0; digit < 4; ++digit) {
            fraction *= static_cast<long double>(answers.size());
            indices.push_back(static_cast<std::size_t>(fraction));
            fraction -= std::floor(fraction);
        }
    }
    indices.resize(static_cast<std::size_t>(subsample));
    std::vector<std::uint64_t> bits(groups_of_eight((phi.size() + 4) / 2));
    stream.fill_bits(bits);
    double sum = 0.0;
    for (const double value : phi) sum += value;
    const std::size_t categories = phi.size();
    std::vector<double> next(categories);
    for (std::size_t i = 0; i < categories; ++i) {
        double gradient = (rho[i] - 1.0) / phi[i] - 1.0;
        for (const std::size_t j : indices) {
            const auto& [subset, y] = answers[j];
            const ResponseDistribution distribution =
                response_distribution(mechanism, subset.size());
            const auto g = [&, y = y, &subset = subset](std::size_t x) {
                return distribution.probability(subset.contains(y),
                                                subset.contains(static_cast<int>(x)),
                                                static_cast<int>(x) == y);
            };
            double h = 0.0;
            for (std::size_t x = 0; x < categories; ++x) h += g(x) * phi[x] / sum;
            // d log h / d phi_i = sum_x g(y | x) (sum [x = i] - phi_x) / sum^2 / h
            double slope = 0.0;
            for (std::size_t x = 0; x < categories; ++x)
                slope += g(x) * ((x == i ? sum : 0.0) - phi[x]) / (sum * sum);
            gradient += static_cast<double>(answers.size()) / subsample * slope / h;
        }
        const auto half = static_cast<std::int32_t>(bits[i / 2] >> 32U * (i % 2) & 0xFFFFFFFFU);
        const long double tail = (static_cast<long double>(half) + 0.5L) * 0x1p-32L;
        const double normal = static_cast<double>(tail > 0.0L ? normal_upper_quantile(tail)
                                                              : -normal_upper_quantile(-tail));
        next[i] = std::fabs(phi[i] + 0.5 * gamma * gradient + std::sqrt(gamma) * normal);
    }
    return next;
}

}  // namespace

TEST_CASE("an update is the paper's with the dense gradient", "[langevin]") {
    Random random(5301);
    CAPTURE(random.seed());
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.2, .budget_share = 0.7};
    for (const std::vector<double>& rho :
         {std::vector<double>{1.0, 1.0, 1.0}, std::vector<double>{0.5, 2.0, 3.0}})
        for (int trial = 0; trial < 30 * effort(); ++trial) {
            const std::vector<KeptAnswer> answers = thirty_answers(random);
            const ResponseHistory history = history_of(mechanism, answers);
            const double gamma = random.log_uniform(1e-4, 1e-2);
            const LangevinSettings settings{
                .updates = 1, .subsample = random.integer(1, 60), .step = {.first = gamma}};
            Subsample subsample(mechanism, settings.subsample);
            subsample.follow(history);
            std::vector<KeptAnswer> by_index;
            by_index.reserve(answers.size());
            for (const std::uint32_t number : subsample.order(history))
                by_index.push_back(answers[number]);
            LangevinSampler sampler(settings, mechanism, rho);
            const std::vector<double> phi{random.uniform(0.2, 3), random.uniform(0.2, 3),
                                          random.uniform(0.2, 3)};
            sampler.assign({.phi = phi});
            RandomStream stream(7, Purpose::langevin, static_cast<std::uint64_t>(trial));
            const std::vector<double> truth =
                plain_update(mechanism, by_index, phi, rho, settings.subsample, gamma, stream);
            sampler.advance(history, stream, 1);
            for (std::size_t i = 0; i < 3; ++i)
                CHECK(std::fabs(sampler.phi()[i] - truth[i]) <= 1e-7 * std::sqrt(gamma));
        }
}

TEST_CASE("Langevin draws have the posterior's moments up to the step's bias", "[langevin]") {
    Random random(5302);
    CAPTURE(random.seed());
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.0, .budget_share = 0.8};
    const std::vector<KeptAnswer> answers = thirty_answers(random);
    const ResponseHistory history = history_of(mechanism, answers);
    const GridPosterior truth = grid_posterior(mechanism, answers, {1.0, 1.0, 1.0}, 200);
    const auto run = [&](double gamma, int updates) {
        LangevinSampler sampler({.updates = 1, .subsample = 50, .step = {.first = gamma}},
                                mechanism, std::vector<double>(3, 1.0));
        RandomStream stream(5302, Purpose::langevin, 0);
        sampler.advance(history, stream, updates / 10);
        sampler.forget();
        std::vector<double> draws(3 * static_cast<std::size_t>(updates));
        sampler.advance(history, stream, updates, draws);
        return std::pair{moments(draws, 3), sampler.mean_sum_phi()};
    };
    const auto [fine, fine_sum] = run(0.01, 1'000'000);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::fabs(fine.mean[i] - truth.mean[i]) < 0.015);
        CHECK(fine.deviation[i] == Approx(truth.deviation[i]).epsilon(0.05));
    }
    CHECK(fine_sum == Approx(3.0).epsilon(0.05));
    // The bias grows with the step, and the sum of phi says so.
    const auto [coarse, coarse_sum] = run(0.3, 300'000);
    double worst = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        worst = std::max(worst, std::fabs(coarse.mean[i] - truth.mean[i]));
    CHECK(worst > 0.02);
    CHECK(coarse_sum > 3.3);
}

TEST_CASE("without answers Langevin draws from the prior", "[langevin]") {
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.0, .budget_share = 0.8};
    const ResponseHistory nothing(mechanism);
    LangevinSampler sampler({.updates = 1, .subsample = 5, .step = {.first = 0.05}}, mechanism,
                            std::vector<double>{1.0, 2.0, 3.0});
    RandomStream stream(5303, Purpose::langevin, 0);
    sampler.advance(nothing, stream, 20'000);
    sampler.forget();
    std::vector<double> draws(3 * 500'000);
    sampler.advance(nothing, stream, 500'000, draws);
    const Moments result = moments(draws, 3);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(result.mean[i] == Approx(static_cast<double>(i + 1) / 6.0).margin(0.01));
    CHECK(sampler.mean_sum_phi() == Approx(6.0).epsilon(0.03));
}

TEST_CASE("a run of updates is the same in one go and with its state written down", "[langevin]") {
    Random random(5304);
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.0, .budget_share = 0.8};
    const ResponseHistory history = history_of(mechanism, thirty_answers(random));
    const LangevinSettings settings{.updates = 1, .subsample = 50, .step = {.first = 0.01}};
    const std::vector<double> rho{1.0, 1.0, 2.0};
    LangevinSampler one(settings, mechanism, rho);
    RandomStream a(1, Purpose::langevin, 0);
    RandomStream b(1, Purpose::langevin, 1);
    one.advance(history, a, 700);
    LangevinSampler two(settings, mechanism, rho);
    two.assign(one.state());
    CHECK(two.state() == one.state());
    RandomStream again(1, Purpose::langevin, 1);
    one.advance(history, b, 20);
    two.advance(history, again, 20);
    CHECK(one.state() == two.state());
    CHECK(std::equal(one.theta().begin(), one.theta().end(), two.theta().begin()));
    CHECK(one.mean_sum_phi() > 0.0);
    one.forget();
    CHECK(one.mean_sum_phi() == 0.0);
}

TEST_CASE("Langevin updates stay finite at the edges of the domain", "[langevin]") {
    for (const auto& [epsilon, variant] : {std::pair{0.01, ResponseVariant::theorem},
                                           {10.0, ResponseVariant::theorem},
                                           {500.0, ResponseVariant::theorem},
                                           {500.0, ResponseVariant::as_released}})
        for (const double rho : {1e-6, 1.0, 50.0})
            for (const double gamma : {1e-9, 1e-3, 1.0}) {
                CAPTURE(epsilon, rho, gamma);
                const RestrictedResponse mechanism{
                    .categories = 5, .epsilon = epsilon, .budget_share = 0.9, .variant = variant};
                ResponseHistory history(mechanism);
                for (int i = 0; i < 40; ++i) {
                    CategorySubset subset(5);
                    subset.resize(i % 5);
                    history.add(subset, i * i % 5);
                }
                LangevinSampler sampler({.updates = 1, .subsample = 7, .step = {.first = gamma}},
                                        mechanism, std::vector<double>(5, rho));
                sampler.assign({.phi = {0.0, 0.0, 1e-50, 0.0, 0.0}});
                RandomStream stream(5305, Purpose::langevin, 0);
                sampler.advance(history, stream, 500);
                double sum = 0.0;
                bool finite = std::isfinite(sampler.sum_phi());
                for (const double theta : sampler.theta()) {
                    finite = finite && theta >= 0.0 && theta <= 1.0 + 1e-12;
                    sum += theta;
                }
                CHECK(finite);
                CHECK(sum == Approx(1.0));
            }
}

TEST_CASE("steps follow their schedule", "[langevin]") {
    CHECK(paper_step(5000).at(0) == 1e-4);
    CHECK(paper_step(5000).at(1'000'000) == 1e-4);
    const StepSize falling{.first = 0.1, .delay = 10.0, .power = 0.5};
    CHECK(falling.at(0) == 0.1);
    CHECK(falling.at(30) == Approx(0.05));
    CHECK(refused([] { return paper_step(0); }) == "planned-answers");
}

TEST_CASE("Langevin settings outside their domain are refused by name", "[langevin]") {
    const RestrictedResponse mechanism{.categories = 3, .epsilon = 1.0, .budget_share = 0.8};
    const std::vector<double> prior(3, 1.0);
    const LangevinSettings good{.updates = 1, .subsample = 5, .step = {.first = 0.01}};
    const auto refused_for = [&](LangevinSettings settings, std::vector<double> rho) {
        return refused([&] { return LangevinSampler(settings, mechanism, rho); });
    };
    const auto with = [&](auto change) {
        LangevinSettings settings = good;
        change(settings);
        return refused_for(settings, prior);
    };
    CHECK(refused_for(good, prior).empty());
    CHECK(with([](LangevinSettings& s) { s.updates = -1; }) == "updates");
    CHECK(with([](LangevinSettings& s) { s.subsample = 0; }) == "subsample");
    CHECK(with([](LangevinSettings& s) { s.subsample = 5000; }) == "subsample");
    CHECK(with([](LangevinSettings& s) { s.step = {}; }) == "step");
    CHECK(with([](LangevinSettings& s) { s.step.first = 2.0; }) == "step");
    CHECK(with([](LangevinSettings& s) { s.step.first = NAN; }) == "step");
    CHECK(with([](LangevinSettings& s) { s.step.delay = 0.0; }) == "step-delay");
    CHECK(with([](LangevinSettings& s) { s.step.power = -1.0; }) == "step-power");
    CHECK(refused_for(good, {1.0, 1.0}) == "prior");
    CHECK(refused_for(good, {1.0, 0.0, 1.0}) == "prior");
    CHECK(refused_for(good, {1.0, NAN, 1.0}) == "prior");
    LangevinSampler sampler(good, mechanism, prior);
    CHECK(refused([&] { return sampler.assign({.phi = {1.0, 1.0}}), 0; }) == "phi");
    CHECK(refused([&] { return sampler.assign({.phi = {1.0, -1.0, 1.0}}), 0; }) == "phi");
    CHECK(refused([&] { return sampler.assign({.phi = {0.0, 0.0, 0.0}}), 0; }) == "phi");
}
