#include "verify/oracles/entropic_cells.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace assay::verify::lemma {

// A wrong constant or side in either oracle separates the two, which bound the same number.
TEST_CASE("cells enclose E f_s(W) closely, on a line and in the plane", "[verify]") {
    for (const real q : {0.05L, 0.4L, 0.95L})
        for (const real c : {0.2L, 1.0L, 3.0L})
            for (const real s : {0.03L, 0.9L, 1.2L, 4.0L}) {
                const real upper = entropic_one_sided_upper(c, q, s);
                const Cells cells(-9, c + 9, 2000);
                const std::vector<real> zero = cells.of(0);
                std::vector<real> mixed = cells.of(c);
                for (std::size_t i = 0; i < zero.size(); ++i)
                    mixed[i] = q * mixed[i] + (1 - q) * zero[i];
                const real lower = entropic_lower(mixed, zero, s);
                CAPTURE(q, c, s, lower, upper);
                CHECK(lower <= upper);
                CHECK(upper - lower <= 1e-3L * upper + 1e-13L);
                const std::vector<real> whole{1};
                CHECK(entropic_lower({{1, mixed, whole}}, {{1, zero, whole}}, s) == lower);
            }
}

// s below every ratio: f_s(W) = W log W - W log s - W + s, whose mean is E W log W - log s - 1 + s.
TEST_CASE("below all ratios f_s is the entropy and a line", "[verify]") {
    const real a = entropic_one_sided_upper(1.0L, 0.5L, 0.1L);
    const real b = entropic_one_sided_upper(1.0L, 0.5L, 0.4L);
    CHECK(static_cast<double>(a - b) ==
          Approx(static_cast<double>(std::log(4.0L) + 0.1L - 0.4L)).epsilon(1e-6));
}

}  // namespace assay::verify::lemma
