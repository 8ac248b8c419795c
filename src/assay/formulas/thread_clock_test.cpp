#include "assay/formulas/thread_clock.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

namespace assay::formulas {
namespace {

// Catches the clock of the machine, or of the whole process, in place of the thread's.
TEST_CASE("the clock of a thread goes while it works and stands while it waits", "[formulas]") {
    using Machine = std::chrono::steady_clock;
    constexpr auto length = std::chrono::milliseconds(100);
    ThreadClock::duration before{};
    ThreadClock::duration waiting{};
    ThreadClock::duration working{};
    const auto work = [&] {
        for (const auto end = Machine::now() + length; Machine::now() < end;) continue;
    };
    work();  // so that the process has taken more than the thread will have
    std::thread([&] {
        const ThreadClock::time_point first = ThreadClock::now();
        std::this_thread::sleep_for(length);
        const ThreadClock::time_point second = ThreadClock::now();
        work();
        before = first.time_since_epoch();
        waiting = second - first;
        working = ThreadClock::now() - second;
    }).join();
    CHECK(waiting < length / 2);
    CHECK(working > waiting);
    CHECK(before < length / 2);  // what other threads have taken is not in it
}

}  // namespace
}  // namespace assay::formulas
