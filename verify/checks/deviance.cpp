#include "verify/checks/deviance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/checks/routes.hpp"

namespace assay::verify {

double deviance(double count, double trials, double probability) {
    const auto part = [](double seen, double expected) {
        if (seen == 0.0) return 0.0;
        if (expected <= 0.0) return std::numeric_limits<double>::infinity();
        return seen * std::log(seen / expected);
    };
    return std::max(0.0, part(count, trials * probability) +
                             part(trials - count, trials * (1.0 - probability)));
}

void Events::add(double count, double trials, const Interval& probability) {
    largest_ = std::max(largest_, deviance(count, trials, probability.upper_double()));
    events_ += 1.0;
}

double Events::worst() const {
    return largest_ / std::log(2.0 * events_ / false_alarm);
}

Check limit_row(std::string id, std::string claim, std::string oracle, Space space, int quick,
                int full, double most, std::function<double(const Point&)> measure) {
    Check row = library_row(std::move(id), std::move(claim), Relation::at_most, std::move(space),
                            quick, full);
    row.oracle = std::move(oracle);
    row.evaluate = [measure = std::move(measure)](const Point& p) { return exactly(measure(p)); };
    row.truth = [most](const Point&, long bits) { return Interval(most, bits); };
    return row;
}

Check events_row(std::string id, std::string claim, Space space, int quick, int full,
                 std::function<Events(const Point&)> count) {
    Check row = limit_row(std::move(id), std::move(claim),
                          "exact distribution; 1: what chance exceeds once in 1e9",
                          std::move(space), quick, full, 1.0,
                          [count = std::move(count)](const Point& p) { return count(p).worst(); });
    row.subject += ": largest deviance of the counts";
    return row;
}

}  // namespace assay::verify
