#pragma once
#include <functional>
#include <string>

#include "assay/numeric/directed.hpp"
#include "verify/checks/routes.hpp"

namespace assay::verify {

/// An answer in extended precision, and the error that its documentation admits.
struct RealAnswer {
    real value = 0.0L;
    real budget = 0.0L;
};

/// |answer - truth| <= budget, on the scale of the last digits of `real`, which outward-rounded
/// doubles would not show.
[[nodiscard]] inline Check budget_row(std::string id, std::string claim, Space space, int quick,
                                      int full, std::function<RealAnswer(const Point&)> answer,
                                      std::string oracle,
                                      std::function<Interval(const Point&, long)> truth) {
    Check row = library_row(std::move(id), std::move(claim), Relation::at_least, std::move(space),
                            quick, full);
    row.oracle = std::move(oracle) + ": its distance over the error admitted";
    row.evaluate = [](const Point&) { return exactly(1.0); };
    row.truth = [answer = std::move(answer), truth = std::move(truth)](const Point& p, long bits) {
        const RealAnswer x = answer(p);
        const Interval distance =
            abs(truth(p, bits + 128) - Interval::extended(x.value, bits + 128));
        return distance / Interval::extended(x.budget, bits + 128);
    };
    return row;
}

}  // namespace assay::verify
