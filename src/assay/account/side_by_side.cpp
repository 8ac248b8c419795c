#include "assay/account/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "assay/numeric/interruption.hpp"

namespace assay {

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& task) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> ended{false};
    std::vector<std::exception_ptr> thrown(count);
    const auto work = [&] {
        const InterruptionScope scope([&] { return ended.load(); });
        for (std::size_t i = next++; i < count && !ended; i = next++) {
            try {
                task(i);
            } catch (...) {
                thrown[i] = std::current_exception();
            }
        }
    };
    std::vector<std::future<void>> workers;
    try {
        const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
        while (workers.size() < std::min(count, processors))
            workers.push_back(std::async(std::launch::async, work));
    } catch (const std::system_error&) {
        // No thread is to be had, or none is linked (before glibc 2.34): those that there are do
        // it, or this one.
        if (workers.empty())
            for (std::size_t i = 0; i < count; ++i) task(i);
    }
    try {
        for (std::future<void>& worker : workers)
            while (worker.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
                allow_interruption();
    } catch (...) {
        ended = true;
        workers.clear();  // waits for them
        throw;
    }
    for (const std::exception_ptr& error : thrown)
        if (error) std::rethrow_exception(error);
}

}  // namespace assay
