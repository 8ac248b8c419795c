#pragma once
#include <cstdint>

#include "assay/dpsgd/training_plan.hpp"
#include "test_support/test_support.hpp"

/// A small problem for the tests of training.
namespace assay::test_support {

/// Points of two classes, alternating, around (1, -1, 0.5) and its opposite.
inline Dataset two_clouds(int examples, std::uint64_t seed = 4) {
    Random random(seed);
    Dataset data;
    data.name = "two clouds";
    data.shape.values = 3;
    for (int i = 0; i < examples; ++i) {
        const int label = i % 2;
        const double sign = label == 1 ? 1.0 : -1.0;
        for (const double centre : {1.0, -1.0, 0.5})
            data.values.push_back(static_cast<float>(sign * centre + random.uniform(-1.5, 1.5)));
        data.labels.push_back(label);
    }
    return data;
}

inline TrainingPlan plan_for(const Dataset& data) {
    TrainingPlan plan;
    plan.architecture = MultilayerPerceptron{{8}};
    plan.sampling = {SamplingScheme::poisson, data.size(), 10, std::nullopt, 2};
    plan.clip_norm = 1.0;
    plan.noise_multiplier = 0.2;
    plan.adjacency = Adjacency::zero_out;
    plan.optimiser = {Adam{}, 0.05, LearningRateSchedule::constant, 1};
    plan.steps = 30;
    plan.seed = 3;
    return plan;
}

}  // namespace assay::test_support
