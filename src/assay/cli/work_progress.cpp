#include "assay/cli/work_progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace assay::cli {

WorkProgress::WorkProgress(std::ostream& err, std::int64_t work, std::string unit)
    : all_(static_cast<std::uint64_t>(work)),
      line_(err, &err == &std::cerr && ::isatty(STDERR_FILENO) != 0, {1.0, std::move(unit)}) {}

void WorkProgress::add(std::int64_t done) {
    done_ += static_cast<std::uint64_t>(done);
    const std::unique_lock one(mutex_, std::try_to_lock);
    if (!one) return;
    const auto now = static_cast<double>(done_);
    const std::chrono::duration<double> elapsed = ProgressLine::Clock::now() - begin_;
    const double rate = now / std::max(elapsed.count(), 1e-9);
    line_.show({done_, all_, rate, (static_cast<double>(all_) - now) / rate});
}

}  // namespace assay::cli
