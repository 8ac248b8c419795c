#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/point.hpp"

namespace assay::verify {

/// An independent route to a quantity of `assay eval`, sharing no formula with src/.
///   evaluate   an interval that contains the exact value at the point's doubles. `bits` is the
///              relative accuracy asked for: the answer is narrower than about 2^-bits of its
///              size, or as wide as it had to be; never wrong. Asking for more bits costs more.
///              A quantity that is exactly 0 there gives {0}.
struct Oracle {
    std::string_view quantity;
    std::string_view method;  // "integer-order sum", "trapezoid rule", "Arb integral", ...
    Interval (*evaluate)(const Point& point, long bits);
    /// Where this route can be taken (a sum only at integer orders).
    bool (*covers)(const Point& point) = [](const Point&) { return true; };
};

// One list per method. To add an oracle, add an entry to its method's list.
[[nodiscard]] std::vector<Oracle> integer_order_oracles();
[[nodiscard]] std::vector<Oracle> published_formula_oracles();
[[nodiscard]] std::vector<Oracle> trapezoid_oracles();
[[nodiscard]] std::vector<Oracle> arb_oracles();

/// Frees what MPFR and FLINT keep for the calling thread.
void free_oracle_caches();

/// All of them, MPFR's before Arb's.
[[nodiscard]] std::span<const Oracle> all_oracles();

/// Those of one quantity that cover the point.
[[nodiscard]] std::vector<Oracle> oracles_of(std::string_view quantity, const Point& point);

}  // namespace assay::verify
