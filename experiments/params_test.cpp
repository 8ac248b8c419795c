#include "experiments/params.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "assay/numeric/errors.hpp"

using namespace assay;

namespace {

const char* const example = R"(# a caption
sigma = 6
q = 0.0024
steps = 250
capped = true
label = "exact"
orders = [1.5, 2, 16]
taylor = [3, 4, 5]
names = ["a", "b"]
alpha = { from = -2, to = 1.8, count = 100, map = "1+10^x" }
even = { from = 2, to = 9, step = 2 }
[left]
delta = 1e-5
[[panel]]
q = 0.1
[[panel]]
q = 0.2
)";

Params parse(const char* text) {
    return Params::from_text(text, "figure.toml");
}

}  // namespace

TEST_CASE("typed parameters are read", "[record]") {
    const Params params = parse(example);
    CHECK(params.number("sigma") == 6.0);
    CHECK(params.number("q") == 0.0024);
    CHECK(params.integer("steps") == 250);
    CHECK(params.flag("capped"));
    CHECK(params.text("label") == "exact");
    CHECK(params.numbers("orders") == std::vector<double>{1.5, 2.0, 16.0});
    CHECK(params.integers("taylor") == std::vector<std::int64_t>{3, 4, 5});
    CHECK(params.integers("even") == std::vector<std::int64_t>{2, 4, 6, 8});
    CHECK(params.texts("names") == std::vector<std::string>{"a", "b"});
    CHECK(params.section("left").number("delta") == 1e-5);
    CHECK(params.sections("panel").size() == 2);
    CHECK(params.sections("panel")[1].number("q") == 0.2);
    CHECK(params.has("sigma"));
    CHECK_FALSE(params.has("Sigma"));
}

TEST_CASE("a grid has both its ends and equal steps", "[record]") {
    const auto alpha = parse(example).numbers("alpha");
    REQUIRE(alpha.size() == 100);
    CHECK(alpha.front() == 1.0 + 0.01);
    CHECK(alpha.back() == Approx(1.0 + std::pow(10.0, 1.8)).epsilon(1e-15));
    const auto grid = parse("x = { from = 2, to = 6, count = 5 }").numbers("x");
    CHECK(grid == std::vector<double>{2.0, 3.0, 4.0, 5.0, 6.0});
}

TEST_CASE("a range at the ends of the integers ends", "[record]") {
    CHECK(parse("x = { from = 7, to = 7 }").integers("x") == std::vector<std::int64_t>{7});
    CHECK_THROWS_AS(parse("x = { from = 0, to = 9223372036854775807 }").integers("x"), FileError);
    CHECK_THROWS_AS(parse("x = { from = -9223372036854775807, to = 1 }").integers("x"), FileError);
    CHECK_THROWS_AS(parse("x = { from = 2, to = 1 }").integers("x"), FileError);
    CHECK_THROWS_AS(parse("x = { from = 1, to = 2, step = 0 }").integers("x"), FileError);
}

TEST_CASE("a wrong parameter is named with its file and line", "[record]") {
    const auto params = parse("a = 1\nb = 'text'\nc = 1.5\nd = nan\ne = []\nf = [1, 'x']\n");
    CHECK_THROWS_WITH(params.number("b"), "figure.toml:2: b is not a finite number");
    CHECK_THROWS_WITH(params.integer("c"), "figure.toml:3: c is not an integer");
    CHECK_THROWS_WITH(params.number("d"), "figure.toml:4: d is not a finite number");
    CHECK_THROWS_WITH(params.numbers("e"), "figure.toml:5: e is an empty list");
    CHECK_THROWS_WITH(params.numbers("f"), "figure.toml:6: f is not a finite number");
    CHECK_THROWS_WITH(params.number("g"), Catch::Contains("g is missing"));
    CHECK_THROWS_WITH(params.flag("a"), "figure.toml:1: a is neither true nor false");
    CHECK_THROWS_WITH(params.refuse("c", "is not below 1"), "figure.toml:3: c is not below 1");
    CHECK_THROWS_WITH(parse("\nx = { from = 1, to = 2, count = 1 }").numbers("x"),
                      "figure.toml:2: x.count is not in 2..1000000");
    CHECK_THROWS_WITH(parse("x = { from = 1, to = 2, count = 2, map = 'e^x' }").numbers("x"),
                      Catch::Contains("x.map is none of"));
    CHECK_THROWS_WITH(parse("x = { from = 1, to = 999, count = 2, map = '10^x' }").numbers("x"),
                      Catch::Contains("not finite"));
}

