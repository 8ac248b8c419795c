#include "assay/numeric/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("every task runs once and the first error in order leaves", "[parallel]") {
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

TEST_CASE("the caller's interruption ends the tasks", "[parallel]") {
    std::atomic<int> begun{0};
    const InterruptionScope scope([&] { return begun > 0; });
    const auto endless = [&](std::size_t) {
        ++begun;
        for (;;) allow_interruption();
    };
    CHECK_THROWS_AS(side_by_side(4, endless), Interrupted);
}

TEST_CASE("alone, and within a task, no other thread is taken", "[parallel]") {
    const auto here = std::this_thread::get_id();
    std::vector<std::thread::id> ran(4);
    const auto note = [&](std::size_t i) { ran[i] = std::this_thread::get_id(); };
    {
        const AloneScope alone;
        side_by_side(ran.size(), note);
        CHECK(std::all_of(ran.begin(), ran.end(), [&](auto id) { return id == here; }));
    }
    std::vector<std::vector<std::thread::id>> inner(2, std::vector<std::thread::id>(3));
    side_by_side(inner.size(), [&](std::size_t i) {
        side_by_side(3, [&](std::size_t j) { inner[i][j] = std::this_thread::get_id(); });
    });
    for (const auto& ids : inner) CHECK(std::count(ids.begin(), ids.end(), ids.front()) == 3);
}

TEST_CASE("what is no error leaves as well", "[parallel]") {
    CHECK_THROWS_AS(side_by_side(2,
                                 [](std::size_t i) {
                                     if (i == 1) throw std::bad_alloc();
                                 }),
                    std::bad_alloc);
}
