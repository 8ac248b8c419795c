#include "assay/monte_carlo/trial_blocks.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::uint64_t most_groups = 4096;

struct Block {
    std::uint64_t number = 0;
    std::uint64_t position = 0;  // in the list of this run
    std::uint64_t group = 0;
    bool ends_group = false;
    std::vector<double> sums;
};

/// The blocks of the groups, one after the other.
class BlockList {
public:
    BlockList(const RunShape& shape, std::span<const std::uint64_t> groups)
        : shape_(shape), groups_(groups) {}

    [[nodiscard]] bool empty() const { return position_ == groups_.size(); }
    Block next() {
        const std::uint64_t group = groups_[position_];
        Block block;
        block.number = group * shape_.blocks_per_group() + within_;
        block.group = group;
        if (++within_ == shape_.blocks_in(group)) {
            block.ends_group = true;
            within_ = 0;
            ++position_;
        }
        return block;
    }

private:
    RunShape shape_;
    std::span<const std::uint64_t> groups_;
    std::size_t position_ = 0;
    std::uint64_t within_ = 0;
};

void add(std::vector<double>& sum, const std::vector<double>& term) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += term[i];
}

void require_numbers(const Block& block) {
    if (std::any_of(block.sums.begin(), block.sums.end(), [](double x) { return std::isnan(x); }))
        throw Error(fmt::format("block {} of the run gave a sum that is no number", block.number));
}

/// What the threads share: blocks go out in order, come back in any, and are added in order.
class GroupsInOrder {
public:
    GroupsInOrder(const RunShape& shape, const TrialBlock& trials,
                  std::span<const std::uint64_t> groups, const RunControl& control)
        : sums_(shape.sums), trials_(trials), control_(control), rest_(shape, groups) {}

    /// One thread: a block at a time until there is none to begin.
    void work() {
        try {
            while (std::optional<Block> block = begin()) {
                block->sums.assign(sums_, 0.0);
                trials_(block->number, block->sums);
                finish(std::move(*block));
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            is_stopped_ = true;
            throw;
        }
    }
    [[nodiscard]] bool all_begun() const { return rest_.empty(); }

private:
    std::optional<Block> begin() {
        const std::lock_guard lock(mutex_);
        if (is_stopped_ || rest_.empty()) return std::nullopt;
        is_stopped_ = control_.keep_going && !control_.keep_going();
        if (is_stopped_) return std::nullopt;
        Block block = rest_.next();
        block.position = begun_++;
        return block;
    }
    void finish(Block block) {
        require_numbers(block);
        const std::lock_guard lock(mutex_);
        const std::uint64_t position = block.position;
        waiting_.emplace(position, std::move(block));
        for (auto next = waiting_.find(added_); next != waiting_.end();
             next = waiting_.find(added_)) {
            const Block in_turn = std::move(next->second);
            waiting_.erase(next);
            ++added_;
            add_to_group(in_turn);
        }
    }
    void add_to_group(const Block& block) {
        if (group_sums_.empty()) group_sums_.assign(sums_, 0.0);
        add(group_sums_, block.sums);
        if (block.ends_group) {
            std::vector<double> sums = std::exchange(group_sums_, {});
            if (control_.group_done) control_.group_done(block.group, std::move(sums));
        }
        if (control_.block_done) control_.block_done();
    }

    std::size_t sums_;
    const TrialBlock& trials_;
    const RunControl& control_;
    std::mutex mutex_;  // of all below
    BlockList rest_;
    bool is_stopped_ = false;
    std::uint64_t begun_ = 0;
    std::uint64_t added_ = 0;
    std::map<std::uint64_t, Block> waiting_;  // done before their turn
    std::vector<double> group_sums_;
};

}  // namespace

std::uint64_t RunShape::blocks_per_group() const {
    const std::uint64_t at_least = blocks / most_groups + (blocks % most_groups == 0 ? 0 : 1);
    return std::bit_ceil(std::max<std::uint64_t>(at_least, 1));
}

std::uint64_t RunShape::groups() const {
    const std::uint64_t size = blocks_per_group();
    return blocks / size + (blocks % size == 0 ? 0 : 1);
}

std::uint64_t RunShape::blocks_in(std::uint64_t group) const {
    return std::min(blocks_per_group(), blocks - group * blocks_per_group());
}

bool run_groups(const RunShape& shape, const TrialBlock& trials,
                std::span<const std::uint64_t> groups, const RunControl& control) {
    const int threads = std::max(control.threads, 1);
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    GroupsInOrder run(shape, trials, groups, control);
    tbb::task_arena arena(threads);
    arena.execute([&] {
        tbb::task_group workers;
        for (int i = 0; i < threads; ++i) workers.run([&] { run.work(); });
        workers.wait();
    });
    return run.all_begun();
}

std::vector<double> add_groups(const RunShape& shape, const GroupSums& groups) {
    std::vector<double> sum(shape.sums, 0.0);
    for (std::uint64_t group = 0; group < shape.groups(); ++group) {
        const auto found = groups.find(group);
        if (found == groups.end())
            throw Error(fmt::format("group {} of {} of the run is missing", group, shape.groups()));
        add(sum, found->second);
    }
    return sum;
}

}  // namespace assay
