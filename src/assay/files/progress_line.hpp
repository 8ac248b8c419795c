#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace assay {

/// How far a run has come, over all ranks.
struct Progress {
    std::uint64_t blocks_done = 0;  // those of an earlier, interrupted run included
    std::uint64_t blocks = 0;
    double blocks_per_second = 0.0;  // of this session; 0 until known
    double seconds_left = 0.0;       // infinite until known
};

/// What a run consists of: so many of these a block.
struct ProgressUnit {
    double per_block = 1.0;
    std::string name = "samples";
};

/// "43.2 % of 5000192 samples, 212000 samples/s, 12 min 5 s left".
[[nodiscard]] std::string progress_text(const Progress& progress, const ProgressUnit& unit);

/// Progress of a long run: on a terminal one line that is rewritten, elsewhere a plain line a
/// minute. `label` stands before it.
class ProgressLine {
public:
    using Clock = std::chrono::steady_clock;

    ProgressLine(std::ostream& out, bool is_terminal, ProgressUnit unit, std::string label = {},
                 Clock::time_point begin = Clock::now());
    /// Ends the line on a terminal, whatever ends the run.
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const Progress& progress, Clock::time_point now = Clock::now());

private:
    std::ostream& out_;
    bool is_terminal_;
    ProgressUnit unit_;
    std::string label_;
    Clock::time_point last_;
    std::size_t width_ = 0;  // of what stands on the terminal's line
};

}  // namespace assay
