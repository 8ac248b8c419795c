#include "verify/hunt.hpp"

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <chrono>
#include <mutex>

#include "verify/oracles/oracle.hpp"
#include "verify/search.hpp"
#include "verify/shrink.hpp"

namespace assay::verify {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t walk_length = 40;

}  // namespace

Hunt hunt(const Check& check, const HuntOptions& options) {
    const auto start = Clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    Hunt result;
    std::mutex mutex;
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> found = false;
    const auto keep = [&](std::vector<Trial> trials) {
        const std::scoped_lock lock(mutex);
        result.points += trials.size();
        for (Trial& trial : trials) {
            if (trial.verdict == Verdict::undecided) continue;
            if (trial.verdict == Verdict::violated) found = true;
            if (!result.closest || trial.margin < result.closest->margin)
                result.closest = std::move(trial);
        }
        if (options.progress && result.closest)
            options.progress(result.points, result.closest->margin);
    };
    const auto work = [&] {
        while (!found && elapsed() < options.budget &&
               (options.stop == nullptr || !options.stop->load()))
            keep(walk(check, options.seed, next++, walk_length));
        free_oracle_caches();
    };
    tbb::task_arena arena(options.threads);
    arena.execute([&] {
        tbb::task_group group;
        for (int i = 0; i < options.threads; ++i) group.run(work);
        group.wait();
    });
    if (found) result.smallest = shrunk(check, *result.closest);
    result.seconds = elapsed();
    return result;
}

}  // namespace assay::verify
