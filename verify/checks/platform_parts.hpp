#pragma once
#include <functional>
#include <string>
#include <vector>

#include "verify/check.hpp"

namespace assay::verify {

/// A row "platform.<name>" whose points are seeds: each gives a block of arguments, `worst` their
/// largest error in `unit`, and the budget is what it may be.
[[nodiscard]] Check platform_row(const std::string& name, std::string claim,
                                 const std::string& unit, int quick, int full, double budget,
                                 std::function<double(const Point&)> worst);

/// The block's random numbers.
[[nodiscard]] Draws argument_draws(const Point& point, std::string_view name);

/// + - * / and square roots.
[[nodiscard]] std::vector<Check> platform_arithmetic_rows();
/// Boost's quantiles.
[[nodiscard]] std::vector<Check> platform_boost_rows();
/// Boost's functions of numbers with 50 and 100 digits.
[[nodiscard]] std::vector<Check> platform_digits_rows();

}  // namespace assay::verify
