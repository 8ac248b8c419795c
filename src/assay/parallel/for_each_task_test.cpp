#include "assay/parallel/for_each_task.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace assay;

TEST_CASE("every task is run once, whatever the threads", "[parallel]") {
    for (const int threads : {1, 2, 5}) {
        std::vector<std::atomic<int>> runs(1000);
        for_each_task(threads, 1000,
                      [&](std::int64_t task) { ++runs[static_cast<std::size_t>(task)]; });
        for (const auto& count : runs) CHECK(count == 1);
        for_each_task(threads, 0, [](std::int64_t) { FAIL("there is no task"); });
    }
}

TEST_CASE("one thread is the caller's own, and limits nobody else", "[parallel]") {
    const std::thread::id own = std::this_thread::get_id();
    for_each_task(1, 10, [&](std::int64_t) { CHECK(std::this_thread::get_id() == own); });
    const auto before =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    for_each_task(1, 1, [&](std::int64_t) {
        CHECK(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) ==
              before);
    });
}

TEST_CASE("what a task throws arrives", "[parallel]") {
    for (const int threads : {1, 3})
        CHECK_THROWS_AS(for_each_task(threads, 8,
                                      [](std::int64_t task) {
                                          if (task == 5) throw std::runtime_error("five");
                                      }),
                        std::runtime_error);
}
