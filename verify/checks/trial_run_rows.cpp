#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <filesystem>
#include <vector>

#include "assay/monte_carlo/checkpoint.hpp"
#include "assay/numeric/random_streams.hpp"
#include "test_support/scratch_folder.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Runs of trials that are cut into blocks, groups and shards: nothing is lost or counted twice, and
// no bit depends on the cut.

namespace assay::verify {

namespace {

// ---- shards --------------------------------------------------------------------------------

/// Groups that the parts do not hold exactly once and in order, and parts that are too long.
double misplaced(const Point& p) {
    const auto groups = static_cast<std::uint64_t>(p.integer("groups"));
    const auto parts = static_cast<std::uint64_t>(p.integer("parts"));
    double wrong = 0.0;
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < parts; ++i) {
        const GroupRange range = rank_range(groups, {i, parts});
        const std::uint64_t least = groups / parts;
        const bool too_long = range.size() > least + (groups % parts == 0 ? 0 : 1);
        if (range.first != next || range.last < range.first || range.size() < least || too_long)
            wrong += 1.0;
        next = range.last;
    }
    return wrong + (next == groups ? 0.0 : 1.0);
}

// ---- sums ----------------------------------------------------------------------------------

constexpr std::size_t sums_in_block = 3;

/// Numbers of many sizes: additions in another order give other bits.
void write_block(std::uint64_t seed, std::uint64_t block, std::span<double> sums) {
    RandomStream stream(seed, Purpose::test, block);
    for (double& sum : sums) sum = std::exp2(40.0 * stream.uniform()) * stream.uniform();
}

std::vector<double> added(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

/// The definition: blocks in groups of the smallest power of two that makes at most 4096 of them,
/// added in order, and the groups in order.
std::vector<double> sums_in_order(std::uint64_t seed, std::uint64_t blocks) {
    std::uint64_t size = 1;
    while (size * 4096 < blocks) size *= 2;
    std::vector<double> total(sums_in_block, 0.0);
    for (std::uint64_t first = 0; first < blocks; first += size) {
        std::vector<double> group(sums_in_block, 0.0);
        for (std::uint64_t block = first; block < std::min(first + size, blocks); ++block) {
            std::vector<double> one(sums_in_block);
            write_block(seed, block, one);
            group = added(std::move(group), one);
        }
        total = added(std::move(total), group);
    }
    return total;
}

GroupSums part_sums(const RunShape& shape, const TrialBlock& trials, Part part, int threads) {
    const GroupRange range = rank_range(shape.groups(), part);
    std::vector<std::uint64_t> groups;
    for (std::uint64_t group = range.first; group < range.last; ++group) groups.push_back(group);
    GroupSums found;
    RunControl control;
    control.threads = threads;
    control.group_done = [&](std::uint64_t group, std::vector<double> sums) {
        found.emplace(group, std::move(sums));
    };
    static_cast<void>(run_groups(shape, trials, groups, control));
    return found;
}

/// Sums whose bits differ from the definition's after a run in shards, each written to a file and
/// read back.
double changed_sums(const Point& p) {
    static std::atomic<int> folders{0};
    const ScratchFolder folder(fmt::format("trial_run_{}", ++folders));
    const auto seed = static_cast<std::uint64_t>(p.integer("seed"));
    const RunShape shape{static_cast<std::uint64_t>(p.integer("blocks")), sums_in_block};
    const TrialBlock trials = [seed](std::uint64_t block, std::span<double> sums) {
        write_block(seed, block, sums);
    };
    std::vector<std::filesystem::path> files;
    const auto parts = static_cast<std::uint64_t>(p.integer("parts"));
    for (std::uint64_t i = parts; i-- > 0;) {
        const Part part{i, parts};
        files.push_back(folder.path() / fmt::format("{}", i));
        write_checkpoint(files.back(),
                         {{{"seed", fmt::format("{}", seed)}},
                          shape,
                          part,
                          part_sums(shape, trials, part, static_cast<int>(p.integer("threads")))});
    }
    const std::vector<double> found = add_groups(shape, merge_checkpoints(files).groups);
    const std::vector<double> wanted = sums_in_order(seed, shape.blocks);
    double wrong = 0.0;
    for (std::size_t i = 0; i < sums_in_block; ++i)
        if (std::bit_cast<std::uint64_t>(found[i]) != std::bit_cast<std::uint64_t>(wanted[i]))
            wrong += 1.0;
    return wrong;
}

}  // namespace

std::vector<Check> trial_run_rows() {
    const Space shards{{{"groups", Scale::linear, 0, 4096, true, {0, 1, 7, 4095, 4096}},
                        count_dimension("parts", 1, 5000, {1, 2, 3, 4096, 5000})},
                       {}};
    const Space runs{{count_dimension("blocks", 1, 20'000, {1, 4096, 4097, 8193}),
                      count_dimension("parts", 1, 9, {1, 2, 9}),
                      {"threads", Scale::linear, 1, 4, true, {1, 4}},
                      {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                     {}};
    return {limit_row("rank_range.partitions",
                      "the parts of a run hold every group exactly once, in order, and their sizes "
                      "differ by at most one",
                      "0 misplaced groups", shards, 60, 1000, 0.0, misplaced),
            limit_row("trial_runs.bits_of_shards",
                      "a run in shards, on any number of threads, written to files and read back, "
                      "has the bits of blocks added in order within groups and groups in order",
                      "0 sums of other bits", runs, 12, 200, 0.0, changed_sums)};
}

}  // namespace assay::verify
