#pragma once
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "assay/formulas/arguments.hpp"
#include "assay/formulas/parameter.hpp"
#include "assay/numeric/enclosure.hpp"

namespace assay::formulas {

/// What is known without any computation; an answer no better than this is vacuous.
namespace trivial {
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Enclosure line{-infinity, infinity};
inline constexpr Enclosure half_line{0.0, infinity};
inline constexpr Enclosure unit_interval{0.0, 1.0};
}  // namespace trivial

/// The value of a quantity, and what its answer says besides (key by key, after the status).
struct Answer {
    Answer(const Enclosure& value) : values{value} {}
    Answer(std::vector<Enclosure> list, bool is_list_)
        : values(std::move(list)), is_list(is_list_) {}

    std::vector<Enclosure> values;
    bool is_list = false;     // vectors give vectors
    bool is_vacuous = false;  // set where the trivial answer depends on the parameters
    /// A number (none where it has no value) or a truth value, with its name.
    std::vector<std::pair<std::string_view, std::variant<std::optional<double>, bool>>> more;
};

/// One entry of the table behind `assay eval`.
struct Quantity {
    std::string_view name;
    std::vector<Parameter> parameters;
    std::string_view formula;
    std::string_view source;
    Enclosure trivial_value;
    Answer (*evaluate)(const Arguments&);
    /// The values at many orders, sharing work, for a divergence that can; else null.
    std::vector<Enclosure> (*curve)(std::span<const double> orders, const Arguments&) = nullptr;
};

/// The quantity's answer, every value of it held to lower <= upper.       Throws  InternalError
[[nodiscard]] Answer evaluate(const Quantity& quantity, const Arguments& arguments);

/// True for a divergence at every real order > 1 whose other parameters are among sigma, s, m, q.
[[nodiscard]] bool is_curve(const Quantity& quantity);

/// Its values at `orders`; `arguments` hold everything but alpha. Orders that the deadline cuts off
/// get the trivial value.
[[nodiscard]] std::vector<Enclosure> evaluate_curve(const Quantity& quantity,
                                                    std::span<const double> orders,
                                                    const Arguments& arguments);

}  // namespace assay::formulas
