#include "assay/files/working_notice.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace assay;

TEST_CASE("short work says nothing", "[cli]") {
    std::ostringstream err;
    for (int i = 0; i < 20; ++i) const WorkingNotice notice(err, "epsilon");
    CHECK(err.str().empty());
}
