#include "assay/files/working_notice.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace assay;

TEST_CASE("short work says nothing, and ends without delay", "[cli]") {
    std::ostringstream err;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i) const WorkingNotice notice(err, "epsilon");
    CHECK(err.str().empty());
    // Each would wait a quarter of a second if the end did not wake it.
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(4));
}
