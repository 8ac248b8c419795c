#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "verify/check.hpp"
#include "verify/oracles/lemma_cells.hpp"
#include "verify/oracles/lemma_plane.hpp"

namespace assay::verify {

// Attacks hold a theorem to explicit examples that its setting allows. The subject is the claimed
// bound, the truth a rigorous lower end of what the example attains: any excess is a refutation.

using ClaimedValue = std::function<Enclosure(const Point&)>;
using Attained = std::function<Interval(const Point&, long bits)>;

/// claimed >= attained, searched for the smallest margin.
[[nodiscard]] Check attack_row(std::string id, std::string claim, std::string subject,
                               std::string example, Space space, int quick, int full,
                               ClaimedValue claimed, Attained attained);
/// One number against another, for lemmas: left >= right; both from enclosures, so that only a
/// certain contradiction counts.
[[nodiscard]] Check lemma_row(std::string id, std::string claim, std::string subject,
                              std::string other, Relation relation, Space space, int quick,
                              int full, ClaimedValue left, Attained right);

/// A divergence D >= `lower` of a pair of mixtures, or of the pair in the other order.
[[nodiscard]] Attained pair_divergence(std::function<lemma::MomentAttack(const Point&)> pair);

/// Orders, noise and probabilities at which a pair in the plane takes milliseconds and F - 1 is
/// not lost in rounding: alpha (2/sigma) <= 24, alpha (alpha-1) q^2 / sigma^2 >= 1e-10.
[[nodiscard]] std::vector<Dimension> attack_dimensions(double top_order = 64.0);
[[nodiscard]] std::vector<Dimension> noise_and_probability();
[[nodiscard]] bool affordable(const Point& point);

/// Two shifts.
struct Shifts {
    lemma::real u1, u2, v1, v2;
};
/// Three clipped vectors: x on the first axis at rx, x' at ry and angle ty, c at rc and tc, radii
/// relative to the clip norm; u = x-c, v = x'-c. Every three points of the plane, turned.
[[nodiscard]] std::vector<Dimension> plane_points();
[[nodiscard]] Shifts fixed_size_in_plane(const Point& point);
/// The same in space: c at longitude tc, latitude pc. Three points span a plane: u and v are
/// turned into it.
[[nodiscard]] std::vector<Dimension> space_points();
[[nodiscard]] Shifts fixed_size_in_space(const Point& point);
/// Two shifts of at most 2/sigma with a difference of at most that: lengths lu, lv, angle tv.
[[nodiscard]] std::vector<Dimension> distance_points();
[[nodiscard]] bool within_distance(const Point& point);
[[nodiscard]] Shifts by_distances(const Point& point);
/// x and x' themselves (Poisson sampling).
[[nodiscard]] std::vector<Dimension> poisson_points();
[[nodiscard]] Shifts poisson_in_plane(const Point& point);

[[nodiscard]] lemma::MomentAttack attack_of(const Point& point, const Shifts& shifts);
/// (1-q) N(0, I) + q N(u, I) and the same with v, on count x count cells of the plane.
[[nodiscard]] std::pair<lemma::PlaneDistribution, lemma::PlaneDistribution> mixtures_on_cells(
    lemma::real q, const Shifts& shifts, int count);
/// Cells reach so far beyond the outermost mean.
constexpr lemma::real cells_beyond = 9;
[[nodiscard]] Dimension fraction(const char* name, double low = 0.0);
[[nodiscard]] Dimension angle(const char* name);
[[nodiscard]] Space space_of(std::vector<Dimension> first, const std::vector<Dimension>& second,
                             std::function<bool(const Point&)> admits);

// The lists of attack_rows(), one file each.
[[nodiscard]] std::vector<Check> fixed_size_attacks();
[[nodiscard]] std::vector<Check> poisson_attacks();
[[nodiscard]] std::vector<Check> with_replacement_attacks();
[[nodiscard]] std::vector<Check> hockey_stick_attacks();
[[nodiscard]] std::vector<Check> one_jump_attacks();
[[nodiscard]] std::vector<Check> neighbour_attacks();
[[nodiscard]] std::vector<Check> interpolation_lemmas();
[[nodiscard]] std::vector<Check> logistic_lemmas();
[[nodiscard]] std::vector<Check> mixture_lemmas();
[[nodiscard]] std::vector<Check> accounting_lemmas();

}  // namespace assay::verify
