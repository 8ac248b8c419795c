#pragma once
#include <cstddef>
#include <functional>

namespace assay {

/// Runs task(0) .. task(count - 1), each once, as many at a time as there are processors, this
/// thread among them; one after the other where this thread has an AloneScope or is itself running
/// such a task. Tasks may not depend on each other; what they compute does not depend on the number
/// of threads.
///   Throws     what the first task in order threw, when all have ended; at once, as the tasks are
///              ended then as well, what the InterruptionScope of this thread says; WorkEnded
///              where all tasks together take more than this thread's WorkLimit leaves
///   Cost       some 20 us for each thread
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& task);

/// While it lives, computations of this thread take no other thread: for callers that have threads
/// of their own, or are to be measured.
class AloneScope {
public:
    AloneScope();
    ~AloneScope();
    AloneScope(const AloneScope&) = delete;
    AloneScope& operator=(const AloneScope&) = delete;

private:
    bool outer_;
};

}  // namespace assay
