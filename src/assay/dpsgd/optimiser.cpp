#include "assay/dpsgd/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

struct AdamStep {
    float mean_decay;
    float square_decay;
    float rate;               // over 1 - mean_decay^(t+1)
    float square_correction;  // 1 / (1 - square_decay^(t+1))
    float stabiliser;
};

ASSAY_VECTOR_CLONES void adam_step(float* x, const float* g, float* m, float* v, std::size_t count,
                                   const AdamStep& s) {
    for (std::size_t i = 0; i < count; ++i) {
        m[i] = s.mean_decay * m[i] + (1.0F - s.mean_decay) * g[i];
        v[i] = s.square_decay * v[i] + (1.0F - s.square_decay) * g[i] * g[i];
        x[i] -= s.rate * m[i] / (std::sqrt(v[i] * s.square_correction) + s.stabiliser);
    }
}

ASSAY_VECTOR_CLONES void momentum_step(float* x, const float* g, float* v, std::size_t count,
                                       float momentum, float rate) {
    for (std::size_t i = 0; i < count; ++i) {
        v[i] = momentum * v[i] + g[i];
        x[i] -= rate * v[i];
    }
}

ASSAY_VECTOR_CLONES void plain_step(float* x, const float* g, std::size_t count, float rate) {
    for (std::size_t i = 0; i < count; ++i) x[i] -= rate * g[i];
}

void validate(const GradientDescent& rule) {
    require(rule.momentum >= 0.0 && rule.momentum < 1.0, "momentum", rule.momentum,
            "0 <= momentum < 1");
}

void validate(const Adam& rule) {
    require(rule.mean_decay >= 0.0 && rule.mean_decay < 1.0, "mean decay", rule.mean_decay,
            "0 <= decay < 1");
    require(rule.square_decay >= 0.0 && rule.square_decay < 1.0, "square decay", rule.square_decay,
            "0 <= decay < 1");
    require(rule.stabiliser > 0.0, "stabiliser", rule.stabiliser, "a positive number");
}

std::size_t moments(const GradientDescent& rule) {
    return rule.momentum > 0.0 ? 1 : 0;
}
std::size_t moments(const Adam&) {
    return 2;
}

}  // namespace

void validate(const OptimiserOptions& options) {
    require(options.learning_rate > 0.0 && std::isfinite(options.learning_rate), "learning rate",
            options.learning_rate, "a positive number");
    require(options.total_steps >= 1, "total steps", static_cast<double>(options.total_steps),
            "at least 1");
    std::visit([](const auto& rule) { validate(rule); }, options.rule);
}

double learning_rate(const OptimiserOptions& options, std::int64_t step) {
    if (options.schedule == LearningRateSchedule::constant) return options.learning_rate;
    const double share = static_cast<double>(std::min(step, options.total_steps)) /
                         static_cast<double>(options.total_steps);
    return options.learning_rate * 0.5 * (1.0 + std::cos(std::numbers::pi * share));
}

Optimiser::Optimiser(const OptimiserOptions& options, std::size_t parameters) : options_(options) {
    validate(options);
    state_.resize(parameters *
                  std::visit([](const auto& rule) { return moments(rule); }, options.rule));
}

void Optimiser::update(std::span<float> parameters, std::span<const float> gradient,
                       std::int64_t step) {
    const double rate = learning_rate(options_, step);
    if (const auto* adam = std::get_if<Adam>(&options_.rule))
        move(*adam, parameters, gradient, rate, step);
    else
        move(std::get<GradientDescent>(options_.rule), parameters, gradient, rate);
}

void Optimiser::restore(std::span<const float> state) {
    require(state.size() == state_.size(), "state", static_cast<double>(state.size()),
            "as many numbers as the optimiser keeps");
    std::ranges::copy(state, state_.begin());
}

void Optimiser::move(const GradientDescent& rule, std::span<float> parameters,
                     std::span<const float> gradient, double rate) {
    if (rule.momentum > 0.0)
        momentum_step(parameters.data(), gradient.data(), state_.data(), parameters.size(),
                      static_cast<float>(rule.momentum), static_cast<float>(rate));
    else
        plain_step(parameters.data(), gradient.data(), parameters.size(), static_cast<float>(rate));
}

void Optimiser::move(const Adam& rule, std::span<float> parameters, std::span<const float> gradient,
                     double rate, std::int64_t step) {
    const double t = static_cast<double>(step) + 1.0;
    const AdamStep constants{static_cast<float>(rule.mean_decay),
                             static_cast<float>(rule.square_decay),
                             static_cast<float>(rate / (1.0 - std::pow(rule.mean_decay, t))),
                             static_cast<float>(1.0 / (1.0 - std::pow(rule.square_decay, t))),
                             static_cast<float>(rule.stabiliser)};
    adam_step(parameters.data(), gradient.data(), state_.data(), state_.data() + parameters.size(),
              parameters.size(), constants);
}

}  // namespace assay
