#include "assay/cli/evaluate_within.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "assay/formulas/thread_clock.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

using namespace assay;
using namespace assay::cli;
using assay::formulas::Answer;
using assay::formulas::ThreadClock;

TEST_CASE("an evaluation in time gives its answer or its exception", "[cli]") {
    const auto answer = evaluate_within(60.0, [] { return Answer(exactly(3.0)); });
    REQUIRE(answer.has_value());
    CHECK(answer->values == std::vector<Enclosure>{exactly(3.0)});
    CHECK_THROWS_AS(
        evaluate_within(60.0, []() -> Answer { throw DomainError("q", 2.0, "0 <= q < 1"); }),
        DomainError);
}

TEST_CASE("an evaluation that takes too long is ended, and nothing of it goes on", "[cli]") {
    bool is_alive = false;
    struct Life {
        explicit Life(bool& state) : is_alive(state) { is_alive = true; }
        ~Life() { is_alive = false; }
        Life(const Life&) = delete;
        Life& operator=(const Life&) = delete;
        bool& is_alive;
    };
    const auto answer = evaluate_within(0.01, [&]() -> Answer {
        const Life life(is_alive);
        for (;;) allow_interruption();
    });
    CHECK_FALSE(answer.has_value());
    CHECK_FALSE(is_alive);
}

// With the time of day for a limit, the same question has another answer on a machine that is busy.
TEST_CASE("only the evaluation's own time counts, not that of others", "[cli]") {
    const auto answer = evaluate_within(0.02, []() -> Answer {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        allow_interruption();
        return Answer(exactly(3.0));
    });
    CHECK(answer.has_value());
    const ThreadClock::time_point begin = ThreadClock::now();
    std::thread([&] {
        const ThreadClock::time_point own = ThreadClock::now();
        while (ThreadClock::now() - own < std::chrono::milliseconds(50)) {
        }
    }).join();
    CHECK(ThreadClock::now() - begin < std::chrono::milliseconds(50));
}
