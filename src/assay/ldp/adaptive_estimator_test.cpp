#include "assay/ldp/adaptive_estimator.hpp"

#include <algorithm>

#include "assay/files/atomic_file.hpp"
#include "assay/ldp/grid_posterior.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;
using Catch::EndsWith;

namespace {

AdaptiveSettings langevin_settings(int categories, SubsetRule rule, std::int64_t planned) {
    AdaptiveSettings settings;
    settings.mechanism = {.categories = categories, .epsilon = 1.0, .budget_share = 0.8};
    settings.rule = rule;
    settings.sampler = LangevinSettings{.step = paper_step(planned)};
    settings.seed = 5701;
    return settings;
}

/// People of the first category with probability 0.7, of the others alike.
int someone(RandomStream& stream, int categories) {
    if (stream.uniform() < 0.7) return 0;
    return 1 + static_cast<int>(stream.below(static_cast<std::uint64_t>(categories - 1)));
}

void collect(AdaptiveEstimator& estimator, RandomStream& stream, int users) {
    for (int i = 0; i < users; ++i)
        estimator.feed(respond(stream, estimator.distribution(), estimator.subset(),
                               someone(stream, estimator.categories())));
}

bool same(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::string saved(const AdaptiveEstimator& estimator) {
    const ScratchFolder folder("adaptive_estimator");
    estimator.save(folder.path() / "state");
    return read_file(folder.path() / "state");
}

AdaptiveEstimator restored(const std::string& text) {
    const ScratchFolder folder("adaptive_estimator");
    write_file_atomically(folder.path() / "state", text);
    return AdaptiveEstimator::restore(folder.path() / "state");
}

std::string state_refusal(const std::string& text) {
    try {
        static_cast<void>(restored(text));
    } catch (const FileError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the stream finds the distribution, by every rule and sampler", "[adaptive_estimator]") {
    const std::vector<SubsetRule> rules{NonAdaptive{}, SemiAdaptive{0.9},
                                        ByUtility{Utility::honest_response},
                                        ByUtility{Utility::marginal_total_variation}};
    for (const SubsetRule& rule : rules)
        for (const bool exact : {false, true}) {
            CAPTURE(to_string(rule), exact);
            AdaptiveSettings settings = langevin_settings(6, rule, 1500);
            settings.mechanism.epsilon = 2.0;
            if (exact) settings.sampler = GibbsSettings{};
            AdaptiveEstimator estimator(settings);
            RandomStream people(11, Purpose::population, 0);
            collect(estimator, people, 1500);
            CHECK(estimator.responses() == 1500);
            const PosteriorEstimate estimate = estimator.estimate(exact ? 800 : 20'000, 500);
            CHECK(estimate.draws == (exact ? 300 : 19'500));
            CHECK(estimate.mean[0] == Approx(0.7).margin(0.07));
            double sum = 0.0;
            for (std::size_t i = 0; i < 6; ++i) {
                sum += estimate.mean[i];
                CHECK(estimate.lower[i] < estimate.mean[i]);
                CHECK(estimate.mean[i] < estimate.upper[i]);
            }
            CHECK(sum == Approx(1.0));
            CHECK(estimate.mean_sum_phi.has_value() == !exact);
            CHECK(estimate.expected_sum_phi == 6.0);
            CHECK(std::holds_alternative<NonAdaptive>(rule) == (estimator.mean_subset_size() == 0));
        }
}

TEST_CASE("credible intervals are the posterior's quantiles", "[adaptive_estimator]") {
    AdaptiveSettings settings;
    settings.mechanism = {.categories = 3, .epsilon = 1.5, .budget_share = 0.8};
    settings.sampler = GibbsSettings{.updates = 0};
    AdaptiveEstimator estimator(settings);
    std::vector<KeptAnswer> answers;
    RandomStream people(12, Purpose::population, 0);
    for (int i = 0; i < 40; ++i) {
        CategorySubset subset(3);
        subset.resize(i % 3);
        const ResponseDistribution distribution =
            response_distribution(settings.mechanism, subset.size());
        const int response = respond(people, distribution, subset, someone(people, 3));
        answers.push_back({subset, response});
        estimator.feed(subset, response);
    }
    CHECK(estimator.mean_subset_size() == Approx((14 * 0 + 13 * 1 + 13 * 2) / 40.0));
    const GridPosterior truth = grid_posterior(settings.mechanism, answers, {1.0, 1.0, 1.0}, 300);
    const PosteriorEstimate estimate = estimator.estimate(60'200, 200, 0.8);
    CHECK(estimate.level == 0.8);
    for (int i = 0; i < 3; ++i) {
        const auto k = static_cast<std::size_t>(i);
        CHECK(estimate.mean[k] == Approx(truth.mean[k]).margin(0.005));
        CHECK(estimate.lower[k] == Approx(truth.quantile(i, 0.1)).margin(0.01));
        CHECK(estimate.upper[k] == Approx(truth.quantile(i, 0.9)).margin(0.01));
    }
}

TEST_CASE("asking changes nothing, and the seed decides", "[adaptive_estimator]") {
    AdaptiveEstimator asked(langevin_settings(5, ByUtility{}, 200));
    AdaptiveEstimator silent(langevin_settings(5, ByUtility{}, 200));
    AdaptiveSettings other = langevin_settings(5, ByUtility{}, 200);
    other.seed = 1;
    AdaptiveEstimator different(other);
    RandomStream a(13, Purpose::population, 0);
    RandomStream b(13, Purpose::population, 0);
    RandomStream c(13, Purpose::population, 0);
    for (int i = 0; i < 40; ++i) {
        collect(asked, a, 5);
        const PosteriorEstimate one = asked.estimate(30, 10);
        CHECK(one.mean == asked.estimate(30, 10).mean);
        collect(silent, b, 5);
        collect(different, c, 5);
    }
    CHECK(same(asked.current(), silent.current()));
    CHECK(saved(asked) == saved(silent));
    CHECK_FALSE(same(asked.current(), different.current()));
    CHECK(asked.estimate(30, 10).mean == silent.estimate(30, 10).mean);
}

TEST_CASE("a restored estimator goes on with the same bits", "[adaptive_estimator]") {
    std::vector<AdaptiveSettings> all;
    for (const SubsetRule& rule :
         {SubsetRule{NonAdaptive{}}, SubsetRule{SemiAdaptive{0.8}}, SubsetRule{ByUtility{}}}) {
        all.push_back(langevin_settings(9, rule, 300));
        all.push_back(all.back());
        all.back().sampler = GibbsSettings{};
        all.back().prior.assign(9, 0.5);
        all.back().prior[3] = 2.0;
    }
    all.push_back(langevin_settings(70, ByUtility{Utility::entropy}, 300));
    all.back().mechanism.variant = ResponseVariant::as_released;
    all.back().sampler = LangevinSettings{
        .updates = 3, .subsample = 11, .step = {.first = 0.01, .delay = 20.0, .power = 0.3}};
    for (const AdaptiveSettings& settings : all)
        for (const int stop : {0, 1, 150}) {
            CAPTURE(to_string(settings.rule), settings.sampler.index(), stop);
            AdaptiveEstimator whole(settings);
            RandomStream people(14, Purpose::population, 0);
            collect(whole, people, stop);
            const std::string text = saved(whole);
            AdaptiveEstimator part = restored(text);
            CHECK(saved(part) == text);
            RandomStream again = people;
            collect(whole, people, 60);
            collect(part, again, 60);
            CHECK(saved(whole) == saved(part));
            CHECK(same(whole.current(), part.current()));
            CHECK(whole.mean_sum_phi() == part.mean_sum_phi());
            CHECK(whole.mean_subset_size() == part.mean_subset_size());
            CHECK(std::ranges::equal(whole.subset().order(), part.subset().order()));
            const PosteriorEstimate one = whole.estimate(50, 25);
            const PosteriorEstimate two = part.estimate(50, 25);
            CHECK(one.mean == two.mean);
            CHECK(one.lower == two.lower);
            CHECK(one.mean_sum_phi == two.mean_sum_phi);
        }
}

TEST_CASE("a state that is not whole is refused in one line", "[adaptive_estimator]") {
    AdaptiveEstimator estimator(langevin_settings(7, ByUtility{}, 100));
    RandomStream people(15, Purpose::population, 0);
    collect(estimator, people, 50);
    const std::string text = saved(estimator);
    CHECK(state_refusal(text).empty());
    CHECK_THAT(state_refusal(""), EndsWith("state: this is no adaptive estimator of assay"));
    CHECK_THAT(state_refusal("y,S\n1,2\n"),
               EndsWith("state: this is no adaptive estimator of assay"));
    CHECK_THAT(state_refusal(std::string("assay adaptive estimator\n\x01\0\0\0", 29)),
               EndsWith("this adaptive estimator is of version 1, this program reads version 3"));
    for (std::size_t length = 1; length < text.size(); length += 13)
        CHECK_THAT(state_refusal(text.substr(0, length)),
                   Contains("adaptive estimator is cut short"));
    CHECK_THAT(state_refusal(text + "x"), EndsWith("it goes on behind its end"));
    Random random(5702);
    CAPTURE(random.seed());
    const auto first_line = static_cast<int>(text.find('\n')) + 1;
    for (int trial = 0; trial < 200 * effort(); ++trial) {
        std::string damaged = text;
        const auto at =
            static_cast<std::size_t>(random.integer(first_line, static_cast<int>(text.size()) - 1));
        damaged[at] = static_cast<char>(damaged[at] ^ 1 << random.integer(0, 7));
        const std::string message = state_refusal(damaged);
        CAPTURE(at, message);
        CHECK_THAT(message, Contains("state: this adaptive estimator is damaged"));
        CHECK(message.find('\n') == std::string::npos);
    }
}

TEST_CASE("what cannot be is refused by name and changes nothing", "[adaptive_estimator]") {
    const AdaptiveSettings good = langevin_settings(4, ByUtility{}, 100);
    const auto with = [&](auto change) {
        AdaptiveSettings settings = good;
        change(settings);
        return refused([&] { return AdaptiveEstimator(settings); });
    };
    CHECK(with([](AdaptiveSettings&) {}).empty());
    CHECK(with([](AdaptiveSettings& s) { s.mechanism.categories = 1; }) == "categories");
    CHECK(with([](AdaptiveSettings& s) { s.mechanism.epsilon = 0.0; }) == "epsilon");
    CHECK(with([](AdaptiveSettings& s) { s.rule = SemiAdaptive{1.0}; }) == "mass");
    CHECK(with([](AdaptiveSettings& s) { s.prior = {1.0}; }) == "prior");
    CHECK(with([](AdaptiveSettings& s) { s.sampler = LangevinSettings{}; }) == "step");
    CHECK(with([](AdaptiveSettings& s) { s.sampler = GibbsSettings{-1}; }) == "updates");
    AdaptiveEstimator estimator(good);
    const std::string before = saved(estimator);
    CHECK(refused([&] { return estimator.feed(4), 0; }) == "response");
    CHECK(refused([&] { return estimator.feed(-1), 0; }) == "response");
    CHECK(refused([&] { return estimator.feed(CategorySubset(3), 0), 0; }) == "subset");
    CHECK(refused([&] { return estimator.estimate(0, 0); }) == "updates");
    CHECK(refused([&] { return estimator.estimate(5, 5); }) == "discarded");
    CHECK(refused([&] { return estimator.estimate(5, 1, 1.0); }) == "level");
    CHECK(saved(estimator) == before);
}
