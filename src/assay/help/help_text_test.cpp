#include "assay/help/help_text.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("a help text has the same lines with every version of the option parser", "[cli]") {
    CLI::App command("Counts.\n\nExamples:\n  p count " + std::string(90, 'x') + '\n');
    std::string text;
    double number = 0.5;
    command.add_option("file", text, "what is counted")->required();
    command.add_option("-n,--number", number, std::string(48, 'a') + " more")
        ->capture_default_str();
    command.add_option("--a-name-that-leaves-no-room", text, "described below");
    command.add_subcommand("part", "Counts a part.\n\nExamples:\n  p count part\n");
    CHECK(help_text(command, "p count") == "Counts.\n\nExamples:\n  p count " +
                                               std::string(90, 'x') +
                                               R"(

Usage: p count [OPTIONS] file SUBCOMMAND

Positionals:
  file TEXT REQUIRED          what is counted

Options:
  -h,--help                   Print this help message and exit
  -n,--number FLOAT=0.5       aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                              more
  --a-name-that-leaves-no-room TEXT
                              described below

Subcommands:
  part                        Counts a part.

)");
}
