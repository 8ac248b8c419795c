#include "verify/engine.hpp"

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "assay/files/build_info.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "verify/journal.hpp"
#include "verify/oracles/oracle.hpp"
#include "verify/search.hpp"
#include "verify/shrink.hpp"

namespace assay::verify {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t block_points = 8;
constexpr std::size_t walk_points = 40;
constexpr int shrink_attempts = 120;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One row cut into blocks; block 0 has the hard cases.
class Row {
public:
    Row(const Check& check, std::span<const HardCase> cases, const RunOptions& options)
        : check_(check), seed_(options.seed) {
        for (const HardCase& one : cases)
            if (one.check == check.id) hard_.push_back(one.point);
        points_ = static_cast<std::size_t>(options.tier == Tier::quick ? check.quick_points
                                                                       : check.full_points);
        if (check.kind != Kind::control && !check.searched) grid_ = grid(check.space, points_ / 2);
    }

    [[nodiscard]] const Check& check() const { return check_; }
    [[nodiscard]] std::size_t hard_cases() const { return hard_.size(); }
    /// A control is one block: its points are tried in order until one refutes it.
    [[nodiscard]] std::size_t blocks() const {
        if (points_ == 0) return 1;
        return 1 + (check_.kind == Kind::control ? 1 : (points_ + size() - 1) / size());
    }
    [[nodiscard]] std::size_t planned_points() const {
        return hard_.size() + (check_.kind == Kind::control ? 1 : points_);
    }

    [[nodiscard]] std::vector<Trial> run(std::size_t block) const {
        if (block == 0) return judged(hard_);
        if (check_.kind == Kind::control) return run_control();
        const std::size_t first = (block - 1) * size();
        if (check_.searched) return walk(check_, seed_, block, size());
        std::vector<Point> points;
        const std::size_t last =
            block < blocks() ? std::min(first + size(), points_) : first + size();
        for (std::size_t i = first; i < last; ++i) points.push_back(point(i));
        return judged(points);
    }

private:
    [[nodiscard]] std::size_t size() const { return check_.searched ? walk_points : block_points; }

    [[nodiscard]] Point point(std::size_t index) const {
        return index < grid_.size() ? grid_[index]
                                    : draw(check_.space, seed_, check_.id, index - grid_.size());
    }

    [[nodiscard]] std::vector<Trial> judged(const std::vector<Point>& points) const {
        std::vector<Trial> trials;
        for (const Point& one : points) trials.push_back(judge(check_, one));
        return trials;
    }

    [[nodiscard]] std::vector<Trial> run_control() const {
        std::vector<Trial> trials;
        for (std::size_t i = 0; i < points_; ++i) {
            trials.push_back(judge(check_, point(i)));
            if (trials.back().verdict == Verdict::violated) break;
        }
        return trials;
    }

    const Check& check_;
    std::uint64_t seed_;
    std::size_t points_ = 0;
    std::vector<Point> hard_;
    std::vector<Point> grid_;
};

struct Block {
    std::size_t row = 0;
    std::size_t number = 0;
};

/// All hard cases first, then the rows in turn, so that an early end leaves something of each.
std::vector<Block> in_turn(const std::vector<Row>& rows) {
    std::vector<Block> order;
    std::size_t most = 0;
    for (const Row& row : rows) most = std::max(most, row.blocks());
    for (std::size_t number = 0; number < most; ++number)
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (number < rows[row].blocks()) order.push_back({row, number});
    return order;
}

/// Hands out blocks to threads and collects what they found.
class Run {
public:
    Run(std::vector<Row> rows, const RunOptions& options)
        : rows_(std::move(rows)),
          options_(options),
          order_(in_turn(rows_)),
          journal_(options.journal,
                   {options.seed, std::string(to_string(options.tier)), version_line()},
                   options.resume),
          found_(rows_.size()) {
        for (const Row& row : rows_) planned_ += row.planned_points();
    }

