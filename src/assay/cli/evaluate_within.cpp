#include "assay/cli/evaluate_within.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

namespace assay::cli {

namespace {
std::atomic<int> left_behind = 0;
}

std::optional<formulas::Answer> evaluate_within(double seconds,
                                                std::function<formulas::Answer()> evaluation) {
    std::packaged_task<formulas::Answer()> task(std::move(evaluation));
    std::future<formulas::Answer> answer = task.get_future();
    std::thread worker(std::move(task));
    if (answer.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready) {
        worker.join();
        return answer.get();
    }
    worker.detach();
    ++left_behind;
    return std::nullopt;
}

int evaluations_left_behind() {
    return left_behind;
}

}  // namespace assay::cli
