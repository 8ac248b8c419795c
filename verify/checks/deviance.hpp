#pragma once
#include <functional>
#include <string>
#include <vector>

#include "verify/check.hpp"

namespace assay::verify {

// Counts of events in independent trials, against the exact probability of each event. With m
// trials and a share s of them, P(m KL(s || p) >= x) <= 2 e^-x (Chernoff and Hoeffding), whatever m
// and p are: no normal approximation stands between a row and its level.

/// A right sampler fails a row at one point with at most this probability.
constexpr double false_alarm = 1e-9;

/// m KL(s || p), s = count / trials; inf where the event was impossible or certain, and was not so.
[[nodiscard]] double deviance(double count, double trials, double probability);

/// The events of a row at one point, which may depend on each other.
class Events {
public:
    void add(double count, double trials, const Interval& probability);

    /// The largest deviance over ln(2 events / false_alarm).
    [[nodiscard]] double worst() const;

private:
    double largest_ = 0.0;
    double events_ = 0.0;
};

/// A row whose subject is Events::worst(): at most 1.
[[nodiscard]] Check events_row(std::string id, std::string claim, Space space, int quick, int full,
                               std::function<Events(const Point&)> count);

/// A row whose subject is a number that a right program keeps at or below `most`.
[[nodiscard]] Check limit_row(std::string id, std::string claim, std::string oracle, Space space,
                              int quick, int full, double most,
                              std::function<double(const Point&)> measure);

}  // namespace assay::verify
