#include "assay/parallel/workers.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

using namespace assay;

TEST_CASE("workers run one batch of tasks after the other, also after one has thrown",
          "[parallel]") {
    for (const int threads : {1, 2, 5}) {
        Workers workers(threads);
        std::vector<std::atomic<int>> runs(100);
        for (std::int64_t batch = 0; batch < 200; ++batch) {
            const std::int64_t count = batch % 101;
            workers.for_each(count,
                             [&](std::int64_t task) { ++runs[static_cast<std::size_t>(task)]; });
            if (batch % 50 == 7)
                CHECK_THROWS_AS(
                    workers.for_each(
                        3, [](std::int64_t) { throw std::runtime_error("not this one"); }),
                    std::runtime_error);
        }
        // Task t was in the batches that count more: those of 0 .. 100, then of 0 .. 98.
        for (std::int64_t task = 0; task < 100; ++task)
            CHECK(runs[static_cast<std::size_t>(task)] ==
                  100 - task + std::max<std::int64_t>(98 - task, 0));
    }
}

TEST_CASE("workers limit nobody but during a batch", "[parallel]") {
    const auto limit = [] {
        return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    };
    const auto before = limit();
    Workers workers(3);
    CHECK(limit() == before);
    workers.for_each(4, [](std::int64_t) {});
    CHECK(limit() == before);
}