TEST_CASE("a text that is no TOML is refused at its line", "[record]") {
    CHECK_THROWS_WITH(parse("a = 1\nb = = 2\n"), Catch::StartsWith("figure.toml:2: "));
    CHECK_THROWS_AS(parse("a = 1\na = 2\n"), FileError);
    std::string nested = "\na";  // would exhaust the parser's stack
    for (int i = 0; i < 100'000; ++i) nested += ".a";
    CHECK_THROWS_WITH(parse((nested + " = 1\n").c_str()),
                      "figure.toml:2: is nested more than 64 deep");
    CHECK_THROWS_AS(Params::from_file("no/such/file.toml"), FileError);
}

TEST_CASE("a parameter nobody asks for is refused", "[record]") {
    const auto params = parse("sigma = 6\nsigmaa = 7\n[left]\nq = 1\nqq = 2\n");
    CHECK(params.number("sigma") == 6.0);
    CHECK_THROWS_WITH(params.require_all_read(), Catch::Contains("is no parameter of this figure"));
    CHECK(params.number("sigmaa") == 7.0);
    CHECK(params.section("left").number("q") == 1.0);
    CHECK_THROWS_WITH(params.require_all_read(),
                      "figure.toml:5: left.qq is no parameter of this figure");
    CHECK(params.section("left").number("qq") == 2.0);
    CHECK_NOTHROW(params.require_all_read());
    const auto grid = parse("x = { from = 1, to = 2, count = 3, cuont = 3 }");
    CHECK(grid.numbers("x").size() == 3);
    CHECK_THROWS_WITH(grid.require_all_read(), Catch::Contains("x.cuont"));
}

TEST_CASE("parameters are recorded as JSON", "[record]") {
    const auto json = nlohmann::json::parse(parse(example).to_json());
    CHECK(json.at("sigma") == 6);
    CHECK(json.at("alpha").at("map") == "1+10^x");
    CHECK(json.at("panel").at(1).at("q") == 0.2);
}

TEST_CASE("a preset replaces and adds keys at the top, and is none itself", "[record]") {
    const std::string text =
        "samples = 10\nseed = 1\n[preset.paper]\nsamples = 500\nfolder = 'kept'\n";
    const Params plain = Params::from_text(text, "a.toml");
    CHECK(plain.integer("samples") == 10);
    CHECK(plain.integer("seed") == 1);
    CHECK_FALSE(plain.has("folder"));
    CHECK(plain.has_preset("paper"));
    CHECK_FALSE(plain.has_preset("papr"));
    CHECK_FALSE(plain.has_preset("seed"));
    CHECK_FALSE(plain.has("preset"));
    CHECK_NOTHROW(plain.require_all_read());
    const Params paper = Params::from_text(text, "a.toml", "paper");
    CHECK(paper.integer("samples") == 500);
    CHECK(paper.text("folder") == "kept");
    CHECK_THROWS_AS(paper.require_all_read(), FileError);  // nobody asked for the seed
    CHECK(Params::from_text(text, "a.toml", "other").integer("samples") == 10);
}

TEST_CASE("texts given from outside replace those of the file, where it has them", "[record]") {
    const char* text = "folder = \"\"\nrate = 1\n[preset.big]\nfolder = \"of the preset\"\n";
    const Params::Texts instead{{"folder", "given"}, {"other", "unused"}};
    for (const char* preset : {"", "big"}) {
        const Params params = Params::from_text(text, "figure.toml", preset, instead);
        CHECK(params.text("folder") == "given");
        CHECK(params.number("rate") == 1.0);
        CHECK(!params.has("other"));
    }
    CHECK(Params::from_text(text, "figure.toml", "big").text("folder") == "of the preset");
}

TEST_CASE("differences from a preset are told by key, long lists by their ends", "[record]") {
    const char* text =
        "a = 1\nb = [1, 2]\nc = 'x'\n[d]\ne = 2.5\n"
        "[preset.big]\na = 1\nb = [1, 2, 3, 4, 5, 6, 7]\nf = true\n[preset.big.d]\ne = 1e6\n";
    const auto differences = Params::from_text(text, "figure.toml").differences_from("big");
    REQUIRE(differences.size() == 3);
    CHECK(differences[0].key == "b");
    CHECK(differences[0].here == "1, 2");
    CHECK(differences[0].there == "1 .. 7");
    CHECK(differences[1].key == "d.e");
    CHECK(differences[1].here == "2.5");
    CHECK(differences[2].here == "none");
    CHECK(differences[2].there == "true");
    CHECK(Params::from_text(text, "figure.toml", "big").differences_from("big").empty());
    CHECK(Params::from_text(text, "figure.toml").differences_from("none").empty());
}
