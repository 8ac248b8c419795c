#include "assay/pld/grid_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/pld/discretise.hpp"

namespace assay {

namespace {

/// Bytes that a convolution and its sums take for each point of the longest array.
constexpr double bytes_per_point = 200.0;
/// The finest geometric grid.
constexpr double finest_spacing = 5e-4;

/// First steps of the uniform grid, in parts of the deviation of one factor's loss.
constexpr double ordinary_step = 0.05;
constexpr double coarse_step = 0.8;

constexpr int most_passes = 6;
/// A pass that leaves more than this part of the gap has not helped.
constexpr double no_progress = 0.95;

double admitted_step(double step) {
    return short_step(std::clamp(step, 1e-9, 1.0));
}

}  // namespace

double PldOptions::aimed_gap() const {
    return std::min(relative_gap, cheap_gap);
}

double PldOptions::negligible_part() const {
    return std::max(0.01 * aimed_gap(), std::min(1e-5, 0.1 * aimed_gap()));
}

double PldOptions::allowed_part() const {
    return std::max(0.1 * aimed_gap(), std::min(1e-4, 0.2 * aimed_gap()));
}

GridSearch::GridSearch(const PldOptions& options, const CompositionPlan& plan, double known_gap)
    : options_(options), plan_(plan), previous_gap_(known_gap) {
    require(options_.relative_gap > 0.0 && options_.relative_gap < 1.0, "relative gap",
            options_.relative_gap, "0 < gap < 1");
    require(options_.smallest_delta > 0.0 && options_.smallest_delta < 1.0, "smallest delta",
            options_.smallest_delta, "0 < delta < 1");
    const double points = static_cast<double>(options_.most_bytes) / bytes_per_point;
    require(points >= 1024.0, "memory", static_cast<double>(options_.most_bytes),
            "at least 204800 bytes");
    while (2.0 * static_cast<double>(most_points_) <= points && most_points_ < (1U << 22U))
        most_points_ *= 2;
    resolution_.spacing = 0.024;
    resolution_.step = admitted_step((std::isfinite(known_gap) ? coarse_step : ordinary_step) *
                                     plan_.scale() / std::sqrt(plan_.factors()));
    while (resolution_.step < 1.0 && !(fits(resolution_) && is_affordable(resolution_)))
        resolution_.step = admitted_step(2.0 * resolution_.step);
}

/// The blocks must fit as well as the transform does.
bool GridSearch::fits(const PldResolution& r) const {
    return plan_.points(r) * 32.0 <= static_cast<double>(options_.most_bytes);
}

bool GridSearch::is_affordable(const PldResolution& r) const {
    return spent_ + plan_.products_of_cells(r) <= options_.most_products;
}

/// The finest spacing whose doublings the effort still allows.
double GridSearch::cheapest_spacing() const {
    PldResolution trial = resolution_;
    trial.spacing = finest_spacing;
    while (trial.spacing < 0.04 && spent_ + plan_.products(trial) > options_.most_products)
        trial.spacing *= 1.1;
    return trial.spacing;
}

double GridSearch::step_part() const {
    return plan_.geometric() ? 0.4 : 0.9;  // 0.5 for the geometric grid, the rest is reserve
}

bool GridSearch::goes_on(double gap, double by_step, double by_spacing) {
    ++passes_;
    if (gap <= options_.aimed_gap()) return false;
    const double finer = options_.relative_gap / options_.aimed_gap();
    const bool falls = passes_ == 1 || gap < 0.5 * previous_gap_;
    if (finer > 1.0 && passes_ < most_passes && gap < 0.1 && falls &&
        refine_cheaply(1.05 * finer * by_step, 1.05 * finer * by_spacing)) {
        previous_gap_ = gap;
        return true;
    }
    if (gap <= options_.relative_gap) return false;
    if (passes_ == most_passes) {
        note_ = "the grids were refined as often as is allowed";
        return false;
    }
    if (passes_ > 1 && !std::isfinite(gap)) {
        note_ = "losses are larger than the grids hold";
        return false;
    }
    if (passes_ > 1) {  // once told apart, neither error is let grow again
        by_step = std::max(by_step, 1.0);
        by_spacing = std::max(by_spacing, 1.0);
    }
    if (gap > no_progress * previous_gap_) {
        if (has_stalled_ || gap > 0.9) {
            note_ = "finer grids no longer help: losses are too large or roundings too many";
            is_stuck_ = true;
            return false;
        }
        has_stalled_ = true;
        by_step = std::max(by_step, 3.0);
        by_spacing = std::max(by_spacing, 3.0);
    }
    previous_gap_ = gap;
    return refine(1.05 * by_step, 1.05 * by_spacing);
}

double GridSearch::products(const PldResolution& r) const {
    return plan_.products(r) + plan_.products_of_cells(r);
}

PldResolution GridSearch::refined(double by_step, double by_spacing) const {
    PldResolution finer = resolution_;
    finer.spacing /= std::sqrt(std::clamp(by_spacing, 0.25, 400.0));
    finer.step = admitted_step(finer.step / std::sqrt(std::clamp(by_step, 0.25, 400.0)));
    return finer;
}

/// A pass that takes a small part of the effort, or none.
bool GridSearch::refine_cheaply(double by_step, double by_spacing) {
    PldResolution finer = refined(by_step, by_spacing);
    if (passes_ > 1) finer.spacing = std::min(finer.spacing, resolution_.spacing);
    const double transform = 1500.0 * plan_.scale() / finer.step;  // 15 scales of 100 products
    const double cost = products(finer) + transform;
    if (finer.spacing < finest_spacing || cost > 0.1 * options_.most_products || !fits(finer))
        return false;
    spent_ += products(resolution_);
    resolution_ = finer;
    return true;
}

bool GridSearch::refine(double by_step, double by_spacing) {
    spent_ += products(resolution_);
    PldResolution finer = refined(by_step, by_spacing);
    finer.spacing = std::max({finer.spacing, finest_spacing, cheapest_spacing()});
    // As fine as memory and effort allow.
    const bool lacks_memory = !fits(finer);
    const bool lacks_effort = !is_affordable(finer);
    while (!(fits(finer) && is_affordable(finer)) && finer.step < resolution_.step)
        finer.step = short_step(std::min(1.1 * finer.step, 1.0));
    const bool is_finer =
        finer.step < 0.95 * resolution_.step || finer.spacing < 0.95 * resolution_.spacing;
    if ((lacks_memory || lacks_effort) && !(is_finer && fits(finer) && is_affordable(finer))) {
        note_ = fmt::format("the gap asked for needs a finer grid than the {} allows",
                            lacks_memory ? "memory" : "effort");
        return false;
    }
    if (by_spacing > 1.0 && by_step <= 1.05 && finer.spacing > 0.95 * resolution_.spacing) {
        note_ = "the gap asked for needs a finer grid than the effort allows";
        return false;
    }
    resolution_ = finer;
    return true;
}

}  // namespace assay
