#pragma once
#include <chrono>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace assay {

/// How far a long work has come, in units of the caller's.
struct Progress {
    double done = 0.0;
    double total = 0.0;
    double before = 0.0;  ///< of `done`, by an earlier session: no part of this one's rate
};

/// "43.2 % of 5000192 samples, 212000 samples/s, 12 min 5 s left" after so many seconds.
[[nodiscard]] std::string progress_text(const Progress& progress, std::string_view unit,
                                        double seconds);

/// Progress of a long work: on a terminal one line that is rewritten, elsewhere a plain line a
/// minute; nothing in the first second.
///   Threads    any may show; where one does so, the others go on
class ProgressLine {
public:
    using Clock = std::chrono::steady_clock;

    /// On standard error where that is a terminal; any other stream is none.
    explicit ProgressLine(std::ostream& out, std::string label = {});
    /// `label` stands before a share of the work.
    ProgressLine(std::ostream& out, bool is_terminal, std::string label,
                 Clock::time_point begin = Clock::now());
    /// Ends the line on a terminal, whatever ends the work.
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// The share, the rate and the time left. The end is shown where anything was.
    void show(const Progress& progress, std::string_view unit,
              Clock::time_point now = Clock::now());
    /// What `text` makes, which is only asked when it is time.
    void show(const std::function<std::string()>& text, Clock::time_point now = Clock::now());
    /// Takes the line off the terminal, for other output.
    void clear();

private:
    void write(const std::function<std::string()>& text, bool is_end, Clock::time_point now);

    std::ostream& out_;
    bool is_terminal_;
    std::string label_;
    Clock::time_point begin_;
    Clock::time_point next_;
    std::size_t width_ = 0;  // of what stands on the terminal's line
    std::mutex mutex_;
};

}  // namespace assay
