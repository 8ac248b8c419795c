#include "assay/datasets/synthetic_clicks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

namespace {

constexpr std::int32_t integer_values = 10'000;
constexpr double integer_tail_exponent = 1.5;
constexpr std::int64_t block_size = 4096;                       // examples of a random stream
constexpr std::uint64_t model_block = std::uint64_t{1} << 32U;  // above those of the examples

double standard_logistic(double s) {
    return 1.0 / (1.0 + std::exp(-s));
}

/// A feature that takes 0, 1, .. with probabilities ~ 1, 2^-a, 3^-a, .., and what each value adds
/// to the log odds.
struct Feature {
    std::vector<double> cumulative;
    std::vector<double> effect;

    [[nodiscard]] std::int32_t draw(RandomStream& stream) const {
        const auto at =
            std::upper_bound(cumulative.begin(), cumulative.end() - 1, stream.uniform());
        return static_cast<std::int32_t>(at - cumulative.begin());
    }
};

/// The distribution of the feature, and `effect` shifted and scaled under it to mean 0 and this
/// deviation.
Feature make_feature(double tail_exponent, std::vector<double> effect, double deviation) {
    Feature feature{{}, std::move(effect)};
    double total = 0.0;
    for (std::size_t k = 0; k < feature.effect.size(); ++k)
        feature.cumulative.push_back(total += std::pow(static_cast<double>(k + 1), -tail_exponent));
    for (double& c : feature.cumulative) c /= total;
    const auto mass = [&](std::size_t k) {
        return feature.cumulative[k] - (k == 0 ? 0.0 : feature.cumulative[k - 1]);
    };
    double mean = 0.0;
    double variance = 0.0;
    for (std::size_t k = 0; k < feature.effect.size(); ++k) mean += mass(k) * feature.effect[k];
    for (double& e : feature.effect) e -= mean;
    for (std::size_t k = 0; k < feature.effect.size(); ++k)
        variance += mass(k) * feature.effect[k] * feature.effect[k];
    for (double& e : feature.effect) e *= deviation / std::sqrt(variance);
    return feature;
}

struct TrueModel {
    std::vector<Feature> integers;
    std::vector<Feature> fields;
};

std::int32_t field_size(const SyntheticClicks& clicks, int field) {
    if (field == 0) return clicks.smallest;
    const double ratio = static_cast<double>(clicks.largest) / clicks.smallest;
    return static_cast<std::int32_t>(std::lround(
        clicks.smallest * std::pow(ratio, static_cast<double>(field) / (clicks.fields - 1))));
}

TrueModel true_model(const SyntheticClicks& clicks) {
    const double deviation =
        clicks.log_odds_spread / std::sqrt(static_cast<double>(clicks.integers + clicks.fields));
    TrueModel model;
    RandomStream signs(clicks.seed, Purpose::synthetic_data, model_block);
    for (int i = 0; i < clicks.integers; ++i) {
        const double sign = signs.uniform() < 0.5 ? -1.0 : 1.0;
        std::vector<double> effect;
        effect.reserve(integer_values);
        for (std::int32_t v = 0; v < integer_values; ++v) effect.push_back(sign * std::log1p(v));
        model.integers.push_back(make_feature(integer_tail_exponent, effect, deviation));
    }
    for (int i = 0; i < clicks.fields; ++i) {
        RandomStream weights(clicks.seed, Purpose::synthetic_data,
                             model_block + 1 + static_cast<std::uint64_t>(i));
        std::vector<double> effect(static_cast<std::size_t>(field_size(clicks, i)));
        for (double& e : effect) e = weights.normal();
        model.fields.push_back(make_feature(clicks.tail_exponent, effect, deviation));
    }
    return model;
}

}  // namespace

