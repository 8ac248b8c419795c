#include "assay/cli/evaluate_within.hpp"

#include <catch2/catch.hpp>
#include <future>
#include <memory>

#include "assay/numeric/errors.hpp"

using namespace assay;
using namespace assay::cli;
using assay::formulas::Answer;

TEST_CASE("an evaluation in time gives its answer or its exception", "[cli]") {
    const int before = evaluations_left_behind();
    const auto answer = evaluate_within(60.0, [] { return Answer(exactly(3.0)); });
    REQUIRE(answer.has_value());
    CHECK(answer->values == std::vector<Enclosure>{exactly(3.0)});
    CHECK_THROWS_AS(
        evaluate_within(60.0, []() -> Answer { throw DomainError("q", 2.0, "0 <= q < 1"); }),
        DomainError);
    CHECK(evaluations_left_behind() == before);
}

TEST_CASE("an evaluation that takes too long is left behind", "[cli]") {
    const int before = evaluations_left_behind();
    auto gate = std::make_shared<std::promise<void>>();
    auto ended = std::make_shared<std::promise<void>>();
    const auto answer = evaluate_within(0.01, [gate, ended] {
        gate->get_future().wait();
        ended->set_value();
        return Answer(exactly(3.0));
    });
    CHECK_FALSE(answer.has_value());
    CHECK(evaluations_left_behind() == before + 1);
    gate->set_value();
    ended->get_future().wait();
}
