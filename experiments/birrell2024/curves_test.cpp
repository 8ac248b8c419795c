#include "experiments/birrell2024/curves.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

using namespace assay;
using namespace assay::experiments::birrell2024;

TEST_CASE("a curve records the side that its series certifies", "[birrell2024]") {
    Table table = curve_table("order", "nats");
    const std::vector<double> x = {2.0, 3.0};
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<Enclosure> y = {{1.0, 1.5}, {2.0, infinity}};
    add_curve(table, {"above", "", Direction::upper, drawn::thm_3_4}, x, y);
    add_curve(table, {"below", "", Direction::lower, drawn::wang_lower}, x, y, "heuristic");
    CHECK(table.values("above", "y") == std::vector<double>{1.5, infinity});
    CHECK(table.values("below", "y") == std::vector<double>{1.0, 2.0});
    CHECK(table.rows()[0].status == "certified");
    CHECK(table.rows()[1].status == "vacuous");
    CHECK(table.rows()[2].status == "heuristic");
}

TEST_CASE("a range of ratios knows where its ends are", "[birrell2024]") {
    const std::vector<double> x = {1.0, 2.0, 3.0};
    const Range range = range_of_ratios(x, std::vector{2.0, 9.0, 4.0}, std::vector{2.0, 3.0, 8.0});
    CHECK(range.least == 0.5);
    CHECK(range.least_at == 3.0);
    CHECK(range.most == 3.0);
    CHECK(range.most_at == 2.0);
}

TEST_CASE("a crossing is found by bisection", "[birrell2024]") {
    const auto square = [](double x) { return x * x; };
    CHECK(crossing(square, 2.0, 0.0, 4.0) == Approx(std::sqrt(2.0)).epsilon(1e-9));
    CHECK(crossing(square, 100.0, 0.0, 4.0) == Approx(4.0));
}

TEST_CASE("the setting of a caption has a batch below the data set", "[birrell2024]") {
    const auto read = [](const std::string& text) {
        return read_setting(Params::from_text("noise_multiplier = 6\n" + text, "caption.toml"));
    };
    CHECK(read("batch_size = 120\ndataset_size = 50000\n").q == 0.0024);
    CHECK_THROWS_AS(read("batch_size = 0\ndataset_size = 10\n"), FileError);
    CHECK_THROWS_AS(read("batch_size = 10\ndataset_size = 10\n"), FileError);
}
