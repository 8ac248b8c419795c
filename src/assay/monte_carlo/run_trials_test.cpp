#include "assay/monte_carlo/run_trials.hpp"

#include <atomic>
#include <barrier>
#include <deque>
#include <mutex>
#include <thread>

#include "assay/files/atomic_file.hpp"
#include "test_support/monte_carlo_test_support.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using Catch::Contains;
using test_support::toy_block;

namespace {

Checkpoint toy_run(std::uint64_t blocks = 9000, Part part = {}) {
    return {{{"noise-multiplier", "0.4"}, {"seed", "1"}}, {blocks, 2}, part, {}};
}

GroupSums truth(std::uint64_t blocks = 9000) {
    const RunShape shape{blocks, 2};
    GroupSums groups;
    std::vector<double> sums(2);
    for (std::uint64_t block = 0; block < blocks; ++block) {
        toy_block(block, sums);
        const auto [group, is_new] = groups.emplace(block / shape.blocks_per_group(), sums);
        for (std::size_t i = 0; i < 2 && !is_new; ++i) group->second[i] += sums[i];
    }
    return groups;
}

/// Ranks that are threads of this process.
struct Mailbox {
    explicit Mailbox(int ranks) : meeting(ranks) {}

    std::mutex mutex;
    std::deque<Ranks::Message> messages;
    std::vector<std::uint64_t> shared;
    std::barrier<> meeting;
};

class ThreadRank final : public Ranks {
public:
    ThreadRank(Mailbox& box, std::uint64_t index, std::uint64_t count)
        : box_(box), index_(index), count_(count) {}

    [[nodiscard]] std::uint64_t index() const override { return index_; }
    [[nodiscard]] std::uint64_t count() const override { return count_; }
    void share(std::vector<std::uint64_t>& values) override {
        if (index_ == 0) box_.shared = values;
        box_.meeting.arrive_and_wait();
        values = box_.shared;
        box_.meeting.arrive_and_wait();
    }
    void send(Message message) override {
        const std::lock_guard lock(box_.mutex);
        box_.messages.push_back(std::move(message));
    }
    [[nodiscard]] std::optional<Message> receive() override {
        const std::lock_guard lock(box_.mutex);
        if (box_.messages.empty()) return std::nullopt;
        Message message = std::move(box_.messages.front());
        box_.messages.pop_front();
        return message;
    }
    void abort(std::string_view) override {}

private:
    Mailbox& box_;
    std::uint64_t index_;
    std::uint64_t count_;
};

/// Runs `run` on ranks; what rank 0 found is left in it.
bool run_on(int count, Checkpoint& run, const assay::RunOptions& options) {
    Mailbox box(count);
    bool finished = false;
    std::vector<Checkpoint> others(static_cast<std::size_t>(count), run);
    std::vector<std::thread> threads;
    for (int index = 0; index < count; ++index)
        threads.emplace_back([&, index] {
            ThreadRank rank(box, static_cast<std::uint64_t>(index),
                            static_cast<std::uint64_t>(count));
            const bool is_first = index == 0;
            const bool done = run_trials(is_first ? run : others[static_cast<std::size_t>(index)],
                                         toy_block, rank, options);
            if (is_first) finished = done;
        });
    for (std::thread& thread : threads) thread.join();
    return finished;
}

bool run_alone(Checkpoint& run, const assay::RunOptions& options) {
    SingleRank alone;
    return run_trials(run, toy_block, alone, options);
}

}  // namespace

TEST_CASE("threads, ranks and parts do not change a bit", "[parallel]") {
    const GroupSums expected = truth();
    for (const int threads : {1, 2}) {
        Checkpoint run = toy_run();
        CHECK(run_alone(run, {.threads = threads}));
        CHECK(run.groups == expected);
    }
    for (const int ranks : {2, 3, 4}) {
        CAPTURE(ranks);
        Checkpoint run = toy_run();
        CHECK(run_on(ranks, run, {}));
        CHECK(run.groups == expected);
    }
    GroupSums together;
    for (std::uint64_t index = 0; index < 3; ++index) {
        Checkpoint part = toy_run(9000, {index, 3});
        CHECK(run_on(2, part, {}));
        together.merge(part.groups);
        CHECK(part.groups.empty());
    }
    CHECK(together == expected);
}

