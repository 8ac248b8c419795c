#include "assay/formulas/arguments.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::formulas;

TEST_CASE("parameters come back as they were set", "[formulas]") {
    Arguments arguments;
    arguments.set("steps", 3.0);
    arguments.set("S", std::vector<double>{4.0, 0.0});
    arguments.set("answers", std::vector<Answered>{{2, {1, 2}}});
    arguments.set("conv", std::string("cks"));
    CHECK(arguments.has("steps"));
    CHECK(arguments.number("steps") == 3.0);
    CHECK(arguments.integer("steps") == 3);
    CHECK(arguments.small("steps") == 3);
    CHECK(arguments.numbers("S") == std::vector<double>{4.0, 0.0});
    CHECK(arguments.integers("S") == std::vector<std::int64_t>{4, 0});
    CHECK(arguments.categories("S") == std::vector<int>{4, 0});  // in the order of the line
    CHECK(arguments.answers("answers").front().y == 2);
    CHECK(arguments.text("conv") == "cks");
    arguments.set("steps", 9e15);  // the later one; integers beyond int are exact
    CHECK(arguments.integer("steps") == 9'000'000'000'000'000);
}

TEST_CASE("a parameter that is left out is named", "[formulas]") {
    const Arguments arguments;
    CHECK_FALSE(arguments.has("sigma"));
    try {
        static_cast<void>(arguments.number("sigma"));
        FAIL("no exception");
    } catch (const MissingParameter& missing) {
        CHECK(missing.parameter() == "sigma");
    }
}
