// A training loop of your own: draw each batch with the sampler that is accounted for, and let the
// ledger say what was spent so far.
// cmake -S examples -B build/examples && cmake --build build/examples --target ledger
#include <assay/training.hpp>
#include <cstdio>

int main() {
    const assay::BatchSampling sampling{.scheme = assay::SamplingScheme::balls_and_bins,
                                        .dataset_size = 10'000,
                                        .batch_size = 100,
                                        .seed = 7};
    const double noise_multiplier = 1.0;
    const double budget = 1.3;
    const double delta = 1e-5;
    try {
        assay::BatchSampler sampler(sampling);
        assay::PrivacyLedger ledger(sampling, noise_multiplier, assay::Adjacency::zero_out);
        assay::Batch batch;
        for (std::int64_t epoch = 1; epoch <= 8; ++epoch) {
            assay::PrivacyLedger next = ledger;  // may one more epoch begin?
            for (std::int64_t i = 0; i < sampler.batches_per_epoch(); ++i) next.record_step();
            if (next.epsilon(delta).upper.value > budget) break;
            for (std::int64_t i = 0; i < sampler.batches_per_epoch(); ++i) {
                sampler.draw(ledger.steps(), batch);
                // Here: clip the gradients of the batch, add them, add the noise, take a step.
                ledger.record_step();
            }
            const assay::LedgerEpsilon spent = ledger.epsilon(delta);
            std::printf("epoch %d: epsilon in [%s, %s]\n", static_cast<int>(epoch),
                        assay::text_not_above(spent.lower.value, 6).c_str(),
                        assay::text_not_below(spent.upper.value, 6).c_str());
        }
        std::printf("stopped after %d steps: one more epoch could exceed epsilon = %g\n",
                    static_cast<int>(ledger.steps()), budget);
    } catch (const assay::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
