#include "assay/files/build_info.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("a binary knows what it was made from", "[record]") {
    const BuildInfo& info = build_info();
    CHECK(info.version == "0.2.0");
    CHECK_FALSE(info.commit.empty());
    CHECK_FALSE(info.compiler.empty());
    CHECK(info.libraries.size() == 7);
    CHECK(version_line().rfind("0.2.0 (commit " + info.commit, 0) == 0);
}

TEST_CASE("the flags keep floating point as it is written", "[record]") {
    const std::string& flags = build_info().flags;
    CHECK(flags.find("-ffp-contract=off") != std::string::npos);
    CHECK(flags.find(" -ffast-math") == std::string::npos);
    CHECK(flags.find("-march=native") == std::string::npos);
}
