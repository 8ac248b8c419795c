#include "assay/help/wrap.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("a paragraph is wrapped between its words", "[cli]") {
    CHECK(wrapped("one two", "  ", 4) == "  one two\n");
    const std::string word(30, 'w');
    CHECK(wrapped(word + ' ' + word + ' ' + word, "  ", 4) ==
          "  " + word + ' ' + word + "\n    " + word + '\n');
    const std::string exact = std::string(39, 'a') + ' ' + std::string(40, 'b');
    CHECK(wrapped(exact, "", 2) == exact + '\n');
    CHECK(wrapped(exact + " c", "", 2) == exact + "\n  c\n");
    const std::string long_word(100, 'x');
    CHECK(wrapped(long_word, "", 2) == long_word + '\n');
    CHECK(wrapped("", "  ", 4) == "  \n");
}
