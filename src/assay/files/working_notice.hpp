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

/// The same for work that comes in lines: which one is being answered, and nothing while the next
/// is waited for.
class LineNotice {
public:
    explicit LineNotice(std::ostream& err);

    void begin(long line);
    void end();

private:
    std::atomic<long> line_ = 0;
    std::atomic<ProgressLine::Clock::time_point> begin_ = ProgressLine::Clock::now();
    WorkingNotice notice_;
};

}  // namespace assay
