#include "assay/files/arithmetic.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "assay/numeric/directed.hpp"

TEST_CASE("the program says which arithmetic it has, and has it", "[files]") {
    // Counted by what the processor does, not read off the compiler's tables.
    const volatile assay::real one = 1.0L;
    int bits = 0;
    for (assay::real step = 1.0L; one + step > one; step *= 0.5L) ++bits;
    CHECK(bits >= 64);
    CHECK(
        assay::arithmetic_line().starts_with("long double of " + std::to_string(bits) + " bits,"));
}
