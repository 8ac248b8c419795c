#include "assay/files/toml_parser.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace assay {

namespace {

/// What a document is refused with; empty where it is read.
std::string refused_document(const std::string& text) {
    try {
        static_cast<void>(parse_toml(text, "plan.toml"));
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("documents are read, with a byte order mark and texts outside ASCII too", "[files]") {
    const toml::table root = parse_toml(
        "\xef\xbb\xbf# \xcf\x9e\na.\"b c\" = [\n  '\xcf\x9e', \"#\", {x = 'y', z = \"w\"},\n]\n",
        "plan.toml");
    CHECK(root["a"]["b c"][0].value<std::string>() == "\xcf\x9e");
    CHECK(root["a"]["b c"][2]["z"].value<std::string>() == "w");
}

TEST_CASE("what the TOML parser does not bear is refused at its line", "[files]") {
    const char* letters = "plan.toml:2: has a letter outside ASCII that is in no text or comment";
    CHECK(refused_document("# \xcf\x9e\na\xcf\x9e = 1\n") == letters);
    CHECK(refused_document("a = '\xcf\x9e'\n\xd1\x9e\xd1\x9e.a = 1\n") == letters);
    for (const char* word : {"a = 2!+x'\xc3\x9c\n", "a = 0XX=\"\xc3\x9c\n", "a = 6b.\"\xc3\x9c\n",
                             "a = [1, 2=\"\xc3\x9c\n"})
        CHECK(refused_document(word) == "plan.toml:1: has a quotation mark within a word");
    CHECK(refused_document("a = 9['\xc3\x9c\n") == "plan.toml:1: has a bracket within a word");
    CHECK(refused_document("\na = \"\\\xc3\xa4\"\n") == letters);
    for (const char* several : {"a = \"\"\"x\", # \"\\\xc3\xa4\n", "a = '''\n'''\n"})
        CHECK(refused_document(several) == "plan.toml:1: has a text of several lines");
}

TEST_CASE("nesting that would exhaust the stack of the TOML parser is refused", "[files]") {
    std::string dotted = "\na";
    std::string quoted = "\n\"a,b\"";
    for (int i = 0; i < 100'000; ++i) {
        dotted += ".a";
        quoted += " . \"a=#\"";
    }
    for (const std::string& key : {dotted, quoted})
        CHECK(refused_document(key + " = 1\n") == "plan.toml:2: is nested more than 64 deep");
    CHECK(refused_document("a = " + std::string(100'000, '[')) ==
          "plan.toml:1: is nested more than 64 deep");
    CHECK(refused_document("a = '1e-400'\nb = [0.0, 1e-400]\n") ==
          "plan.toml:2: 1e-400 is neither 0 nor a double: the least is 4.9e-324");
    const std::string dots(100, '.');
    CHECK(refused_document("# " + dots + "\na = \"" + dots + "\"\n").empty());
}

}  // namespace assay
