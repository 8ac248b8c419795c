#include "verify/judge.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "verify/test_rows.hpp"

using namespace assay::verify;
using namespace assay::verify::testing;

namespace {

const Point at_third{{"x", 1.0 / 3.0}};

}  // namespace

TEST_CASE("a right answer holds and a wrong one is violated on either side", "[judge]") {
    CHECK(judge(square_row(0.0), at_third).verdict == Verdict::holds);
    CHECK(judge(square_row(1e-15), at_third).verdict == Verdict::violated);
    CHECK(judge(square_row(-1e-15), at_third).verdict == Verdict::violated);
    CHECK(judge(square_row(1e-15, Relation::at_least), at_third).verdict == Verdict::holds);
    CHECK(judge(square_row(-1e-15, Relation::at_least), at_third).verdict == Verdict::violated);
    CHECK(judge(square_row(-1e-15, Relation::at_most), at_third).verdict == Verdict::holds);
    CHECK(judge(square_row(1e-15, Relation::at_most), at_third).verdict == Verdict::violated);
    CHECK(judge(square_row(1e-10, Relation::overlaps), at_third).verdict == Verdict::violated);
    CHECK(judge(square_row(0.0, Relation::overlaps), at_third).verdict == Verdict::holds);
}

TEST_CASE("a single unit in the last place is seen", "[judge]") {
    Check row = square_row(0.0, Relation::at_least);
    const double above = std::fma(1.0 / 3.0, 1.0 / 3.0, 0.0);  // the nearest double
    const Interval exact = square(Interval(1.0 / 3.0, 200));
    const double up = exact.upper_double();
    CHECK(std::abs(up - above) <= std::nextafter(above, 1.0) - above);
    row.evaluate = [up](const Point&) { return assay::exactly(up); };
    CHECK(judge(row, at_third).verdict == Verdict::holds);
    row.evaluate = [up](const Point&) { return assay::exactly(std::nextafter(up, 0.0)); };
    CHECK(judge(row, at_third).verdict == Verdict::violated);
}

TEST_CASE("precision is doubled until the oracle decides", "[judge]") {
    Check row = square_row(0.0, Relation::at_least);
    // An oracle that knows 2^-bits/4 of the answer, against a subject 2^-100 above the truth.
    row.evaluate = [](const Point&) { return assay::exactly(1.0); };
    row.truth = [](const Point&, long bits) {
        const Interval gap = power(Interval(0.5, 600), 100);
        const Interval error = power(Interval(0.5, 600), bits / 2);
        const Interval centre = 1.0 - gap;
        return Interval::between(centre - error, centre + error);
    };
    const Trial trial = judge(row, at_third);
    CHECK(trial.verdict == Verdict::holds);
    CHECK(trial.bits == 256);
    JudgeLimits limits;
    limits.last_bits = 128;
    CHECK(judge(row, at_third, limits).verdict == Verdict::undecided);
}

TEST_CASE("an oracle that gets no sharper leaves the point undecided soon", "[judge]") {
    Check row = square_row(0.0);
    int asked = 0;
    row.truth = [&asked](const Point&, long) {
        ++asked;
        return Interval::between(Interval(0.0, 64), Interval(1.0, 64));
    };
    CHECK(judge(row, at_third).verdict == Verdict::undecided);
    CHECK(asked <= 4);
}

TEST_CASE("exceptions and intervals that are none are reported", "[judge]") {
    Check row = square_row(0.0);
    row.evaluate = [](const Point&) -> assay::Enclosure { throw std::runtime_error("no value"); };
    CHECK(judge(row, at_third).verdict == Verdict::violated);
    CHECK(judge(row, at_third).note.find("no value") != std::string::npos);
    row = square_row(0.0);
    row.evaluate = [](const Point&) { return assay::Enclosure{0.0, std::nan("")}; };
    CHECK(judge(row, at_third).verdict == Verdict::violated);
    row = square_row(0.0);
    row.truth = [](const Point&, long) -> Interval { throw std::runtime_error("no truth"); };
    CHECK(judge(row, at_third).verdict == Verdict::undecided);
}

TEST_CASE("an answer wider than the row allows is a violation", "[judge]") {
    Check row = square_row(0.0);
    row.widest = 1e-13;
    CHECK(judge(row, at_third).verdict == Verdict::holds);
    row.evaluate = [](const Point&) { return assay::Enclosure{0.1, 0.2}; };
    CHECK(judge(row, at_third).verdict == Verdict::violated);
    row.narrow_from = 0.111;  // the truth is 1/9
    CHECK(judge(row, at_third).verdict == Verdict::violated);
    row.narrow_from = 0.112;
    CHECK(judge(row, at_third).verdict == Verdict::holds);
    row.evaluate = [](const Point&) { return assay::Enclosure{0.15, 0.2}; };
    CHECK(judge(row, at_third).verdict == Verdict::violated);
}

TEST_CASE("the margin is the relative distance to a violation", "[judge]") {
    Check row = square_row(0.0, Relation::at_least);
    row.evaluate = [](const Point&) { return assay::exactly(3.0); };
    CHECK(judge(row, {{"x", 1.0}}).margin == Approx(2.0));
    row.relation = Relation::at_most;
    CHECK(judge(row, {{"x", 1.0}}).margin == Approx(-2.0));
    row.relation = Relation::encloses;
    row.evaluate = [](const Point&) { return assay::Enclosure{0.75, 1.5}; };
    const Trial trial = judge(row, {{"x", 1.0}});
    CHECK(trial.margin == Approx(0.25));
    CHECK(trial.width == Approx(0.75));
}
