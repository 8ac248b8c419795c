#include "bindings/questions.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "assay/numeric/interruption.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "bindings/core.hpp"

namespace py = pybind11;

namespace assay::python {

namespace {

/// What the threads of one call share.
class Work {
public:
    Work(std::size_t count, const std::function<void(std::size_t, std::size_t)>& answer)
        : count_(count), answer_(answer) {}

    /// Takes questions until none is left.
    void take(std::size_t worker) {
        std::optional<AloneScope> alone;
        if (count_ > 1) alone.emplace();
        const InterruptionScope scope([&] {
            if (worker == 0) look_for_signals();
            return ends_.load(std::memory_order_relaxed);
        });
        for (std::size_t i = next_++; i < count_ && !ends_; i = next_++) {
            try {
                answer_(i, worker);
            } catch (const Interrupted&) {
                return;
            } catch (...) {
                fail(i);
            }
        }
    }

    void fail(std::size_t question) {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        if (question >= failed_) return;
        failed_ = question;
        failure_ = std::current_exception();
    }

    void leave() {
        const std::lock_guard lock(mutex_);
        ++left_;
        changed_.notify_all();
    }

    void await(std::size_t others) {
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, between_looks, [&] { return left_ == others; })) {
            lock.unlock();
            try {
                look_for_signals();
            } catch (...) {
                fail(0);
            }
            lock.lock();
        }
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::size_t count_;
    const std::function<void(std::size_t, std::size_t)>& answer_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> ends_{false};
    SignalLook look_for_signals;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t left_ = 0;
    std::size_t failed_ = std::numeric_limits<std::size_t>::max();
    std::exception_ptr failure_;
};

}  // namespace

void answer_all(std::size_t count, std::size_t threads,
                const std::function<void(std::size_t, std::size_t)>& answer) {
    const py::gil_scoped_release released;
    Work work(count, answer);
    const std::size_t workers = std::min(threads, count);
    std::vector<std::jthread> others;
    for (std::size_t worker = 1; worker < workers; ++worker)
        others.emplace_back([&work, worker] {
            work.take(worker);
            work.leave();
        });
    work.take(0);
    work.await(others.size());
    others.clear();
    work.rethrow();
}

}  // namespace assay::python
