#pragma once
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"
#include "verify/space.hpp"

namespace assay::verify {

/// A sampler and an adjacency, by the coordinate "setting": 0, 1 no sampling under add/remove and
/// replace-one; 2, 3 Poisson; 4, 5 fixed size without replacement; 6 with replacement, 8 draws
/// from about 8/q records, add/remove.
struct Setting {
    Mechanism mechanism;
    Adjacency adjacency;
};

[[nodiscard]] Setting setting_at(long number, double noise, double probability);
/// At the coordinates setting, sigma and q.
[[nodiscard]] Setting setting_at(const Point& point);
/// At the coordinates sigma and q.
[[nodiscard]] Mechanism poisson_at(const Point& point);
[[nodiscard]] Mechanism fixed_size_at(const Point& point);
[[nodiscard]] Dimension setting_dimension(double first = 0.0, double last = 6.0);

}  // namespace assay::verify
