#include "verify/engine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <thread>

#include "test_support/scratch_folder.hpp"
#include "verify/test_rows.hpp"

using namespace assay;
using namespace assay::verify;
using namespace assay::verify::testing;

namespace {

Check named(const char* id, Check row) {
    row.id = std::string(id);
    return row;
}

bool same_trials(const RowResult& a, const RowResult& b) {
    return std::equal(a.trials.begin(), a.trials.end(), b.trials.begin(), b.trials.end(),
                      [](const Trial& x, const Trial& y) {
                          return x.point == y.point && x.verdict == y.verdict &&
                                 x.margin == y.margin;
                      });
}

}  // namespace

TEST_CASE("a right row passes, a wrong one fails with a shrunk counterexample", "[engine]") {
    const std::vector<Check> rows{named("right", square_row(0.0)),
                                  named("wrong", square_row(1e-6))};
    const RunResult result = run_checks(rows, {}, {});
    CHECK(result.points == 80);
    CHECK(result.rows[0].passes());
    CHECK_FALSE(result.rows[1].passes());
    CHECK_FALSE(result.passes());
    REQUIRE(result.rows[1].smallest);
    CHECK(result.rows[1].smallest->point.text().size() <= 5);
}

TEST_CASE("a control has to be refuted", "[engine]") {
    Check wrong = named("control.wrong", square_row(1e-6));
    Check right = named("control.right", square_row(0.0));
    wrong.kind = right.kind = Kind::control;
    const RunResult refuted = run_checks({&wrong, 1}, {}, {});
    CHECK(refuted.passes());
    CHECK(refuted.rows[0].trials.size() == 1);  // one point is enough
    CHECK_FALSE(run_checks({&right, 1}, {}, {}).passes());
}

TEST_CASE("hard cases come first and belong to their row", "[engine]") {
    Check row = named("spot", square_row(0.0));
    row.evaluate = [](const Point& point) {
        return point["x"] == 7.25 ? exactly(0.0) : Enclosure{0.0, 1e6};
    };
    const std::vector<Check> rows{row, named("other", square_row(0.0))};
    CHECK(run_checks(rows, {}, {}).passes());
    const std::vector<HardCase> cases{{"spot", {{"x", 7.25}}, "found once"}};
    const RunResult result = run_checks(rows, cases, {});
    CHECK_FALSE(result.passes());
    CHECK(result.rows[0].hard_cases == 1);
    CHECK(result.rows[0].trials.front().point == cases.front().point);
    CHECK(result.rows[1].passes());
}

TEST_CASE("threads do not change what is tried, and the seed does", "[engine]") {
    Check searched = named("searched", square_row(0.0, Relation::at_least));
    searched.searched = true;
    searched.evaluate = [](const Point&) { return exactly(101.0); };
    const std::vector<Check> rows{named("random", square_row(0.0)), searched};
    RunOptions one;
    one.threads = 1;
    RunOptions two = one;
    two.threads = 2;
    const RunResult a = run_checks(rows, {}, one);
    const RunResult b = run_checks(rows, {}, two);
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(same_trials(a.rows[i], b.rows[i]));
    two.seed = 2;
    CHECK_FALSE(same_trials(a.rows[0], run_checks(rows, {}, two).rows[0]));
    // The search goes to x = 10, where the margin is smallest.
    CHECK(a.rows[1].closest()->point["x"] > 9.5);
}

TEST_CASE("an interrupted run keeps what it has and resumes to the same trials", "[engine]") {
    const ScratchFolder folder("engine");
    std::vector<Check> rows{named("a", square_row(0.0)), named("b", square_row(0.0))};
    RunOptions options;
    options.threads = 1;
    const RunResult whole = run_checks(rows, {}, options);
    std::atomic<bool> stop = false;
    options.journal = folder.path() / "journal.jsonl";
    options.stop = &stop;
    options.progress = [&](std::size_t done, std::size_t) { stop = done >= 24; };
    const RunResult part = run_checks(rows, {}, options);
    CHECK(part.interrupted);
    CHECK(part.points >= 24);
    CHECK(part.points < 80);
    stop = false;
    options.progress = {};
    options.resume = true;
    int asked = 0;
    for (Check& row : rows)
        row.evaluate = [&asked, evaluate = row.evaluate](const Point& point) {
            ++asked;
            return evaluate(point);
        };
    const RunResult rest = run_checks(rows, {}, options);
    CHECK_FALSE(rest.interrupted);
    CHECK(static_cast<std::size_t>(asked) == 80 - part.points);
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(same_trials(whole.rows[i], rest.rows[i]));
}

TEST_CASE("a budget that is left goes into further points", "[engine]") {
    const Check row = named("a", square_row(0.0));
    RunOptions options;
    options.budget = 0.2;
    CHECK(run_checks({&row, 1}, {}, options).points > 80);
}
