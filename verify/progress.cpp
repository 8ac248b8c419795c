#include "verify/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace assay::verify {

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) != 0) {}

void Progress::show(std::size_t done, std::size_t planned) {
    const auto now = Clock::now();
    const std::chrono::duration<double> pause(terminal_ ? 0.2 : 60.0);
    if (now - last_ < pause) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = static_cast<double>(done) / seconds;
    const double left = rate > 0.0 ? static_cast<double>(planned - done) / rate : 0.0;
    fmt::print(stderr, "{}{} of {} points, {:.0f}/s, {:.0f} s left{}", terminal_ ? "\r  " : "",
               done, planned, rate, left, terminal_ ? "   " : "\n");
    std::fflush(stderr);
    open_ = terminal_;
}

void Progress::finish() {
    if (open_) fmt::print(stderr, "\n");
    open_ = false;
}

}  // namespace assay::verify
