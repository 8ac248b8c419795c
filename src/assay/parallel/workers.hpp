#pragma once
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace assay {

/// So many threads for one batch of tasks after the other. Kept where batches are short: it takes
/// 0.1 ms until threads have come to work for a new owner, a few microseconds until they come back.
///   Domain     threads >= 1; more than the machine has are allowed. For one thread at a time
class Workers {
public:
    explicit Workers(int threads)
        : threads_(threads),
          arena_(threads == 1 ? nullptr : std::make_unique<tbb::task_arena>(threads)) {}

    /// Calls run(task) for 0 .. count-1, in any order. One thread is the caller's own, a plain
    /// loop: tasks that run side by side elsewhere do not notice it.
    ///   Throws     what a task throws
    template <class Run>
    void for_each(std::int64_t count, const Run& run) {
        if (!arena_) {
            for (std::int64_t task = 0; task < count; ++task) run(task);
            return;
        }
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads_));
        arena_->execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::int64_t>(0, count, 1),
                [&](const tbb::blocked_range<std::int64_t>& range) {
                    for (std::int64_t task = range.begin(); task < range.end(); ++task) run(task);
                },
                tbb::simple_partitioner());
        });
    }

private:
    int threads_;
    std::unique_ptr<tbb::task_arena> arena_;  // none for one thread
};

}  // namespace assay
