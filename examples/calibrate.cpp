// The smallest noise multiplier that keeps a run within a privacy budget, on the safe side.
// cmake -S examples -B build/examples && cmake --build build/examples --target calibrate
#include <assay/assay.hpp>
#include <iostream>

int main() {
    // A noise multiplier of 0 marks the phases whose noise is looked for.
    const assay::PrivacyTarget target{.epsilon = 3.0, .delta = 1e-5};
    const assay::Release poisson{assay::Adjacency::add_remove,
                                 {{assay::SampledGaussian{0.0, 0.01}, 1000}}};
    const assay::Release balls_and_bins{assay::Adjacency::zero_out,
                                        {{assay::BallsAndBins{0.0, 100}, 10}}};
    try {
        for (const assay::Release& release : {poisson, balls_and_bins}) {
            const assay::Calibration noise = assay::calibrate(release, target);
            std::cout << sampling_name(release.phases.front().mechanism) << ": noise multiplier "
                      << assay::text_not_below(noise.sufficient, 6) << " is enough, "
                      << assay::text_not_above(noise.insufficient, 6) << " is not; delta in "
                      << describe(noise.delta) << '\n';
        }
    } catch (const assay::Error& error) {  // for example: no theorem covers what was asked for
        std::cerr << error.what() << '\n';
        return 1;
    }
}
