// Delta of an epoch of balls-and-bins by sampling, beside the certified bracket.
// cmake -S examples -B build/examples && cmake --build build/examples --target monte_carlo
#include <assay/monte_carlo.hpp>
#include <cstdio>

int main() {
    const assay::MonteCarloPlan plan{
        .mechanism = {.noise_multiplier = 1.0, .batches_per_epoch = 100},
        .direction = assay::LossDirection::removal,
        .epsilons = {0.25, 0.5, 0.75}};
    const assay::MonteCarloSampler sampler(plan);
    const std::int64_t blocks = 400;
    const std::int64_t samples = blocks * trials_per_block(plan);
    assay::Checkpoint run{.shape = {static_cast<std::uint64_t>(blocks), number_of_sums(plan)}};
    assay::SingleRank alone;
    const assay::TrialBlock block = [&](std::uint64_t number, std::span<double> sums) {
        sampler.run_block(number, sums);
    };
    if (!run_trials(run, block, alone, {.threads = 2})) return 1;  // the same bits on any number

    const auto moments = loss_second_moments(plan.mechanism, plan.direction, 1, plan.epsilons);
    const auto sums = add_groups(run.shape, run.groups);
    const assay::Release release{assay::Adjacency::zero_out, {{plan.mechanism, 1}}};
    for (const assay::DeltaEstimate& found : estimate(plan, sums, moments, samples, 1e-3))
        std::printf(
            "epsilon %g: delta about %.3e, below %.3e with 99.9 %% confidence; for certain in %s\n",
            found.epsilon, found.mean, found.kl_upper,
            describe(assay::delta(release, found.epsilon), 4).c_str());
}
