#pragma once
#include <atomic>
#include <functional>
#include <ostream>
#include <string>
#include <thread>

#include "assay/files/progress_line.hpp"

namespace assay {

/// While it lives, standard error says after a second that the program is at work, and for how
/// long: on a terminal in one line that is taken off at the end, elsewhere a line a minute.
class WorkingNotice {
public:
    WorkingNotice(std::ostream& err, std::string on_what);
    /// `text` is what stands there, asked by another thread; nothing while that is empty.
    WorkingNotice(std::ostream& err, std::function<std::string()> text);
    ~WorkingNotice();
    WorkingNotice(const WorkingNotice&) = delete;
    WorkingNotice& operator=(const WorkingNotice&) = delete;

    /// Takes the line off the terminal, for other output.
    void clear() { line_.clear(); }

private:
    ProgressLine line_;
    std::jthread thread_;
};

/// The same for work that comes in lines: how many are answered, or which one takes long. Where the
/// terminal is the lines' or their answers' as well, it is left to them but for a line that takes
/// long.
class LineNotice {
public:
    LineNotice(std::ostream& err, bool reads_standard_input);

    void begin(int line);
    void end();

private:
    using Clock = ProgressLine::Clock;
    [[nodiscard]] std::string text() const;

    const bool shares_terminal_;
    const Clock::time_point first_ = Clock::now();
    std::atomic<int> line_ = 0;
    std::atomic<bool> is_at_work_ = false;
    std::atomic<Clock::time_point> begin_ = first_;
    WorkingNotice notice_;
};

}  // namespace assay
