#pragma once
#include <span>
#include <string>

#include "assay/pld/pld_accountant.hpp"
#include "assay/pld/tilted_bracket.hpp"
#include "verify/check.hpp"
#include "verify/oracles/ratio_product.hpp"

namespace assay::verify {

// What the rows about privacy loss distributions share.

constexpr PayoffSide payoff_sides[] = {PayoffSide::removal, PayoffSide::addition};

[[nodiscard]] const char* name_of(PayoffSide side);

/// One step of the pair at distance shift/sigma, as its divergence of this side sees it.
[[nodiscard]] RatioDistribution ratio_of(PayoffSide side, double q, double shift, double sigma);

/// e^eps at the coordinate eps.
[[nodiscard]] Interval threshold(const Point& point);

/// E (U V - e^eps)_+ to 0.2 % at least.
[[nodiscard]] Interval composed_excess(const RatioDistribution& u, const RatioDistribution& v,
                                       const Point& point);

/// The excess of one distribution over e^eps, or of its square: T is 1 or 2.
[[nodiscard]] Interval repeated_excess(const RatioDistribution& distribution, const Point& point);

/// delta at the coordinate eps, within 5e-4.
[[nodiscard]] DeltaBracket delta_of(std::span<const Phase> phases, Adjacency adjacency,
                                    const Point& point);

/// Coarse grids are bounds as well, and quick.
constexpr PldOptions coarse{
    .relative_gap = 0.05, .smallest_delta = 1e-13, .most_bytes = std::size_t{1} << 22U};

[[nodiscard]] Enclosure side_of(const DeltaBracket& delta, PayoffSide side);

/// q, log-uniform in [1e-3, 0.9].
[[nodiscard]] Dimension sampling_dimension();

/// Half of what T steps lose at most under an addition.
[[nodiscard]] double half_the_largest_loss(double steps, double q);

/// A row that two routes to one number agree within 1 %.
[[nodiscard]] Check composition_row(std::string id, const char* claim, Space space, int quick,
                                    int full);

// Lists of pld_rows(), one file each.
[[nodiscard]] std::vector<Check> pld_one_step_rows();
[[nodiscard]] std::vector<Check> pld_sampled_rows();
[[nodiscard]] std::vector<Check> pld_many_steps_rows();
[[nodiscard]] std::vector<Check> pld_little_noise_rows();
[[nodiscard]] std::vector<Check> pld_near_far_rows();
[[nodiscard]] std::vector<Check> pld_epsilon_rows();
[[nodiscard]] std::vector<Check> pld_grid_rows();
[[nodiscard]] std::vector<Check> pld_chernoff_rows();
[[nodiscard]] std::vector<Check> pld_convolve_rows();
[[nodiscard]] std::vector<Check> pld_one_jump_rows();
[[nodiscard]] std::vector<Check> pld_neighbour_rows();
[[nodiscard]] std::vector<Check> full_batch_rows();

}  // namespace assay::verify
