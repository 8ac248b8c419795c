#include "assay/monte_carlo/run_trials.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

using Clock = std::chrono::steady_clock;

/// What rank 0 keeps: the groups as they come in, their file, and how far the run is.
class Ledger {
public:
    Ledger(Checkpoint& run, const RunOptions& options, GroupRange range)
        : run_(run), options_(options) {
        for (std::uint64_t group = range.first; group < range.last; ++group)
            progress_.total += static_cast<double>(run_.shape.blocks_in(group));
        for (const auto& [group, sums] : run_.groups)
            progress_.before += static_cast<double>(run_.shape.blocks_in(group));
        progress_.done = progress_.before;
    }

    void count_blocks(std::uint64_t blocks) {
        progress_.done += static_cast<double>(blocks);
        if (options_.progress) options_.progress(progress_);
    }
    void keep(std::uint64_t group, std::vector<double> sums) {
        run_.groups.insert_or_assign(group, std::move(sums));
        if (seconds_since(written_) >= pause()) write();
    }
    void write() {
        if (!options_.checkpoint) return;
        const Clock::time_point begin = Clock::now();
        write_checkpoint(*options_.checkpoint, run_);
        written_ = Clock::now();
        writing_ = std::chrono::duration<double>(written_ - begin).count();
    }

private:
    /// Between writes: a tenth of the session so far, at most a second; a slow disk may take a
    /// twentieth of the time.
    [[nodiscard]] double pause() const {
        const double usual = std::clamp(0.1 * seconds_since(begin_), 0.05, 1.0);
        return std::max(usual, 20.0 * writing_);
    }
    static double seconds_since(Clock::time_point moment) {
        return std::chrono::duration<double>(Clock::now() - moment).count();
    }

    Checkpoint& run_;
    const RunOptions& options_;
    Progress progress_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point written_ = begin_;
    double writing_ = 0.0;
};

void read_finished(Checkpoint& run, const RunOptions& options) {
    if (!options.checkpoint || !std::filesystem::exists(*options.checkpoint)) return;
    if (!options.resume)
        throw FileError(options.checkpoint->string(), 0,
                        "this checkpoint exists: resume it, or remove it to begin anew");
    Checkpoint found = read_checkpoint(*options.checkpoint);
    require_same_run(*options.checkpoint, found, run);
    require_same_part(*options.checkpoint, found, run);
    run.groups = std::move(found.groups);
}

/// The groups of the part that rank 0 lacks, on every rank. Where rank 0 fails to tell, it throws
/// the reason and the other ranks a mere echo.
std::vector<std::uint64_t> missing_groups(Checkpoint& run, GroupRange range, Ranks& ranks,
                                          const RunOptions& options) {
    constexpr std::uint64_t known = 1;
    std::vector<std::uint64_t> message;
    if (ranks.index() == 0) {
        try {
            read_finished(run, options);
        } catch (...) {
            ranks.share(message);
            throw;
        }
        message.push_back(known);
        for (std::uint64_t group = range.first; group < range.last; ++group)
            if (!run.groups.contains(group)) message.push_back(group);
    }
    ranks.share(message);
    if (message.empty()) throw Error("rank 0 could not begin");
    message.erase(message.begin());
    return message;
}

/// Messages to rank 0: the number of a group, exact as a double, and its sums; a bare number says
/// that the rank is done, 1 with all of its groups, 0 stopped before.
Ranks::Message group_message(std::uint64_t group, const std::vector<double>& sums) {
    Ranks::Message message{static_cast<double>(group)};
    message.insert(message.end(), sums.begin(), sums.end());
    return message;
}

class Collector {
public:
    Collector(Ledger& ledger, Ranks& ranks, const RunShape& shape)
        : ledger_(ledger), ranks_(ranks), shape_(shape), still_at_work_(ranks.count() - 1) {}

    void take_what_arrived() {
        while (const std::optional<Ranks::Message> message = ranks_.receive()) take(*message);
    }
    /// Whether the other ranks finished all of theirs.
    bool wait_for_all() {
        for (take_what_arrived(); still_at_work_ > 0; take_what_arrived())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return all_finished_;
    }

private:
    void take(const Ranks::Message& message) {
        if (message.size() == 1) {
            --still_at_work_;
            all_finished_ = all_finished_ && message.front() == 1.0;
            return;
        }
        const auto group = static_cast<std::uint64_t>(message.front());
        ledger_.keep(group, {message.begin() + 1, message.end()});
        ledger_.count_blocks(shape_.blocks_in(group));
    }

    Ledger& ledger_;
    Ranks& ranks_;
    RunShape shape_;
    std::uint64_t still_at_work_;
    bool all_finished_ = true;
};

bool run_first_rank(Checkpoint& run, const TrialBlock& trials, GroupRange range,
                    std::span<const std::uint64_t> groups, Ranks& ranks,
                    const RunOptions& options) {
    Ledger ledger(run, options, range);
    Collector others(ledger, ranks, run.shape);
    ledger.write();
    const RunControl control{
        .threads = options.threads,
        .keep_going = options.keep_going,
        .block_done =
            [&] {
                ledger.count_blocks(1);
                others.take_what_arrived();
            },
        .group_done = [&](std::uint64_t group,
                          std::vector<double> sums) { ledger.keep(group, std::move(sums)); }};
    const bool own_finished = run_groups(run.shape, trials, groups, control);
    const bool others_finished = others.wait_for_all();
    ledger.write();
    return own_finished && others_finished;
}

bool run_other_rank(const RunShape& shape, const TrialBlock& trials,
                    std::span<const std::uint64_t> groups, Ranks& ranks,
                    const RunOptions& options) {
    const RunControl control{
        .threads = options.threads,
        .keep_going = options.keep_going,
        .group_done = [&](std::uint64_t group, const std::vector<double>& sums) {
            ranks.send(group_message(group, sums));
        }};
    const bool finished = run_groups(shape, trials, groups, control);
    ranks.send({finished ? 1.0 : 0.0});
    return finished;
}

}  // namespace

bool run_trials(Checkpoint& run, const TrialBlock& trials, Ranks& ranks,
                const RunOptions& options) {
    if (run.shape.blocks == 0 || run.shape.sums == 0)
        throw DomainError("run", "empty", "at least one block and one sum");
    const GroupRange range = rank_range(run.shape.groups(), run.part);
    const std::vector<std::uint64_t> missing = missing_groups(run, range, ranks, options);
    const GroupRange own = rank_range(missing.size(), {ranks.index(), ranks.count()});
    const auto groups = std::span(missing).subspan(own.first, own.size());
    try {
        return ranks.index() == 0 ? run_first_rank(run, trials, range, groups, ranks, options)
                                  : run_other_rank(run.shape, trials, groups, ranks, options);
    } catch (const std::exception& error) {
        ranks.abort(error.what());
        throw;
    }
}

}  // namespace assay
