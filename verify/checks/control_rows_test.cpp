#include <catch2/catch.hpp>
#include <set>

#include "verify/checks/control_parts.hpp"
#include "verify/judge.hpp"
#include "verify/rows.hpp"

using namespace assay::verify;

namespace {

constexpr std::uint64_t seeds[] = {1, 2};

/// The draw at which it was refuted, or its number of points.
int refuted_at(const Check& row, std::uint64_t seed) {
    for (int i = 0; i < row.quick_points; ++i) {
        const Point point = draw(row.space, seed, row.id, static_cast<std::uint64_t>(i));
        if (judge(row, point).verdict == Verdict::violated) return i;
    }
    return row.quick_points;
}

}  // namespace

TEST_CASE("every control is refuted within its points", "[controls]") {
    for (const Check& row : control_rows()) {
        CAPTURE(row.id);
        for (const std::uint64_t seed : seeds) CHECK(refuted_at(row, seed) < row.quick_points);
    }
}

TEST_CASE("mended controls hold: it is the mistake that is refuted", "[controls]") {
    constexpr std::uint64_t points = 25;
    int mended = 0;
    for (Control& one : all_controls()) {
        if (!one.mended) continue;
        ++mended;
        one.row.evaluate = one.mended;
        CAPTURE(one.row.id);
        for (std::uint64_t i = 0; i < points; ++i) {
            const Trial trial = judge(one.row, draw(one.row.space, 1, one.row.id, i));
            CAPTURE(trial.point.text(), trial.subject.lower, trial.subject.upper,
                    trial.truth_lower);
            CHECK(trial.verdict == Verdict::holds);
        }
    }
    CHECK(mended >= 40);
}

TEST_CASE("controls are controls with a name of their own", "[controls]") {
    std::set<std::string> ids;
    for (const Check& row : control_rows()) {
        CHECK(row.kind == Kind::control);
        CHECK(row.id.starts_with("control."));
        CHECK(ids.insert(row.id).second);
    }
    CHECK(ids.size() >= 34);
}

TEST_CASE("an engine that finds nothing does not pass a control", "[controls]") {
    // The mended formula in the place of the wrong one survives, and that is a failure.
    for (Control& one : all_controls()) {
        if (one.row.id != "control.divided_by_alpha") continue;
        one.row.evaluate = one.mended;
        one.row.quick_points = 20;
        CHECK(refuted_at(one.row, 1) == 20);
    }
}
