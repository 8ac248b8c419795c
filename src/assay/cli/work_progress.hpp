#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>

#include "assay/files/progress_line.hpp"

namespace assay::cli {

/// So much of a known amount of work, counted by any thread and shown by one at a time: on a
/// terminal a line that is rewritten, elsewhere a line a minute.
class WorkProgress {
public:
    WorkProgress(std::ostream& err, std::int64_t work, std::string unit);

    void add(std::int64_t done);

private:
    std::uint64_t all_;
    ProgressLine::Clock::time_point begin_ = ProgressLine::Clock::now();
    std::atomic<std::uint64_t> done_ = 0;
    std::mutex mutex_;
    ProgressLine line_;
};

}  // namespace assay::cli