    void work() {
        while (const auto block = next()) {
            const Row& row = rows_[block->row];
            BlockRecord record{row.check().id, block->number, 0.0, {}};
            if (const BlockRecord* known = journal_.finished(record.row, record.block)) {
                record = *known;
            } else {
                const auto start = Clock::now();
                record.trials = row.run(block->number);
                record.seconds = seconds_since(start);
                if (!record.trials.empty()) journal_.append(record);
            }
            keep(*block, std::move(record));
        }
        free_oracle_caches();
    }

    [[nodiscard]] RunResult result() {
        RunResult all;
        all.seconds = seconds_since(start_);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            RowResult row{&rows_[i].check(), {}, rows_[i].hard_cases(), {}, 0.0, false};
            row.complete = found_[i].size() >= rows_[i].blocks();
            for (auto& [number, record] : found_[i]) {
                row.seconds += record.seconds;
                std::move(record.trials.begin(), record.trials.end(),
                          std::back_inserter(row.trials));
            }
            all.points += row.trials.size();
            all.interrupted = all.interrupted || !row.complete;
            all.rows.push_back(std::move(row));
        }
        return all;
    }

private:
    [[nodiscard]] bool may_go_on() const {
        if (options_.stop != nullptr && options_.stop->load()) return false;
        return options_.budget <= 0.0 || seconds_since(start_) < options_.budget;
    }

    std::optional<Block> next() {
        if (!may_go_on()) return std::nullopt;
        const std::size_t index = next_++;
        if (index < order_.size()) return order_[index];
        if (options_.budget <= 0.0) return std::nullopt;
        const std::size_t extra = index - order_.size();  // further rounds, until the time is up
        const std::size_t row = extra % rows_.size();
        if (rows_[row].check().kind == Kind::control) return next();
        return Block{row, rows_[row].blocks() + extra / rows_.size()};
    }

    void keep(const Block& block, BlockRecord record) {
        const std::scoped_lock lock(mutex_);
        done_ += rows_[block.row].check().kind == Kind::control
                     ? std::min<std::size_t>(1, record.trials.size())
                     : record.trials.size();
        found_[block.row][block.number] = std::move(record);
        if (options_.progress) options_.progress(done_, std::max(done_, planned_));
    }

    std::vector<Row> rows_;
    RunOptions options_;
    std::vector<Block> order_;
    Journal journal_;
    std::vector<std::map<std::size_t, BlockRecord>> found_;
    Clock::time_point start_ = Clock::now();
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::size_t planned_ = 0;
    std::size_t done_ = 0;
};

}  // namespace

std::size_t RowResult::count(Verdict verdict) const {
    return static_cast<std::size_t>(
        std::count_if(trials.begin(), trials.end(),
                      [&](const Trial& trial) { return trial.verdict == verdict; }));
}

bool RowResult::passes() const {
    if (check->kind == Kind::control) return count(Verdict::violated) > 0 || trials.empty();
    return count(Verdict::holds) == trials.size();
}

const Trial* RowResult::closest() const {
    const auto at =
        std::min_element(trials.begin(), trials.end(),
                         [](const auto& a, const auto& b) { return a.margin < b.margin; });
    return at == trials.end() ? nullptr : &*at;
}

bool RunResult::passes() const {
    return points > 0 &&
           std::all_of(rows.begin(), rows.end(), [](const RowResult& row) { return row.passes(); });
}

RunResult run_checks(std::span<const Check> checks, std::span<const HardCase> hard_cases,
                     const RunOptions& options) {
    std::vector<Row> rows;
    for (const Check& check : checks) rows.emplace_back(check, hard_cases, options);
    Run run(std::move(rows), options);
    tbb::task_arena arena(options.threads);
    arena.execute([&] {
        tbb::task_group group;
        for (int i = 0; i < options.threads; ++i)
            group.run([&] {
                const AloneScope alone;
                run.work();
            });
        group.wait();
    });
    RunResult result = run.result();
    for (RowResult& row : result.rows) {
        const auto at = std::find_if(row.trials.begin(), row.trials.end(), [](const Trial& trial) {
            return trial.verdict == Verdict::violated;
        });
        if (at != row.trials.end()) row.smallest = shrunk(*row.check, *at, shrink_attempts);
    }
    return result;
}

}  // namespace assay::verify
