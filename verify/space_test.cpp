#include "verify/space.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "assay/numeric/errors.hpp"

using namespace assay::verify;

namespace {

Space sample_space() {
    return {{{"alpha", Scale::above_one, 1.001, 100.0, false, {1.5, 2.0}},
             {"q", Scale::probability, 1e-6, 1.0 - 1e-6, false, {0.5, 0.01}},
             {"m", Scale::logarithmic, 3, 64, true, {3, 4, 5}}},
            {}};
}

}  // namespace

TEST_CASE("a draw depends on seed name and index alone and stays inside", "[space]") {
    std::set<double> seen;
    int near_one = 0;
    int small = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const Point point = draw(sample_space(), 5, "row", i);
        CHECK(point == draw(sample_space(), 5, "row", i));
        CHECK((point["alpha"] >= 1.001 && point["alpha"] <= 100.0));
        CHECK((point["q"] >= 1e-6 && point["q"] <= 1.0 - 1e-6));
        CHECK(point["m"] == std::floor(point["m"]));
        near_one += point["q"] > 0.999 ? 1 : 0;
        small += point["q"] < 0.001 ? 1 : 0;
        seen.insert(point["alpha"]);
    }
    CHECK(seen.size() > 200);
    CHECK(near_one > 40);  // both ends of [0,1] are visited
    CHECK(small > 40);
    CHECK_FALSE(draw(sample_space(), 5, "row", 1) == draw(sample_space(), 6, "row", 1));
    CHECK_FALSE(draw(sample_space(), 5, "row", 1) == draw(sample_space(), 5, "other", 1));
}

TEST_CASE("uniform numbers have the mean and variance of their distribution", "[space]") {
    double sum = 0.0;
    double squares = 0.0;
    double normal = 0.0;
    constexpr int count = 20000;
    Draws draws(1, "uniform", 0);
    for (int i = 0; i < count; ++i) {
        const double u = draws.uniform();
        sum += u;
        squares += u * u;
        const double n = draws.normal();
        normal += n * n;
    }
    CHECK(sum / count == Approx(0.5).margin(0.01));  // 5 standard deviations: 0.0102
    CHECK(squares / count == Approx(1.0 / 3.0).margin(0.011));
    CHECK(normal / count == Approx(1.0).margin(0.05));
}

TEST_CASE("a grid visits the corners of every coordinate", "[space]") {
    const auto all = grid(sample_space(), 100);
    CHECK(all.size() == 12);
    const auto some = grid(sample_space(), 6);
    REQUIRE(some.size() == 6);
    std::set<double> orders;
    std::set<double> terms;
    for (const Point& point : some) {
        orders.insert(point["alpha"]);
        terms.insert(point["m"]);
    }
    CHECK(orders.size() == 2);
    CHECK(terms.size() >= 2);
}

TEST_CASE("points that are not admitted are not given out", "[space]") {
    Space space = sample_space();
    space.admits = [](const Point& point) { return point["m"] < 10.0; };
    for (std::uint64_t i = 0; i < 100; ++i) CHECK(draw(space, 1, "row", i)["m"] < 10.0);
    space.admits = [](const Point&) { return false; };
    CHECK_THROWS_AS(draw(space, 1, "row", 0), assay::Error);
    CHECK(grid(space, 10).empty());
}

TEST_CASE("a region narrows a space and refuses what it does not know", "[space]") {
    const Space space = restricted(sample_space(), "alpha=40:80 m=7");
    for (std::uint64_t i = 0; i < 50; ++i) {
        const Point point = draw(space, 1, "row", i);
        CHECK((point["alpha"] >= 40.0 && point["alpha"] <= 80.0));
        CHECK(point["m"] == 7.0);
    }
    CHECK_THROWS_AS(restricted(sample_space(), "beta=1:2"), assay::Error);
    CHECK_THROWS_AS(restricted(sample_space(), "alpha=2:1"), assay::Error);
    CHECK_THROWS_AS(restricted(sample_space(), "alpha=2:x"), assay::Error);
    CHECK_THROWS_AS(restricted(sample_space(), "alpha"), assay::Error);
}

TEST_CASE("a step stays within bounds and moves integers", "[space]") {
    Draws draws(3, "steps", 0);
    const Space space = sample_space();
    for (int i = 0; i < 200; ++i) {
        const double q = perturbed(space.dimensions[1], 0.999, 0.5, draws);
        CHECK((q >= 1e-6 && q <= 1.0 - 1e-6));
        const double m = perturbed(space.dimensions[2], 10.0, 1e-6, draws);
        CHECK((m == 9.0 || m == 11.0));
    }
}
