#include "experiments/chua2025/monte_carlo_curve.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <ctime>
#include <iostream>

#include "assay/files/build_info.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/monte_carlo/confidence.hpp"
#include "assay/monte_carlo/delta_estimate.hpp"
#include "assay/monte_carlo/importance_sampling.hpp"
#include "assay/monte_carlo/run_trials.hpp"

namespace assay::experiments::chua2025 {
namespace {

struct Sums {
    std::vector<double> values;
    std::int64_t samples = 0;
};

template <class Number>
std::string listed(const std::vector<Number>& numbers) {
    std::string text;
    for (const Number x : numbers) text += fmt::to_string(x) + ",";
    return text;
}

RunIdentity identity(const MonteCarloPlan& plan) {
    return {{"noise-multiplier", fmt::to_string(plan.mechanism.noise_multiplier)},
            {"batches-per-epoch", fmt::to_string(plan.mechanism.batches_per_epoch)},
            {"epsilons", listed(plan.epsilons)},
            {"direction", std::string(to_string(plan.direction))},
            {"method", std::string(to_string(plan.method))},
            {"orders", listed(plan.orders)},
            {"seed", fmt::to_string(plan.seed)},
            {"version", build_info().version}};
}

std::string curve_name(const MonteCarloPlan& plan) {
    return fmt::format("T{}_sigma{}_{}_{}", plan.mechanism.batches_per_epoch,
                       plan.mechanism.noise_multiplier, to_string(plan.direction),
                       to_string(plan.method));
}

Sums run(const MonteCarloPlan& plan, const MonteCarloEffort& effort) {
    const MonteCarloSampler sampler(plan, effort.threads);
    const std::int64_t trials = trials_per_block(plan);
    const std::int64_t blocks = (effort.samples + trials - 1) / trials;
    Checkpoint state{
        identity(plan), {static_cast<std::uint64_t>(blocks), number_of_sums(plan)}, {}, {}};
    RunOptions how{.threads = effort.threads};
    if (effort.checkpoints) {
        std::filesystem::create_directories(*effort.checkpoints);
        how.checkpoint = *effort.checkpoints / (curve_name(plan) + ".checkpoint");
        how.resume = true;
    }
    // Figures run beside each other, so that none has a terminal's line for itself.
    ProgressLine line(std::cerr, false, curve_name(plan) + ": ");
    const auto samples = static_cast<double>(trials);
    how.progress = [&](const Progress& done) {
        line.show({samples * done.done, samples * done.total, samples * done.before}, "samples");
    };
    SingleRank alone;
    (void)run_trials(  // nothing asks it to stop
        state, [&](std::uint64_t block, std::span<double> sums) { sampler.run_block(block, sums); },
        alone, how);
    return {add_groups(state.shape, state.groups), blocks * trials};
}

/// The estimates at every epsilon of the plan, for an error probability each and one for all.
struct Curves {
    std::vector<DeltaEstimate> each;
    std::vector<DeltaEstimate> together;
};

/// An event as rare as this needs no sampling: its probability is the bound.
constexpr double rare = 1e-30;

Curves curves(const MonteCarloPlan& plan, const MonteCarloEffort& effort, double shared) {
    MonteCarloPlan sampled = plan;
    std::vector<double> events;
    for (const double epsilon : plan.epsilons)
        events.push_back(
            has_event(plan.method)
                ? sampled_event_probability(plan.mechanism, plan.direction, epsilon).upper
                : 1.0);
    sampled.epsilons.clear();
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i] >= rare) sampled.epsilons.push_back(plan.epsilons[i]);
    Curves drawn;
    if (!sampled.epsilons.empty()) {
        const Sums sums = run(sampled, effort);
        const std::vector<double> unknown(sampled.epsilons.size(), 1.0);  // the paper's bounds
        drawn.each = estimate(sampled, sums.values, unknown, sums.samples, effort.beta);
        drawn.together = estimate(sampled, sums.values, unknown, sums.samples, shared);
    }
    Curves found;
    std::size_t next = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const DeltaEstimate bounded{
            .epsilon = plan.epsilons[i], .kl_upper = events[i], .bernstein_upper = events[i]};
        const bool is_rare = events[i] < rare;
        found.each.push_back(is_rare ? bounded : drawn.each[next]);
        found.together.push_back(is_rare ? bounded : drawn.together[next]);
        if (!is_rare) ++next;
    }
    return found;
}

}  // namespace

MonteCarloEffort read_effort(const Params& params, std::int64_t samples) {
    MonteCarloEffort effort{.samples = samples,
                            .beta = params.number("confidence_error"),
                            .checkpoints = {},
                            .threads = tbb::this_task_arena::max_concurrency()};
    if (params.has("checkpoints")) effort.checkpoints = params.text("checkpoints");
    return effort;
}

std::vector<DeltaEstimate> monte_carlo_curve(const MonteCarloPlan& plan,
                                             const MonteCarloEffort& effort) {
    return curves(plan, effort, effort.beta).each;
}

BothDirections monte_carlo_both(MonteCarloPlan plan, const MonteCarloEffort& effort) {
    const double shared =
        shared_error_probability(effort.beta, 2 * static_cast<std::int64_t>(plan.epsilons.size()));
    BothDirections both;
    plan.direction = LossDirection::removal;
    const Curves removal = curves(plan, effort, shared);
    plan.direction = LossDirection::addition;
    const Curves addition = curves(plan, effort, shared);
    for (std::size_t i = 0; i < plan.epsilons.size(); ++i)
        both.larger.push_back(
            {.epsilon = plan.epsilons[i],
             .mean = std::max(removal.each[i].mean, addition.each[i].mean),
             .upper = std::max(removal.each[i].kl_upper, addition.each[i].kl_upper),
             .bernstein =
                 std::max(removal.each[i].bernstein_upper, addition.each[i].bernstein_upper),
             .curve_upper = std::max(removal.together[i].kl_upper, addition.together[i].kl_upper)});
    both.removal = removal.each;
    both.addition = addition.each;
    return both;
}

double thread_seconds() {
    std::timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Column measured_seconds() {
    constexpr double any_positive_number = 1.0 - 0x1p-53;
    return {.name = "seconds", .unit = "s, measured", .golden_tolerance = any_positive_number};
}

}  // namespace assay::experiments::chua2025
