#pragma once
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace assay {

/// Stochastic gradient descent: v <- momentum v + g, x <- x - rate v.
struct GradientDescent {
    double momentum = 0.0;
};

/// Adam (Kingma and Ba 2015): moments of the gradient and of its square, both with bias correction.
struct Adam {
    double mean_decay = 0.9;
    double square_decay = 0.999;
    double stabiliser = 1e-8;
};

/// The learning rate at step t of T: constant, or rate (1 + cos(pi t / T)) / 2.
enum class LearningRateSchedule { constant, cosine };

struct OptimiserOptions {
    std::variant<GradientDescent, Adam> rule;
    double learning_rate = 1e-3;
    LearningRateSchedule schedule = LearningRateSchedule::constant;
    std::int64_t total_steps = 1;  // of the schedule
};

/// Throws DomainError unless learning_rate > 0 is finite, 0 <= momentum < 1, decays are in [0, 1),
/// the stabiliser is positive and total_steps >= 1.
void validate(const OptimiserOptions& options);

/// The rate of step `step`, counted from 0.
[[nodiscard]] double learning_rate(const OptimiserOptions& options, std::int64_t step);

/// Moves the parameters against a gradient. Post-processing of the noisy gradient: it costs no
/// privacy.
class Optimiser {
public:
    Optimiser(const OptimiserOptions& options, std::size_t parameters);

    /// Step `step`, counted from 0. All elements in single precision, the same bits everywhere.
    void update(std::span<float> parameters, std::span<const float> gradient, std::int64_t step);

    /// What a resumed run needs: the moments, one after the other. Empty without momentum.
    [[nodiscard]] std::span<const float> state() const { return state_; }
    /// Throws DomainError (state) unless the size is that of state().
    void restore(std::span<const float> state);

private:
    void move(const GradientDescent& rule, std::span<float> parameters,
              std::span<const float> gradient, double rate);
    void move(const Adam& rule, std::span<float> parameters, std::span<const float> gradient,
              double rate, std::int64_t step);

    OptimiserOptions options_;
    std::vector<float> state_;
};

}  // namespace assay
