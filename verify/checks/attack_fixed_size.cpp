#include <algorithm>
#include <cmath>

#include "assay/rdp/one_step.hpp"
#include "verify/checks/attack_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

constexpr const char* exact = "exact.fixed_size_without_replacement";

ClaimedValue exact_upper() {
    return library_subject(exact);
}

ClaimedValue one_step_bound(Bound OneStep::*bound) {
    return [=](const Point& p) {
        const FixedSizeGaussian mechanism{p["sigma"], p["q"]};
        const OneStep step = one_step_rdp(mechanism, Adjacency::replace_one, p["alpha"]);
        return exactly((step.*bound).value);
    };
}

ClaimedValue with_terms(const char* quantity, double terms) {
    return [=](const Point& p) {
        Point q = p;
        q.set("m", terms);
        return library_answer(std::string_view(quantity), q);
    };
}

Attained plane(Shifts (*shifts)(const Point&)) {
    return pair_divergence([=](const Point& p) { return attack_of(p, shifts(p)); });
}

/// Shifts x and y in units of 2/sigma belong to three clipped numbers.
bool in_one_interval(const Point& p) {
    const double x = p["x"];
    const double y = p["y"];
    return std::max({0.0, x, y}) - std::min({0.0, x, y}) <= 1.0;
}

std::vector<Check> theorem_1() {
    const Space line =
        space_of({order_dimension(1.001, 256.0), noise_dimension("sigma", 0.3, 100.0),
                  probability_dimension(1e-6, 0.999)},
                 {linear_dimension("x", -1.0, 1.0, {-1.0, -0.5, 0.0, 0.5, 1.0}),
                  linear_dimension("y", -1.0, 1.0, {-1.0, -0.5, 0.0, 0.5, 1.0})},
                 in_one_interval);
    const Space flat = space_of(attack_dimensions(), plane_points(), affordable);
    const Space space = space_of(attack_dimensions(), space_points(), affordable);
    const char* claim = "three clipped vectors: F(u,v) <= H (docs/proofs.md, Theorem 1)";
    const char* upper = "library: exact.fixed_size_without_replacement";
    Check wide =
        attack_row("attack.theorem_1.line", claim, upper,
                   oracle_name("exact.replace_one_collinear", Method::trapezoid), line, 80, 1200,
                   exact_upper(), oracle_truth("exact.replace_one_collinear", Method::trapezoid));
    return {
        wide,
        attack_row("attack.theorem_1.plane", claim, upper, "explicit pair in the plane", flat, 160,
                   6000, exact_upper(), plane(fixed_size_in_plane)),
        attack_row("attack.theorem_1.space", claim, upper, "explicit pair in space", space, 160,
                   6000, exact_upper(), plane(fixed_size_in_space)),
        attack_row("attack.one_step.fixed_size_upper",
                   "the best upper bound of a replace-one step withstands clipped vectors",
                   "library: one_step_rdp, upper", "explicit pair in space", space, 40, 1200,
                   one_step_bound(&OneStep::upper), plane(fixed_size_in_space)),
        attack_row("attack.one_step.fixed_size_published", "so does the best published bound",
                   "library: one_step_rdp, published_upper", "explicit pair in space", space, 40,
                   1200, one_step_bound(&OneStep::published_upper), plane(fixed_size_in_space)),
    };
}

/// Bounds that use the pairwise distances alone: the equilateral triangle is admitted here.
std::vector<Check> by_distance_alone() {
    const Space space = space_of(attack_dimensions(), distance_points(), within_distance);
    const char* example = "explicit pair in the plane, |u|, |v|, |u-v| <= 2/sigma";
    return {
        attack_row("attack.profile.plane",
                   "the profile bound needs the distances alone (docs/proofs.md, Theorem 5)",
                   "library: profile.fixed_size_replace_one", example, space, 120, 4000,
                   library_subject("profile.fixed_size_replace_one"), plane(by_distances)),
        attack_row("attack.thm_3_4.plane", "birrell2024 Theorem 3.4 needs the distances alone",
                   "library: Theorem 3.4, m = 4", example, space, 80, 1000,
                   with_terms("birrell2024.thm_3_4", 4.0), plane(by_distances)),
        attack_row("attack.wang2019.plane", "wang2019 Theorem 9 needs the distances alone",
                   "library: wang2019.upper", example, space, 80, 1000,
                   library_subject("wang2019.upper"), plane(by_distances)),
    };
}

}  // namespace

std::vector<Check> fixed_size_attacks() {
    std::vector<Check> rows = theorem_1();
    for (Check& check : by_distance_alone()) rows.push_back(std::move(check));
    return rows;
}

}  // namespace assay::verify
