#include "assay/numeric/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

thread_local bool is_alone = false;

/// Tasks that several threads take, and what they threw.
class Tasks {
public:
    Tasks(std::size_t count, const std::function<void(std::size_t)>& task)
        : task_(task), thrown_(count) {}

    /// Another thread's part: it ends where the caller does.
    void help() {
        const AloneScope alone;
        const InterruptionScope scope([this] { return ended_.load(); });
        const WorkLimit limit(left_);
        take();
        helped_ += left_ - work_left();
    }

    /// The caller's part, under its own scope; then waits for the others.
    void finish(std::vector<std::future<void>>& others) {
        const AloneScope alone;
        try {
            take();
            for (std::future<void>& other : others)
                while (other.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready)
                    allow_interruption();
        } catch (...) {
            ended_ = true;
            others.clear();  // waits for them
            throw;
        }
        const bool is_enough = within_part(1.0, [this] { count_work(helped_); });
        for (const std::exception_ptr& error : thrown_)
            if (error) std::rethrow_exception(error);
        if (!is_enough) throw WorkEnded();
        for (std::future<void>& other : others) other.get();  // may have run out of memory
    }

private:
    /// Takes tasks until none is left. An error, or the end of the work, is kept; anything else is
    /// an interruption.
    void take() {
        for (std::size_t i = next_++; i < thrown_.size() && !ended_; i = next_++) {
            try {
                task_(i);
            } catch (const Error&) {
                thrown_[i] = std::current_exception();
            } catch (const WorkEnded&) {
                thrown_[i] = std::current_exception();
            }
        }
    }

    const std::function<void(std::size_t)>& task_;
    std::vector<std::exception_ptr> thrown_;
    const std::uint64_t left_ = work_left();
    std::atomic<std::uint64_t> helped_{0};  // work of the other threads
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> ended_{false};
};

}  // namespace

AloneScope::AloneScope() : outer_(is_alone) {
    is_alone = true;
}
AloneScope::~AloneScope() {
    is_alone = outer_;
}

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& task) {
    Tasks tasks(count, task);
    std::vector<std::future<void>> others;
    if (!is_alone) {
        const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
        try {
            while (others.size() + 1 < std::min(count, processors))
                others.push_back(std::async(std::launch::async, [&tasks] { tasks.help(); }));
        } catch (const std::system_error&) {
            // No thread is to be had, or none is linked (before glibc 2.34): those that there are.
        }
    }
    tasks.finish(others);
}

}  // namespace assay
