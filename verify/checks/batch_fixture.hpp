#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/batch_sampling/batch.hpp"
#include "verify/checks/deviance.hpp"

namespace assay::verify {

// Batches of few examples, drawn many times. Points name them by n, b, B (the maximum, or 0), t
// (the step of the epoch), m (a number of examples) and a seed.

constexpr std::int64_t batch_trials = 10000;
constexpr long distribution_precision = 96;

/// A sampler and its exact distribution.
struct SamplerFixture {
    std::string name;
    /// Batches of one row of trials: independent of each other when the sampler is right.
    std::function<std::function<void(std::int64_t trial, Batch&)>(const Point&)> sampler;
    /// P(k of m given examples, with multiplicity), k = 0, 1, ..
    std::function<std::vector<Interval>(const Point&, long m)> members;
    std::int64_t trials = batch_trials;
};

/// n <= `most` examples in batches of b; "B" only where `cut`.
[[nodiscard]] Space batches_space(double most, bool cut);

/// How often each number of the given examples was in the batch, against the fixture's
/// distribution: of every example by itself, of every pair, of the first m together (of all, m = n:
/// the batch's size).
[[nodiscard]] Events member_events(const SamplerFixture& fixture, const Point& point);
/// Example i in a batch and j in the next one, for all i and j: independent.
[[nodiscard]] Events successive_events(const SamplerFixture& fixture, const Point& point);

}  // namespace assay::verify