TEST_CASE("more ranks than groups, and fewer blocks than groups", "[parallel]") {
    Checkpoint run = toy_run(2);
    CHECK(run_on(4, run, {.threads = 2}));
    CHECK(run.groups == truth(2));
    for (const RunShape& shape : {RunShape{0, 2}, RunShape{2, 0}}) {
        Checkpoint empty = toy_run();
        empty.shape = shape;
        CHECK_THROWS_AS(run_alone(empty, {}), DomainError);
    }
}

TEST_CASE("a stopped run goes on where it was, on other threads and ranks", "[parallel]") {
    const ScratchFolder folder("run_trials");
    const GroupSums expected = truth();
    assay::RunOptions options;
    options.checkpoint = folder.path() / "run.checkpoint";
    options.resume = true;
    std::size_t kept = 0;
    for (int session = 0; session < 3; ++session) {
        Checkpoint run = toy_run();
        std::atomic<int> asked{0};
        options.threads = 1 + session % 2;
        options.keep_going = [&] { return ++asked <= 2000; };
        CHECK_FALSE((session == 1 ? run_on(2, run, options) : run_alone(run, options)));
        const Checkpoint file = read_checkpoint(*options.checkpoint);
        CHECK(file.groups == run.groups);
        CHECK(file.groups.size() >= kept + 490);
        kept = file.groups.size();
        for (const auto& [group, sums] : file.groups) CHECK(sums == expected.at(group));
    }
    Checkpoint run = toy_run();
    options.keep_going = {};
    CHECK(run_on(3, run, options));
    CHECK(run.groups == expected);

    // Complete by now: nothing is left to run.
    Checkpoint again = toy_run();
    options.keep_going = [] { return false; };
    CHECK(run_alone(again, options));
    CHECK(again.groups == expected);
}

TEST_CASE("a checkpoint is resumed only when asked and only by its own run", "[parallel]") {
    const ScratchFolder folder("run_trials");
    assay::RunOptions options;
    options.checkpoint = folder.path() / "run.checkpoint";
    Checkpoint run = toy_run(10);
    REQUIRE(run_alone(run, options));
    const std::string before = read_file(*options.checkpoint);
    Checkpoint anew = toy_run(10);
    CHECK_THROWS_WITH(run_alone(anew, options), Contains("this checkpoint exists"));
    options.resume = true;
    Checkpoint foreign = toy_run(10);
    foreign.identity[0].value = "0.5";
    CHECK_THROWS_WITH(run_alone(foreign, options),
                      Contains("noise-multiplier 0.4 there, 0.5 here"));
    Checkpoint shard = toy_run(10, {0, 2});
    CHECK_THROWS_WITH(run_alone(shard, options), Contains("another shard"));
    CHECK(read_file(*options.checkpoint) == before);

    options.checkpoint = folder.path() / "run.checkpoint" / "below";
    Checkpoint unwritable = toy_run(10);
    CHECK_THROWS_AS(run_alone(unwritable, options), FileError);
}

TEST_CASE("an error of rank 0 ends every rank", "[parallel]") {
    const ScratchFolder folder("run_trials");
    assay::RunOptions options;
    options.checkpoint = folder.path() / "run.checkpoint";
    write_file_atomically(*options.checkpoint, "something else\n");
    options.resume = true;
    Mailbox box(2);
    std::vector<std::string> messages(2);
    const auto one = [&](std::uint64_t index) {
        ThreadRank rank(box, index, 2);
        Checkpoint run = toy_run();
        try {
            static_cast<void>(run_trials(run, toy_block, rank, options));
        } catch (const Error& error) {
            messages[index] = error.what();
        }
    };
    std::thread other([&] { one(1); });
    one(0);
    other.join();
    CHECK_THAT(messages[0], Contains("this is no checkpoint of assay"));
    CHECK(messages[1] == "rank 0 could not begin");
}

TEST_CASE("progress counts every block of the part once", "[parallel]") {
    const ScratchFolder folder("run_trials");
    for (const int ranks : {1, 3}) {
        Checkpoint run = toy_run(9000, {1, 2});
        const GroupRange range = rank_range(run.shape.groups(), run.part);
        double blocks = 0.0;
        for (auto group = range.first; group < range.last; ++group)
            blocks += static_cast<double>(run.shape.blocks_in(group));
        std::vector<Progress> seen;
        const assay::RunOptions options{
            .progress = [&](const Progress& now) { seen.push_back(now); }};
        REQUIRE(run_on(ranks, run, options));
        REQUIRE_FALSE(seen.empty());
        CHECK(seen.back().total == blocks);
        CHECK(seen.back().done == blocks);
        CHECK(seen.back().before == 0.0);
        for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i].done > seen[i - 1].done);
    }
}
