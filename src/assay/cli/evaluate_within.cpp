#include "assay/cli/evaluate_within.hpp"

#include <chrono>

#include "assay/formulas/thread_clock.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/side_by_side.hpp"

namespace assay::cli {

using formulas::ThreadClock;

namespace {

/// True once the thread that made it has had so much processor time. It is asked often, and that
/// time costs a system call: the time of day, which never runs more slowly, says when to ask.
class TimeLimit {
public:
    explicit TimeLimit(std::chrono::nanoseconds most)
        : end_(ThreadClock::now() + most), earliest_(Wall::now() + most) {}

    bool is_over() {
        const Wall::time_point now = Wall::now();
        if (now < earliest_) return false;
        const std::chrono::nanoseconds left = end_ - ThreadClock::now();
        earliest_ = now + left;
        return left <= std::chrono::nanoseconds::zero();
    }

private:
    using Wall = std::chrono::steady_clock;
    ThreadClock::time_point end_;
    Wall::time_point earliest_;
};

}  // namespace

std::optional<formulas::Answer> evaluate_within(
    double seconds, const std::function<formulas::Answer()>& evaluation) {
    TimeLimit limit(std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds)));
    const InterruptionScope scope([&] { return limit.is_over(); });
    const AloneScope alone;  // the clock is this thread's
    try {
        return evaluation();
    } catch (const Interrupted&) {
        return std::nullopt;
    }
}

}  // namespace assay::cli
