// One table: the epsilon of ten epochs of 100 batches at noise multiplier 1 under every sampler and
// adjacency. What no theorem covers is refused, and the table says so.
// cmake -S examples -B build/examples && cmake --build build/examples --target compare_samplers
#include <assay/assay.hpp>
#include <iomanip>
#include <iostream>

int main() {
    const double noise = 1.0;
    const double rate = 0.01;
    const assay::Phase phases[] = {
        {assay::Gaussian{noise}, 1000},
        {assay::SampledGaussian{noise, rate}, 1000},
        {assay::FixedSizeGaussian{noise, rate}, 1000},
        {assay::FixedSizeWithReplacementGaussian{noise, 500, 50'000}, 1000},
        {assay::BallsAndBins{noise, 100}, 10},
        {assay::Shuffled{noise, 100}, 10},
        {assay::DeterministicBatches{noise, 100}, 10},
    };
    const auto adjacencies = {assay::Adjacency::add_remove, assay::Adjacency::replace_one,
                              assay::Adjacency::zero_out};
    std::cout << std::left << std::setw(32) << "epsilon at delta = 1e-5";
    for (const auto adjacency : adjacencies) std::cout << std::setw(20) << to_string(adjacency);
    for (const assay::Phase& phase : phases) {
        std::cout << '\n' << std::setw(32) << sampling_name(phase.mechanism);
        for (const auto adjacency : adjacencies) {
            std::string cell = "no theorem";
            try {
                cell = describe(assay::epsilon({adjacency, {phase}}, 1e-5), 5);
            } catch (const assay::UnsupportedMechanism&) {
            }
            std::cout << std::setw(20) << cell;
        }
    }
    std::cout << '\n';
}
