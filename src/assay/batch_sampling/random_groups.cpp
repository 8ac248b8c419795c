#include "assay/batch_sampling/random_groups.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

#include "assay/batch_sampling/uniform_index.hpp"

namespace assay {

namespace {

constexpr std::uint64_t most_chunks = 64;
constexpr std::uint64_t smallest_chunk = std::uint64_t{1} << 16U;

/// Calls use(example, group) for the examples of one chunk, in order.
template <class Use>
void for_each_label(const RandomStream& stream, GroupLabels labels, std::uint64_t begin,
                    std::uint64_t end, const Use& use) {
    UniformIndices indices(stream);
    for (std::uint64_t i = begin; i < end; ++i)
        use(static_cast<std::uint32_t>(i), indices.below(labels.labels) >> labels.shift);
}

}  // namespace

std::uint64_t epoch_block(std::int64_t epoch, EpochPhase phase, std::uint64_t piece) {
    return static_cast<std::uint64_t>(epoch) << 20U | static_cast<std::uint64_t>(phase) << 18U |
           piece;
}

std::vector<std::uint32_t> draw_groups(std::uint64_t seed, std::int64_t epoch, GroupLabels labels,
                                       std::span<std::uint32_t> order) {
    const std::uint64_t size = order.size();
    const std::uint64_t groups = labels.groups();
    const std::uint64_t chunk = std::max(smallest_chunk, (size + most_chunks - 1) / most_chunks);
    const std::uint64_t chunks = (size + chunk - 1) / chunk;
    std::vector<std::uint32_t> places(chunks * groups, 0);  // counts, then where to write next
    const auto over_chunks = [&](const auto& use) {
        tbb::parallel_for(std::uint64_t{0}, chunks, [&](std::uint64_t c) {
            std::uint32_t* const place = places.data() + c * groups;
            for_each_label(RandomStream(seed, Purpose::batch_sampling,
                                        epoch_block(epoch, EpochPhase::grouping, c)),
                           labels, c * chunk, std::min(size, (c + 1) * chunk),
                           [&](std::uint32_t i, std::uint32_t group) { use(place[group], i); });
        });
    };
    over_chunks([](std::uint32_t& count, std::uint32_t) { ++count; });
    std::vector<std::uint32_t> begins(groups + 1, 0);
    std::uint32_t next = 0;
    for (std::uint64_t group = 0; group < groups; ++group) {
        begins[group] = next;
        for (std::uint64_t c = 0; c < chunks; ++c) {
            const std::uint32_t count = places[c * groups + group];
            places[c * groups + group] = next;
            next += count;
        }
    }
    begins[groups] = next;
    std::uint32_t* const target = order.data();
    over_chunks([target](std::uint32_t& place, std::uint32_t i) { target[place++] = i; });
    return begins;
}

}  // namespace assay
