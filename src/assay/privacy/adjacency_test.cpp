#include "assay/privacy/adjacency.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "assay/numeric/errors.hpp"

using namespace assay;

TEST_CASE("adjacencies have names, and names adjacencies", "[adjacency]") {
    CHECK(to_string(Adjacency::add_remove) == "add-remove");
    CHECK(to_string(Adjacency::replace_one) == "replace-one");
    CHECK(to_string(Adjacency::zero_out) == "zero-out");
    for (const Adjacency a : {Adjacency::add_remove, Adjacency::replace_one, Adjacency::zero_out})
        CHECK(adjacency_from_string(to_string(a)) == a);
}

TEST_CASE("any other name is refused with the three that exist", "[adjacency]") {
    for (const char* name :
         {"", "add_remove", "Add-Remove", "replace", "substitute", "zero-out "}) {
        try {
            static_cast<void>(adjacency_from_string(name));
            FAIL("accepted " << name);
        } catch (const DomainError& error) {
            CHECK(error.parameter() == "adjacency");
            CHECK(error.value() == name);
            for (const char* admitted : {"add-remove", "replace-one", "zero-out"})
                CHECK(error.admissible().find(admitted) != std::string::npos);
        }
    }
}
