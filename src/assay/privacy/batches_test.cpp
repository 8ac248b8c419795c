#include "assay/privacy/batches.hpp"

#include <catch2/catch.hpp>

namespace assay {

TEST_CASE("batches of a pass, with the incomplete one and without", "[batches]") {
    CHECK(complete_batches(50'500, 1000) == 50);
    CHECK(all_batches(50'500, 1000) == 51);
    CHECK(complete_batches(50'000, 1000) == 50);
    CHECK(all_batches(50'000, 1000) == 50);
    CHECK(all_batches(5, 5) == 1);
    CHECK(all_batches(6, 5) == 2);
}

TEST_CASE("steps are rounded up, but not by the rounding of a product", "[batches]") {
    CHECK(steps_of_epochs(3.0, 51.0) == 153.0);
    CHECK(steps_of_epochs(0.5, 51.0) == 26.0);
    // 0.1 in binary is a little more than a tenth.
    CHECK(steps_of_epochs(0.1, 30.0) == 3.0);
    CHECK(steps_of_epochs(250.0, 50'000.0 / 120.0) == 104'167.0);
    CHECK(steps_of_epochs(1e-9, 5.0) == 1.0);
}

}  // namespace assay
