#pragma once
#include <functional>
#include <string>

#include "verify/check.hpp"

namespace assay::verify {

/// A row about the part of the library that the id names, without its two sides.
[[nodiscard]] Check library_row(std::string id, std::string claim, Relation relation, Space space,
                                int quick, int full);

/// The families of oracles, in the order of oracle.hpp.
enum class Method { sum, formula, trapezoid, arb };

[[nodiscard]] std::string_view to_string(Method method);

/// The oracle of that quantity by that method, as a row's truth. Throws Error when there is none.
[[nodiscard]] std::function<Interval(const Point&, long)> oracle_truth(std::string_view quantity,
                                                                       Method method);

/// The first oracle of the quantity that covers the point asked.
[[nodiscard]] std::function<Interval(const Point&, long)> any_oracle(std::string_view quantity);

/// What the library answers, as a row's subject.
[[nodiscard]] std::function<Enclosure(const Point&)> library_subject(std::string quantity);

/// "library: <quantity>" beside "<method>: <quantity>".
[[nodiscard]] std::string oracle_name(std::string_view quantity, Method method);

}  // namespace assay::verify
