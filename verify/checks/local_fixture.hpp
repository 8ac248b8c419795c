#pragma once
#include <string_view>

#include "assay/formulas/arguments.hpp"
#include "assay/ldp/restricted_response.hpp"
#include "assay/numeric/enclosure.hpp"
#include "verify/oracles/local_posterior.hpp"
#include "verify/oracles/local_utilities.hpp"
#include "verify/space.hpp"

namespace assay::verify {

// Points name a mechanism by K, k, eps and kappa; S, the frequencies and the answers are drawn from
// the coordinate "seed", so that a point says all there is to it.

[[nodiscard]] Dimension categories_dimension(double low, double high);
[[nodiscard]] Dimension local_epsilon_dimension(double high = 50.0);
[[nodiscard]] Dimension share_dimension(double low = 0.0, double high = 1.0);
[[nodiscard]] Dimension seed_dimension();

/// K <= `most`, k <= K - `left_out`, eps and kappa.
[[nodiscard]] Space mechanism_space(double most, double left_out = 0.0);
/// The same with frequencies over `spread` decades of which a share `zeros` are 0, "falling" or in
/// any order, and a seed; 0 < kappa < 1 where `regular`: no utility is infinite then.
[[nodiscard]] Space population_space(double most, double left_out, bool regular);
/// With a coordinate "edge" that moves kappa to where a case of epsilon_2 begins, to the rounding
/// of a double: 1 at eps - eps1 = ln(K - k), 2 at epsilon_2 = eps.
[[nodiscard]] Space at_edges(Space space);
/// With a coordinate "between" that moves kappa between these two edges, where the bound of Theorem
/// 1 exceeds epsilon and epsilon_2 is epsilon; eps from ln(K - k), so that both exist, to 8.
[[nodiscard]] Space between_edges(Space space);

[[nodiscard]] Draws draws_at(const Point& point, std::string_view name);

/// S = {0 .. k-1}.
[[nodiscard]] LocalMechanism mechanism_at(const Point& point);
/// Frequencies as integers, at least two positive and not all equal: falling ones with S the first
/// k ("falling" = 1), or any with any k categories.
[[nodiscard]] LocalPopulation population_at(const Point& point);
/// "n" answers to sets of any sizes below K.
[[nodiscard]] LocalAnswers answers_at(const Point& point);
/// `count` positive numbers with few digits.
[[nodiscard]] std::vector<double> positive_numbers(const Point& point, std::string_view name,
                                                   int count);

[[nodiscard]] RestrictedResponse library_mechanism(const LocalMechanism& mechanism);

// Parameters of `assay eval`, all that a quantity may ask for; categories from 1.
[[nodiscard]] formulas::Arguments arguments_of(const LocalMechanism& mechanism);
[[nodiscard]] formulas::Arguments arguments_of(const LocalPopulation& population);
[[nodiscard]] formulas::Arguments arguments_of(const LocalAnswers& answers,
                                               const std::vector<double>& rho);

/// Value number `part` of what `assay eval` answers.
[[nodiscard]] Enclosure local_answer(std::string_view quantity,
                                     const formulas::Arguments& arguments, std::size_t part = 0);

}  // namespace assay::verify
