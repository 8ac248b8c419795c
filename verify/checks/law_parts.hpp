#pragma once
#include <functional>
#include <string>
#include <vector>

#include "verify/check.hpp"

namespace assay::verify {

// Distributions hold the library to itself. Both sides of "small <= large" are enclosures, so only
// lower(small) > upper(large) contradicts it, and that is a violation for certain.

using Side = std::function<Interval(const Point&)>;

/// The statement small <= large.
[[nodiscard]] Check at_most_law(std::string id, std::string claim, Space space, int quick, int full,
                                Side small, Side large);
/// The statement a = b: the two enclosures have a point in common.
[[nodiscard]] Check equality_law(std::string id, std::string claim, Space space, int quick,
                                 int full, Side a, Side b);

/// What `assay eval` answers for the quantity.
[[nodiscard]] Side answer(std::string quantity);
/// The same at the point changed by `change`.
[[nodiscard]] Side answer(std::string quantity, std::function<void(Point&)> change);

constexpr long distribution_bits = 64;
[[nodiscard]] Interval interval_of(const Enclosure& x);
[[nodiscard]] Enclosure enclosure_of(const Interval& x);

/// A relative step between two values of one parameter: 1e-12 .. 1.
[[nodiscard]] Dimension step_dimension();
/// The parameter moved away by p["step"]: orders from 1, noise and counts upward, q towards 1.
[[nodiscard]] double larger_order(const Point& point);
[[nodiscard]] double larger_probability(const Point& point);
[[nodiscard]] double larger(const Point& point, const char* name);

// The lists of law_rows(), one file each.
[[nodiscard]] std::vector<Check> divergence_laws();
[[nodiscard]] std::vector<Check> sampler_laws();
[[nodiscard]] std::vector<Check> bound_laws();
[[nodiscard]] std::vector<Check> conversion_laws();
[[nodiscard]] std::vector<Check> accounting_laws();
[[nodiscard]] std::vector<Check> composition_laws();
[[nodiscard]] std::vector<Check> bracket_laws();
[[nodiscard]] std::vector<Check> sequence_laws();
[[nodiscard]] std::vector<Check> trade_off_laws();

}  // namespace assay::verify
