#pragma once
#include <cstddef>
#include <string>

#include "assay/pld/composition_plan.hpp"

namespace assay {

/// What the accountant aims at; it reports what it reached.
struct PldOptions {
    double relative_gap = 1e-3;     // (upper - lower) / upper
    double cheap_gap = 1.0;         // aimed at where that takes a tenth of the effort at most
    double smallest_delta = 1e-12;  // below it the gap is not pursued
    std::size_t most_bytes = std::size_t{1} << 28U;
    double most_products = 1e10;  // of masses, 1 to 2 ns each, beyond which grids are not refined

    /// The closer one of both gaps.
    [[nodiscard]] double aimed_gap() const;
    /// The part of delta that the grids' ends may leave to infinity. It is not much below 1e-5:
    /// ends further out lengthen the transform's window, and with it the rounding.
    [[nodiscard]] double negligible_part() const;
    /// The part of delta that these ends and the rounding may cost together.
    [[nodiscard]] double allowed_part() const;
};

/// The resolutions of a plan's successive passes, each chosen by the gap that the one before left.
/// Only cost and width depend on it: at every resolution both sides are bounds.
///   Cost       counted in products of masses; the plan must outlive the search
///   Throws     DomainError: options out of range
class GridSearch {
public:
    /// `known_gap` is what other methods leave, infinite before them. Where there is one, the
    /// question is far out in the tail, and the first step is coarse: finer ones cost more rounding
    /// than they gain.
    GridSearch(const PldOptions& options, const CompositionPlan& plan, double known_gap);

    /// Whether another pass is worth it, then at a finer resolution. The uniform and the geometric
    /// grid have gaps `by_step` and `by_spacing` times their part of `relative_gap`.
    bool goes_on(double gap, double by_step, double by_spacing);

    [[nodiscard]] const PldResolution& resolution() const { return resolution_; }
    /// Of the transform's window.
    [[nodiscard]] std::size_t most_points() const { return most_points_; }
    /// The part of the gap that the uniform grid may have.
    [[nodiscard]] double step_part() const;
    /// Why `relative_gap` was not reached; empty if it was.
    [[nodiscard]] const std::string& note() const { return note_; }
    /// Whether the search ended because finer grids no longer help.
    [[nodiscard]] bool is_stuck() const { return is_stuck_; }

private:
    [[nodiscard]] bool fits(const PldResolution& resolution) const;
    [[nodiscard]] bool is_affordable(const PldResolution& resolution) const;
    [[nodiscard]] double products(const PldResolution& resolution) const;
    [[nodiscard]] double cheapest_spacing() const;
    [[nodiscard]] PldResolution refined(double by_step, double by_spacing) const;
    bool refine_cheaply(double by_step, double by_spacing);
    bool refine(double by_step, double by_spacing);

    PldOptions options_;
    const CompositionPlan& plan_;
    PldResolution resolution_;
    std::size_t most_points_ = 1024;
    double spent_ = 0.0;  // products of masses
    std::string note_;
    int passes_ = 0;
    double previous_gap_;
    bool has_stalled_ = false;
    bool is_stuck_ = false;
};

}  // namespace assay
