#include "assay/files/guarded_main.hpp"

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

TEST_CASE("a main has the status of what it runs, or 2", "[files]") {
    // An exception that ends the program by a signal, or is taken for success.
    char* none[] = {nullptr};
    CHECK(guarded_main(
              "test", [](int count, char**) { return count; }, 5, none) == 5);
    CHECK(guarded_main(
              "test", [](int, char**) -> int { throw Error("expected"); }, 0, none) == 2);
}
