#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

#include "verify/case_file.hpp"
#include "verify/judge.hpp"

namespace assay::verify {

struct RunOptions {
    std::uint64_t seed = 1;
    Tier tier = Tier::quick;
    int threads = 2;
    /// Seconds after which no new block of points is begun; 0: none. Time that is left when every
    /// row has had its points goes into further rounds of random points.
    double budget = 0.0;
    std::filesystem::path journal;            // finished blocks are appended here; empty: nowhere
    bool resume = false;                      // take over the blocks that the journal already has
    const std::atomic<bool>* stop = nullptr;  // set: finish the blocks begun, then report
    /// Told after every block: points done, points planned.
    std::function<void(std::size_t, std::size_t)> progress;
};

/// What became of one row.
struct RowResult {
    const Check* check = nullptr;
    std::vector<Trial> trials;      // in the order of the points, hard cases first
    std::size_t hard_cases = 0;     // how many of them are hard cases
    std::optional<Trial> smallest;  // the shrunk violation, where there is one
    double seconds = 0.0;           // of one thread
    bool complete = false;          // every planned point was tried (or a control was refuted)

    [[nodiscard]] std::size_t count(Verdict verdict) const;
    /// A control: a point violates it. Any other row: complete or not, no point fails.
    [[nodiscard]] bool passes() const;
    /// The trial with the smallest margin; null without trials.
    [[nodiscard]] const Trial* closest() const;
};

struct RunResult {
    std::vector<RowResult> rows;
    double seconds = 0.0;
    std::size_t points = 0;
    bool interrupted = false;

    /// Every row, and a point was tried.
    [[nodiscard]] bool passes() const;
};

/// Tries every row: its hard cases first, then its grid, then random points (or a search for the
/// smallest margin), in blocks on `threads` threads. The trials of a row depend on the seed alone.
///   Throws     FileError (journal)
[[nodiscard]] RunResult run_checks(std::span<const Check> checks,
                                   std::span<const HardCase> hard_cases, const RunOptions& options);

}  // namespace assay::verify
