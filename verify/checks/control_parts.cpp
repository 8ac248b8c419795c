#include "verify/checks/control_parts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace assay::verify {

namespace {

constexpr int most_points = 200;

Against held_to(const char* quantity, Method method, Relation relation) {
    return {oracle_name(quantity, method), oracle_truth(quantity, method), relation};
}

}  // namespace

Against bounds(const char* quantity, Method method) {
    return held_to(quantity, method, Relation::at_least);
}
Against below(const char* quantity, Method method) {
    return held_to(quantity, method, Relation::at_most);
}
Against encloses(const char* quantity, Method method) {
    return held_to(quantity, method, Relation::encloses);
}

Control control(const char* what, std::string claim, Against oracle, Space space, Subject wrong,
                Subject mended) {
    Check row;
    row.id = fmt::format("control.{}", what);
    row.claim = std::move(claim);
    row.subject = "known to be wrong";
    row.oracle = std::move(oracle.name);
    row.relation = oracle.relation;
    row.kind = Kind::control;
    row.space = std::move(space);
    row.quick_points = most_points;
    row.full_points = most_points;
    row.evaluate = std::move(wrong);
    row.truth = std::move(oracle.truth);
    return {std::move(row), std::move(mended)};
}

Enclosure near(long double value, long double margin) {
    const long double slack = margin * std::abs(value);
    return enclose_between(value - slack, value + slack);
}

std::vector<Control> all_controls() {
    std::vector<Control> all;
    for (auto* list : {taylor_controls, moment_controls, divergence_controls, arithmetic_controls,
                       with_replacement_controls, conversion_controls, published_controls,
                       balls_and_bins_controls, order_statistics_controls, local_privacy_controls,
                       langevin_controls, batch_sampling_controls, training_controls,
                       one_jump_controls, neighbour_controls})
        for (Control& one : list()) all.push_back(std::move(one));
    return all;
}

}  // namespace assay::verify
