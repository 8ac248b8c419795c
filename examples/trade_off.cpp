// What an attacker can do: the largest true positive rate of any membership test of a false
// positive rate, the smallest mu of Gaussian privacy, and what that costs. cmake -S examples -B
// build/examples && cmake --build build/examples --target trade_off
#include <assay/assay.hpp>
#include <iostream>

int main() {
    const assay::Release release{
        assay::Adjacency::add_remove,
        {{assay::SampledGaussian{.noise_multiplier = 1.1, .sampling_probability = 0.004}, 10'000}}};
    for (const double level : {1e-6, 1e-3, 0.1})
        std::cout << "FPR " << level << ": TPR in "
                  << describe(assay::true_positive_rate(release, level), 3) << '\n';
    const assay::TradeOff attack = assay::trade_off(release);
    const assay::GaussianMu mu = attack.gaussian_mu(1e-9);
    std::cout << "mu in " << describe(mu.mu, 3) << " where both errors are at least 1e-9\n";
    std::cout << "a test of FPR 0.001 that says yes about a record of prior probability 0.01 is "
                 "right with probability "
              << describe(attack.positive_predictive_value(1e-3, 0.01), 3) << '\n';
}
