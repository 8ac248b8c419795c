#pragma once
#include <functional>
#include <string>
#include <vector>

#include "verify/check.hpp"
#include "verify/checks/routes.hpp"

namespace assay::verify {

// A control is a formula with exactly one mistake. An engine that cannot refute it proves nothing.
// Most come with the mended formula, which has to hold on the same space: then the refutation is
// due to the mistake, and neither to rounding nor to the oracle.

using Subject = std::function<Enclosure(const Point&)>;
using Truth = std::function<Interval(const Point&, long bits)>;

struct Control {
    Check row;
    Subject mended;  // empty where the mistake is the arithmetic itself
};

/// The oracle that the subject is held to.
struct Against {
    std::string name;
    Truth truth;
    Relation relation;
};

[[nodiscard]] Against bounds(const char* quantity, Method method);    // at_least
[[nodiscard]] Against below(const char* quantity, Method method);     // at_most
[[nodiscard]] Against encloses(const char* quantity, Method method);  // encloses

/// id "control.<what>", refuted within 200 points.
[[nodiscard]] Control control(const char* what, std::string claim, Against oracle, Space space,
                              Subject wrong, Subject mended = {});

/// `value` and what rounding may have done to it: [value - margin |value|, value + margin |value|].
[[nodiscard]] Enclosure near(long double value, long double margin = 1e-9L);

// The lists of control_rows(), one file each.
[[nodiscard]] std::vector<Control> taylor_controls();
[[nodiscard]] std::vector<Control> moment_controls();
[[nodiscard]] std::vector<Control> divergence_controls();
[[nodiscard]] std::vector<Control> arithmetic_controls();
[[nodiscard]] std::vector<Control> with_replacement_controls();
[[nodiscard]] std::vector<Control> conversion_controls();
[[nodiscard]] std::vector<Control> published_controls();
[[nodiscard]] std::vector<Control> balls_and_bins_controls();
[[nodiscard]] std::vector<Control> order_statistics_controls();
[[nodiscard]] std::vector<Control> local_privacy_controls();
[[nodiscard]] std::vector<Control> langevin_controls();
[[nodiscard]] std::vector<Control> batch_sampling_controls();
[[nodiscard]] std::vector<Control> training_controls();
[[nodiscard]] std::vector<Control> one_jump_controls();
[[nodiscard]] std::vector<Control> neighbour_controls();

[[nodiscard]] std::vector<Control> all_controls();

}  // namespace assay::verify
