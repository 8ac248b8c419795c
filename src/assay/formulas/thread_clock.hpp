#pragma once
#include <chrono>

namespace assay::formulas {

/// The processor time that the calling thread has taken: it stands still while others have the
/// processor, so that a limit in it does not depend on the load of the machine. Meets the
/// requirements of a clock; points of time of different threads cannot be compared.
struct ThreadClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<ThreadClock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept;
};

}  // namespace assay::formulas
