#include "assay/cli/wrap.hpp"

#include <catch2/catch.hpp>

using namespace assay::cli;

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

TEST_CASE("of a help text the options and commands alone are wrapped", "[cli]") {
    const std::string before = "  Sentence " + std::string(80, 's') + " end\n\nUsage: assay\n";
    const std::string name = "  --name TEXT                 ";
    CHECK(wrapped_help(before + name + std::string(45, 'a') + " more\n") ==
          before + name + std::string(45, 'a') + " more\n");
    CHECK(wrapped_help(before + name + std::string(47, 'a') + " more\n") ==
          before + name + std::string(47, 'a') + '\n' + std::string(30, ' ') + "more\n");
}
