#include "assay/account/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("every task runs once and the first error in order leaves", "[account][parallel]") {
    std::vector<int> runs(20, 0);
    side_by_side(runs.size(), [&](std::size_t i) { ++runs[i]; });
    CHECK(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
    side_by_side(0, [](std::size_t) { FAIL("there is no task"); });

    std::atomic<int> ended{0};
    try {
        side_by_side(6, [&](std::size_t i) {
            if (i == 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            ++ended;
            if (i == 2 || i == 4) throw Error(i == 2 ? "second" : "fourth");
        });
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        CHECK(std::string(error.what()) == "second");
    }
    CHECK(ended == 6);
}

TEST_CASE("the caller's interruption ends the tasks", "[account][parallel]") {
    std::atomic<int> begun{0};
    const InterruptionScope scope([&] { return begun > 0; });
    const auto endless = [&](std::size_t) {
        ++begun;
        for (;;) allow_interruption();
    };
    CHECK_THROWS_AS(side_by_side(4, endless), Interrupted);
}
