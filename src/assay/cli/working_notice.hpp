#pragma once
#include <ostream>
#include <string>
#include <thread>

#include "assay/files/progress_line.hpp"

namespace assay::cli {

/// While it lives, standard error says after a second that the program is at work, and for how
/// long: on a terminal in one line that is taken off at the end, elsewhere a line a minute.
class WorkingNotice {
public:
    WorkingNotice(std::ostream& err, std::string on_what);
    ~WorkingNotice();
    WorkingNotice(const WorkingNotice&) = delete;
    WorkingNotice& operator=(const WorkingNotice&) = delete;

private:
    ProgressLine line_;
    std::jthread thread_;
};

}  // namespace assay::cli