void validate(const SyntheticClicks& clicks) {
    const auto most = static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max());
    require(clicks.examples >= 1 && clicks.examples <= most, "examples",
            static_cast<double>(clicks.examples), "1 .. 4294967295");
    require(clicks.integers >= 0 && clicks.integers <= 1000, "integers", clicks.integers,
            "0 .. 1000");
    require(clicks.fields >= 0 && clicks.fields <= 1000, "fields", clicks.fields, "0 .. 1000");
    require(clicks.integers + clicks.fields >= 1, "fields", clicks.fields,
            "at least one feature, an integer or a field");
    require(clicks.smallest >= 2 && clicks.smallest <= clicks.largest, "smallest", clicks.smallest,
            "2 .. largest");
    require(clicks.largest <= 10'000'000, "largest", clicks.largest, "at most 10000000");
    require(clicks.tail_exponent >= 0.0 && clicks.tail_exponent <= 10.0, "tail exponent",
            clicks.tail_exponent, "[0, 10]");
    require(std::fabs(clicks.mean_log_odds) <= 30.0, "mean log odds", clicks.mean_log_odds,
            "[-30, 30]");
    require(clicks.log_odds_spread >= 0.0 && clicks.log_odds_spread <= 30.0, "log odds spread",
            clicks.log_odds_spread, "[0, 30]");
}

SyntheticSample synthetic_sample(const SyntheticClicks& clicks) {
    validate(clicks);
    const TrueModel model = true_model(clicks);
    SyntheticSample sample;
    Dataset& data = sample.data;
    data.name = "synthetic clicks";
    data.shape.values = clicks.integers;
    for (int i = 0; i < clicks.fields; ++i) data.shape.categories.push_back(field_size(clicks, i));
    const auto n = static_cast<std::size_t>(clicks.examples);
    data.values.reserve(n * model.integers.size());
    data.categories.reserve(n * model.fields.size());
    data.labels.reserve(n);
    sample.log_odds.reserve(n);
    for (std::int64_t first = 0; first < clicks.examples; first += block_size) {
        RandomStream stream(clicks.seed, Purpose::synthetic_data,
                            static_cast<std::uint64_t>(first / block_size));
        for (std::int64_t i = first; i < std::min(first + block_size, clicks.examples); ++i) {
            double log_odds = clicks.mean_log_odds;
            for (const Feature& integer : model.integers) {
                const std::int32_t v = integer.draw(stream);
                log_odds += integer.effect[static_cast<std::size_t>(v)];
                data.values.push_back(static_cast<float>(std::log1p(v)));
            }
            for (const Feature& field : model.fields) {
                const std::int32_t category = field.draw(stream);
                log_odds += field.effect[static_cast<std::size_t>(category)];
                data.categories.push_back(category);
            }
            data.labels.push_back(stream.uniform() < standard_logistic(log_odds) ? 1 : 0);
            sample.log_odds.push_back(log_odds);
        }
    }
    return sample;
}

Dataset synthetic_clicks(const SyntheticClicks& clicks) {
    return synthetic_sample(clicks).data;
}

double best_possible_auc(std::span<const double> log_odds) {
    require(!log_odds.empty(), "examples", 0.0, "at least one");
    std::vector<double> sorted(log_odds.begin(), log_odds.end());
    std::sort(sorted.begin(), sorted.end());
    double ones = 0.0;           // expected number of labels 1 so far
    double zeros = 0.0;          // and of labels 0
    double ordered_pairs = 0.0;  // expected pairs of a 1 above a 0, a tie being half a pair
    for (std::size_t i = 0; i < sorted.size();) {
        const double s = sorted[i];
        double tied = 0.0;
        for (; i < sorted.size() && sorted[i] == s; ++i) ++tied;
        const double ones_here = tied * standard_logistic(s);
        const double zeros_here = tied * standard_logistic(-s);
        ordered_pairs += ones_here * (zeros + 0.5 * zeros_here);
        ones += ones_here;
        zeros += zeros_here;
    }
    const double pairs = ones * zeros;
    return pairs > 0.0 ? ordered_pairs / pairs : 0.5;
}

}  // namespace assay
