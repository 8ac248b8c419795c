// Phases with different noise, sampling rates and samplers compose into one release.
// cmake -S examples -B build/examples && cmake --build build/examples --target schedule
#include <assay/assay.hpp>
#include <iostream>

int main() {
    // Noise that falls while training goes on.
    assay::Release falling{assay::Adjacency::add_remove, {}};
    for (const double noise : {2.0, 1.4, 1.0})
        falling.phases.push_back({assay::SampledGaussian{noise, 0.01}, 500});
    // Two epochs of balls-and-bins, then a few steps of Poisson sampling.
    const assay::Release mixed{
        assay::Adjacency::zero_out,
        {{assay::BallsAndBins{0.6, 1000}, 2}, {assay::SampledGaussian{1.0, 0.01}, 100}}};

    for (const assay::Release& release : {falling, mixed}) {
        std::cout << describe(release) << '\n';
        for (const double delta : {1e-5, 1e-7})
            std::cout << "  epsilon in " << describe(assay::epsilon(release, delta))
                      << " at delta = " << delta << '\n';
    }
}
