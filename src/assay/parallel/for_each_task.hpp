#pragma once
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>

namespace assay {

/// Calls run(task) for 0 .. count-1 on so many threads, in any order. One thread is the caller's
/// own, a plain loop: tasks that run side by side elsewhere do not notice it.
///   Domain     threads >= 1; more than the machine has are allowed
///   Throws     what a task throws
template <class Run>
void for_each_task(int threads, std::int64_t count, const Run& run) {
    if (threads == 1) {
        for (std::int64_t task = 0; task < count; ++task) run(task);
        return;
    }
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::int64_t>(0, count, 1),
            [&](const tbb::blocked_range<std::int64_t>& range) {
                for (std::int64_t task = range.begin(); task < range.end(); ++task) run(task);
            },
            tbb::simple_partitioner());
    });
}

}  // namespace assay
