#include "assay/numeric/interruption.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "assay/account/account.hpp"

using namespace assay;

TEST_CASE("without a scope nothing is interrupted", "[interruption]") {
    allow_interruption();
    SUCCEED();
}

TEST_CASE("the innermost scope of the thread decides", "[interruption]") {
    bool ends = false;
    const InterruptionScope outer([&] { return ends; });
    allow_interruption();
    ends = true;
    CHECK_THROWS_AS(allow_interruption(), Interrupted);
    {
        const InterruptionScope inner([] { return false; });
        allow_interruption();
    }
    CHECK_THROWS_AS(allow_interruption(), Interrupted);
    std::thread([] { allow_interruption(); }).join();
}

TEST_CASE("what the question throws leaves the computation", "[interruption]") {
    const InterruptionScope scope([]() -> bool { throw 7; });
    CHECK_THROWS_AS(allow_interruption(), int);
}

TEST_CASE("answers are interrupted often, and their bits do not depend on it", "[interruption]") {
    const Release steps{Adjacency::replace_one, {{SampledGaussian{1.0, 0.01}, 3000}}};
    const Release epochs{Adjacency::zero_out, {{BallsAndBins{0.8, 1000}, 2}}};
    for (const Release* release : {&steps, &epochs}) {
        const Bracket plain = epsilon(*release, 1e-5);
        int asked = 0;
        {
            const InterruptionScope scope([&] { return ++asked < 0; });
            const Bracket watched = epsilon(*release, 1e-5);
            CHECK(watched.lower.value == plain.lower.value);
            CHECK(watched.upper.value == plain.upper.value);
        }
        CHECK(asked > 100);
        int left = asked / 2;
        const InterruptionScope scope([&] { return --left < 0; });
        CHECK_THROWS_AS(epsilon(*release, 1e-5), Interrupted);
    }
}
