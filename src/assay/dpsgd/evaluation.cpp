#include "assay/dpsgd/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "assay/dpsgd/gradient_engine.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::int64_t piece = 8192;

/// log(1 + e^z), exactly 0 or z at the ends.
double softplus(double z) {
    return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)));
}

/// The loss of one example, and whether it is classified right.
struct Outcome {
    double loss;
    bool correct;
};

Outcome outcome(std::span<const float> logits, std::int32_t label) {
    if (logits.size() == 1) {
        const double z = logits.front();
        return {softplus(label == 1 ? -z : z), (z > 0.0) == (label == 1)};
    }
    const auto largest = std::ranges::max_element(logits);
    double sum = 0.0;
    for (const float z : logits) sum += std::exp(static_cast<double>(z) - *largest);
    const double own = logits[static_cast<std::size_t>(label)];
    return {std::log(sum) + *largest - own, largest - logits.begin() == label};
}

}  // namespace

double area_under_curve(std::span<const float> scores, std::span<const std::int32_t> labels) {
    require(scores.size() == labels.size(), "scores", static_cast<double>(scores.size()),
            "as many as labels");
    const auto rank_key = [&](std::size_t i) {
        return std::isnan(scores[i]) ? -std::numeric_limits<float>::infinity() : scores[i];
    };
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, rank_key);
    double negatives = 0.0;  // below the current score
    double positives = 0.0;
    double wins = 0.0;
    for (std::size_t i = 0; i < order.size();) {
        double tied_negatives = 0.0;
        double tied_positives = 0.0;
        const float score = rank_key(order[i]);
        for (; i < order.size() && rank_key(order[i]) == score; ++i)
            (labels[order[i]] == 1 ? tied_positives : tied_negatives) += 1.0;
        wins += tied_positives * (negatives + 0.5 * tied_negatives);
        negatives += tied_negatives;
        positives += tied_positives;
    }
    return negatives > 0.0 && positives > 0.0 ? wins / (negatives * positives) : 0.5;
}

Evaluation evaluate(const Model<float>& model, const Dataset& data, int threads) {
    require(data.size() >= 1, "examples", 0.0, "at least one");
    const auto width = static_cast<std::size_t>(model.logits());
    std::vector<float> scores;
    std::vector<std::uint32_t> indices;
    Evaluation result;
    double correct = 0.0;
    for (std::int64_t first = 0; first < data.size(); first += piece) {
        indices.resize(static_cast<std::size_t>(std::min(piece, data.size() - first)));
        std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(first));
        const std::vector<float> logits = predict(model, data, indices, threads);
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const Outcome one =
                outcome(std::span(logits).subspan(i * width, width), data.labels[indices[i]]);
            result.loss += one.loss;
            correct += one.correct ? 1.0 : 0.0;
        }
        if (width == 1) scores.insert(scores.end(), logits.begin(), logits.end());
    }
    const auto count = static_cast<double>(data.size());
    result.loss =
        std::isfinite(result.loss) ? result.loss / count : std::numeric_limits<double>::infinity();
    result.accuracy = correct / count;
    if (width == 1) result.auc = area_under_curve(scores, data.labels);
    return result;
}

}  // namespace assay
