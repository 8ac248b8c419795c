#include "assay/batch_sampling/random_order.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "assay/batch_sampling/random_groups.hpp"
#include "assay/batch_sampling/uniform_index.hpp"

namespace assay {

namespace {

constexpr std::uint64_t members_in_cache = std::uint64_t{1} << 16U;
constexpr std::uint64_t most_groups = std::uint64_t{1} << 12U;

}  // namespace

void draw_random_order(std::uint64_t seed, std::int64_t epoch, std::span<std::uint32_t> order) {
    const std::uint64_t in_cache = std::bit_ceil(order.size() / members_in_cache + 1);
    draw_random_order(seed, epoch, std::min(most_groups, in_cache), order);
}

void draw_random_order(std::uint64_t seed, std::int64_t epoch, std::uint64_t groups,
                       std::span<std::uint32_t> order) {
    const auto begins = draw_groups(seed, epoch, GroupLabels{.labels = groups, .shift = 0}, order);
    tbb::parallel_for(std::uint64_t{0}, groups, [&](std::uint64_t group) {
        UniformIndices indices(RandomStream(seed, Purpose::batch_sampling,
                                            epoch_block(epoch, EpochPhase::within_groups, group)));
        std::uint32_t* const member = order.data() + begins[group];
        for (std::uint64_t left = begins[group + 1] - begins[group]; left > 1; --left)
            std::swap(member[left - 1], member[indices.below(left)]);
    });
}

}  // namespace assay
