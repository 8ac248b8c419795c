#include "assay/formulas/thread_clock.hpp"

#include <ctime>

namespace assay::formulas {

ThreadClock::time_point ThreadClock::now() noexcept {
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace assay::formulas
