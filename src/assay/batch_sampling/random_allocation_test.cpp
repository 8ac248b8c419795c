#include "assay/batch_sampling/random_allocation.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "assay/numeric/errors.hpp"

namespace assay {
namespace {

/// The batches of each example in one epoch, as a set of bits.
std::vector<unsigned> subsets(AllocationBatches& batches, std::int64_t epoch,
                              std::size_t examples) {
    std::vector<unsigned> found(examples, 0);
    Batch batch;
    for (std::int64_t t = 0; t < batches.batches_per_epoch(); ++t) {
        batches.draw(epoch * batches.batches_per_epoch() + t, batch);
        for (const std::uint32_t example : batch.indices) {
            CHECK((found[example] & (1U << t)) == 0);  // once in a batch
            found[example] |= 1U << t;
        }
    }
    return found;
}

TEST_CASE("every example is in so many batches, every subset as likely, pairs independent",
          "[batches]") {
    AllocationBatches batches(
        {.dataset_size = 2, .batches_per_epoch = 5, .allocations = 2, .seed = 3});
    std::array<std::array<int, 32>, 32> together{};
    constexpr int epochs = 20000;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        const std::vector<unsigned> found = subsets(batches, epoch, 2);
        for (const unsigned subset : found) CHECK(__builtin_popcount(subset) == 2);
        ++together[found[0]][found[1]];
    }
    // chi^2 with 99 degrees of freedom over the 100 pairs of subsets: 99.99 % below 161.
    double chi = 0.0;
    int pairs = 0;
    for (const auto& row : together)
        for (const int count : row)
            if (count > 0) {
                const double off = count - epochs / 100.0;
                chi += off * off / (epochs / 100.0);
                ++pairs;
            }
    CHECK(pairs == 100);
    CHECK(chi < 161.0);
    CHECK(chi > 50.0);
}

TEST_CASE("a run of random allocation resumes with the same bits", "[batches]") {
    const AllocationSampling sampling{
        .dataset_size = 300, .batches_per_epoch = 20, .allocations = 7, .seed = 5};
    AllocationBatches from_start(sampling);
    AllocationBatches resumed(sampling);
    Batch one;
    Batch other;
    for (std::int64_t step = 0; step < 60; ++step) from_start.draw(step, one);
    resumed.draw(59, other);
    CHECK(one.indices == other.indices);
    const std::vector<unsigned> first = subsets(from_start, 0, 300);
    CHECK(first != subsets(from_start, 1, 300));
    CHECK(std::all_of(first.begin(), first.end(),
                      [](unsigned subset) { return __builtin_popcount(subset) == 7; }));
    CHECK(from_start.released(2.0).allocations == 7);
}

TEST_CASE("random allocation refuses what cannot be", "[batches]") {
    CHECK_THROWS_AS(AllocationBatches({3, 0, 1, 0}), DomainError);
    CHECK_THROWS_AS(AllocationBatches({3, 5, 6, 0}), DomainError);
    CHECK_THROWS_AS(AllocationBatches({3, 5, 0, 0}), DomainError);
    CHECK_THROWS_AS(AllocationBatches({0, 5, 2, 0}), DomainError);
    CHECK_THROWS_AS(AllocationBatches({1LL << 31, 5, 2, 0}), DomainError);
    AllocationBatches all({2, 4, 4, 0});
    Batch batch;
    all.draw(2, batch);
    CHECK(batch.indices == std::vector<std::uint32_t>{0, 1});
}

}  // namespace
}  // namespace assay
