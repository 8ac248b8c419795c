#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

// For the tests of the finite sums: a value with 30 digits against an interval.

/// The interval meets truth (1 +- tolerance), and is narrower than 2^-bits of its size.
[[nodiscard]] inline bool agrees(const Interval& answer, const std::string& truth, long bits = 64,
                                 const std::string& tolerance = "1e-29") {
    INFO(answer.lower_text(36) << " .. " << answer.upper_text(36) << " against " << truth);
    const Interval exact = Interval::decimal(truth, 400);
    const Interval slack = abs(exact) * Interval::decimal(tolerance, 400);
    const bool near = overlap(answer, hull(exact - slack, exact + slack));
    const bool narrow = answer.relative_width() <= std::ldexp(1.0, static_cast<int>(-bits));
    CHECK(near);
    CHECK(narrow);
    return near && narrow;
}

/// The oracle of a list by quantity and the beginning of its method.
[[nodiscard]] inline Oracle oracle_named(const std::vector<Oracle>& oracles,
                                         std::string_view quantity, std::string_view method = "") {
    for (const Oracle& oracle : oracles)
        if (oracle.quantity == quantity && oracle.method.starts_with(method)) return oracle;
    FAIL("no oracle for " << quantity);
    return oracles.front();
}

/// Both ends are the value, to 14 digits.
inline void check_value(const Interval& x, double value) {
    CHECK(x.lower_double() == Approx(value).epsilon(1e-14));
    CHECK(x.upper_double() == Approx(value).epsilon(1e-14));
}

/// An epoch of T batches.
inline Point epoch_point(double T, double sigma, double eps) {
    return {{"T", T}, {"sigma", sigma}, {"eps", eps}};
}

}  // namespace assay::verify
