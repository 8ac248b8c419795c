// The epsilon of DP-SGD with Poisson sampling, from below and from above, in five statements.
// cmake -S examples -B build/examples && cmake --build build/examples --target five_lines
#include <assay/assay.hpp>
#include <cstdio>

int main() {
    const assay::SampledGaussian step{.noise_multiplier = 1.1, .sampling_probability = 0.004};
    const assay::Release release{assay::Adjacency::add_remove, {{step, 10'000}}};
    const assay::Bracket epsilon = assay::epsilon(release, 1e-6);
    std::printf("epsilon in %s\n", assay::describe(epsilon).c_str());
    return 0;
}
