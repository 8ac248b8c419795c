#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/dpsgd/evaluation.hpp"
#include "assay/dpsgd/gradient_engine.hpp"
#include "assay/dpsgd/optimiser.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/dpsgd_fixture.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// What a training run does besides its private sums: moves of the optimiser and evaluations.

namespace assay::verify {

namespace {

// ---- optimisers ----------------------------------------------------------------------------

OptimiserOptions options_at(const Point& p) {
    OptimiserOptions options;
    options.learning_rate = p["rate"];
    options.total_steps = p.integer("steps");
    if (p["cosine"] == 1.0) options.schedule = LearningRateSchedule::cosine;
    if (p["adam"] == 1.0)
        options.rule = Adam{};
    else
        options.rule = GradientDescent{.momentum = p["momentum"]};
    return options;
}

/// One parameter by the definition, in double precision, and how far its moves reach together.
struct Reference {
    double x = 0.0;
    double mean = 0.0;  // of gradients; their sum with momentum
    double square = 0.0;
    double path = 0.0;

    void move(const OptimiserOptions& options, double g, double t) {
        double rate = options.learning_rate;
        if (options.schedule == LearningRateSchedule::cosine)
            rate *=
                0.5 *
                (1.0 + std::cos(std::acos(-1.0) * t / static_cast<double>(options.total_steps)));
        double step = 0.0;
        if (const auto* adam = std::get_if<Adam>(&options.rule)) {
            mean = adam->mean_decay * mean + (1.0 - adam->mean_decay) * g;
            square = adam->square_decay * square + (1.0 - adam->square_decay) * g * g;
            const double corrected = mean / (1.0 - std::pow(adam->mean_decay, t + 1.0));
            const double size = std::sqrt(square / (1.0 - std::pow(adam->square_decay, t + 1.0)));
            step = rate * corrected / (size + adam->stabiliser);
        } else {
            mean = std::get<GradientDescent>(options.rule).momentum * mean + g;
            step = rate * mean;
        }
        x -= step;
        path += std::abs(step) + rate;
    }
};

/// The largest distance to the definition, as a share of what single precision may add up to: 2^-14
/// of the moves (1 - 0.999 is off by 2^-14.4) and 2^-22 of the parameter a step.
double optimiser_distance(const Point& p) {
    constexpr std::size_t count = 19;
    const OptimiserOptions options = options_at(p);
    Optimiser optimiser(options, count);
    std::vector<float> parameters(count);
    std::vector<Reference> references(count);
    Draws draws = draws_at(p, "gradients");
    for (std::size_t i = 0; i < count; ++i)
        references[i].x = parameters[i] = static_cast<float>(draws.normal());
    std::vector<float> gradient(count);
    double farthest = 0.0;
    for (std::int64_t t = 0; t < p.integer("steps"); ++t) {
        for (float& g : gradient) g = static_cast<float>(draws.normal());
        optimiser.update(parameters, gradient, t);
        for (std::size_t i = 0; i < count; ++i) {
            Reference& reference = references[i];
            reference.move(options, gradient[i], static_cast<double>(t));
            const double room = 0x1p-14 * reference.path + 0x1p-22 *
                                                               (static_cast<double>(t) + 1.0) *
                                                               (std::abs(reference.x) + 1.0);
            farthest = std::max(farthest, std::abs(parameters[i] - reference.x) / room);
        }
    }
    return farthest;
}

Check optimiser_row() {
    return limit_row("optimiser.meets_definition",
                     "plain descent, momentum and Adam (Kingma and Ba 2015), with a constant or a "
                     "cosine rate, move parameters as defined",
                     "the definition in double precision, as a share of the rounding allowed",
                     {{{"adam", Scale::linear, 0, 1, true, {0, 1}},
                       {"momentum", Scale::linear, 0.0, 0.95, false, {0.0, 0.9}},
                       {"cosine", Scale::linear, 0, 1, true, {0, 1}},
                       {"rate", Scale::logarithmic, 1e-3, 1.0, false, {0.1}},
                       {"steps", Scale::linear, 1, 30, true, {1, 2, 10}},
                       seed_dimension()},
                      {}},
                     20, 200, 1.0, optimiser_distance);
}

// ---- the area under a curve ----------------------------------------------------------------

/// The share of pairs that the positive wins, ties half, less the library's answer.
double area_difference(const Point& p) {
    Draws draws = draws_at(p, "scores");
    std::vector<float> scores;
    std::vector<std::int32_t> labels;
    for (long i = 0; i < p.integer("n"); ++i) {
        const auto score =
            static_cast<float>(draws.below(static_cast<std::size_t>(p.integer("levels"))));
        scores.push_back(draws.uniform() < 0.05 ? std::numeric_limits<float>::quiet_NaN() : score);
        labels.push_back(draws.uniform() < p["positives"] ? 1 : 0);
    }
    double pairs = 0.0;
    double wins = 0.0;
    const auto rank = [](float score) { return std::isnan(score) ? -HUGE_VALF : score; };
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < scores.size(); ++j) {
            if (labels[i] != 1 || labels[j] == 1) continue;
            pairs += 1.0;
            if (rank(scores[i]) > rank(scores[j])) wins += 1.0;
            if (rank(scores[i]) == rank(scores[j])) wins += 0.5;
        }
    const double expected = pairs > 0.0 ? wins / pairs : 0.5;
    return std::abs(area_under_curve(scores, labels) - expected);
}

Check area_row() {
    return limit_row("evaluation.area_under_curve",
                     "the area under the curve is the share of pairs of a positive and a negative "
                     "that the positive wins, ties counting half (Mann and Whitney)",
                     "all pairs, counted: no difference",
                     {{{"n", Scale::linear, 1, 80, true, {1, 2, 80}},
                       {"levels", Scale::logarithmic, 1, 1e6, true, {1, 2, 10}},
                       {"positives", Scale::linear, 0.0, 1.0, false, {0.0, 0.5, 1.0}},
                       seed_dimension()},
                      {}},
                     30, 300, 0.0, area_difference);
}

// ---- loss and accuracy ---------------------------------------------------------------------

/// Cross entropy of one example by its definition; one logit is that of label 1, the other 0.
Interval loss_of(std::vector<double> logits, std::size_t label, long bits) {
    if (logits.size() == 1) logits.insert(logits.begin(), 0.0);
    Interval sum(0.0, bits);
    for (const double z : logits) sum += exp(Interval(z, bits));
    return log(sum) - Interval(logits[label], bits);
}

/// The distance of the mean loss to that of the logits by definition, relative, over 2^-45; or of
/// the accuracy, where it is not the same number.
double evaluation_distance(const Point& p) {
    constexpr int examples = 40;
    const NetworkFixture fixture = network_fixture(p, examples);
    const Model<float> model = scaled_model<float>(fixture, p);
    std::vector<std::uint32_t> indices(examples);
    for (std::uint32_t i = 0; i < examples; ++i) indices[i] = i;
    const std::vector<float> logits = predict(model, fixture.data, indices, 1);
    const std::size_t width = logits.size() / examples;
    Interval loss(0.0, 192);
    double right = 0.0;
    for (std::size_t i = 0; i < examples; ++i) {
        const std::vector<double> own(
            logits.begin() + static_cast<std::ptrdiff_t>(i * width),
            logits.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        const auto label = static_cast<std::size_t>(fixture.data.labels[i]);
        loss += loss_of(own, label, 192);
        if (width == 1)
            right += (own[0] > 0.0) == (label == 1) ? 1.0 : 0.0;
        else
            right +=
                std::ranges::max_element(own) - own.begin() == static_cast<long>(label) ? 1.0 : 0.0;
    }
    loss = loss / examples;
    const Evaluation found = evaluate(model, fixture.data, 1);
    if (found.accuracy != right / examples) return HUGE_VAL;
    return (abs(Interval(found.loss, 192) - loss) / (loss + 1.0)).upper_double() / 0x1p-45;
}

Check evaluation_row() {
    return limit_row("evaluation.outcomes",
                     "loss and accuracy are the mean cross entropy and the share of examples whose "
                     "label has the largest logit",
                     "the definition in intervals, over 2^-45: at most 1",
                     {{{"net", Scale::linear, 0, networks - 1, true, {0, 1, 2, 3, 4}},
                       {"weights", Scale::linear, -0.01, 0.02, false, {0.0}},
                       {"inputs", Scale::linear, -1.0, 1.0, false, {0.0}},
                       {"bad", Scale::linear, 0, 0, true, {0}},
                       {"where", Scale::linear, 0, 0, true, {0}},
                       seed_dimension()},
                      {}},
                     20, 200, 1.0, evaluation_distance);
}

}  // namespace

std::vector<Check> training_rows() {
    return {optimiser_row(), area_row(), evaluation_row()};
}

}  // namespace assay::verify
