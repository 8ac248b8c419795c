#include "experiments/chua2025/click_training.hpp"

#include <fmt/format.h>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::experiments::chua2025;

namespace {

Params small_params(const std::string& rates = "[0.01]") {
    return Params::from_text(fmt::format(R"(
seed = 3
data_folder = ""
bad_records = "stop"
runs = 2
embedding = 2
hidden = [3]
batch_sizes = [50]
learning_rates = {}
private_batch_sizes = [40]
private_learning_rates = [0.01]
clip_norms = [1]
noise_multipliers = [0.1, 0.4]
truncation_epsilon = 10
truncation_delta = 1e-10
[ads]
examples = 300
buckets = 10
integers = 13
fields = 26
largest = 10
mean_log_odds = -1
log_odds_spread = 1
seed = 7
[search]
examples = 200
buckets = 10
integers = 0
fields = 19
largest = 10
mean_log_odds = -2
log_odds_spread = 1
seed = 8
)",
                                         rates),
                             "small.toml");
}

}  // namespace

TEST_CASE("the stand-ins have the shapes and the splits of the click logs", "[experiments]") {
    const ClickData ads = read_ads(small_params());
    CHECK(ads.training.size() == 240);
    CHECK(ads.test.size() == 30);
    CHECK(ads.training.shape.values == 13);
    CHECK(ads.training.shape.categories.size() == 26);
    CHECK(ads.label == "display ads (synthetic)");
    const ClickData search = read_search(small_params());
    CHECK(search.training.size() == 160);
    CHECK(search.test.size() == 40);
    CHECK(search.training.shape.values == 0);
    CHECK(search.training.shape.categories.size() == 19);
    CHECK(search.first_seed != ads.first_seed);
    CHECK(search.best_auc.value() > 0.6);
}

TEST_CASE("every setting is run with every sampler, the runs by themselves", "[experiments]") {
    const ClickData ads = read_ads(small_params());
    const auto samples = train_on_clicks(small_params(), ads);
    REQUIRE(samples.size() == 9);
    int different = 0;  // few test examples: two runs may rank them with equal success
    for (const AucSample& sample : samples) {
        REQUIRE(sample.aucs.size() == 2);
        CHECK(sample.aucs[0] >= 0.0);
        CHECK(sample.aucs[0] <= 1.0);
        different += sample.aucs[0] != sample.aucs[1] ? 1 : 0;
        CHECK(sample.batch_size == (sample.noise_multiplier == 0.0 ? 50 : 40));
    }
    CHECK(different >= 6);
    CHECK(train_on_clicks(small_params(), ads)[4].aucs == samples[4].aucs);
}

TEST_CASE("rates that do not fit the batch sizes are refused", "[experiments]") {
    const Params wrong = small_params("[0.01, 0.02]");
    CHECK_THROWS_AS(train_on_clicks(wrong, read_ads(wrong)), FileError);
}

TEST_CASE("batches are cut where the text of Appendix C says", "[experiments]") {
    const auto cut = [](SamplingScheme scheme, std::int64_t examples, std::int64_t batch) {
        return epoch_sampling(small_params(), scheme, examples, batch)
            .maximum_batch_size.value_or(0);
    };
    CHECK(cut(SamplingScheme::poisson, 37'000'000, 1024) == 1325);
    CHECK(cut(SamplingScheme::balls_and_bins, 37'000'000, 8192) == 8997);
    CHECK(cut(SamplingScheme::poisson, 12'796'151, 8192) == 8986);
    CHECK(cut(SamplingScheme::shuffle, 37'000'000, 1024) == 0);
}
