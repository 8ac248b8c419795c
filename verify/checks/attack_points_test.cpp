#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "verify/checks/attack_parts.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/settings.hpp"

namespace assay::verify {

namespace {

constexpr double pi = std::numbers::pi;

double length(lemma::real x, lemma::real y) {
    return static_cast<double>(std::hypot(x, y));
}

}  // namespace

TEST_CASE("opposite points are two clip norms apart and never more", "[verify]") {
    const Point p{{"sigma", 2.0}, {"rx", 1.0}, {"ry", 1.0}, {"ty", pi}, {"rc", 1.0}, {"tc", pi}};
    const Shifts s = fixed_size_in_plane(p);
    CHECK(length(s.u1, s.u2) == Approx(1.0));
    CHECK(length(s.u1, s.u2) <= 1.0);
    CHECK(length(s.v1, s.v2) == Approx(0.0).margin(1e-15));
    const Shifts record = poisson_in_plane(p);
    CHECK(length(record.u1, record.u2) == Approx(0.5));
    CHECK(length(record.u1 - record.v1, record.u2 - record.v2) == Approx(1.0));
}

TEST_CASE("space at latitude 0 is the plane and keeps all distances", "[verify]") {
    Point p{{"sigma", 3.0}, {"rx", 0.9},  {"ry", 0.7}, {"ty", 1.0},
            {"rc", 0.8},    {"tc", -2.0}, {"pc", 0.0}};
    const auto distances = [](const Shifts& s) {
        return std::vector<double>{length(s.u1, s.u2), length(s.v1, s.v2),
                                   length(s.u1 - s.v1, s.u2 - s.v2)};
    };
    const auto flat = distances(fixed_size_in_plane(p));
    const auto turned = distances(fixed_size_in_space(p));
    for (std::size_t i = 0; i < flat.size(); ++i)
        CHECK(turned[i] == Approx(flat[i]).epsilon(1e-14));
    // c on the axis: both distances are sqrt(r^2 + c^2).
    p.set("pc", pi / 2);
    const auto upright = distances(fixed_size_in_space(p));
    CHECK(upright[0] == Approx(std::hypot(0.9, 0.8) / 3.0));
    CHECK(upright[1] == Approx(std::hypot(0.7, 0.8) / 3.0));
    CHECK(upright[2] == Approx(flat[2]));
}

TEST_CASE("distance alone admits the equilateral triangle", "[verify]") {
    Point p{{"alpha", 2.0}, {"sigma", 2.0}, {"q", 0.1},
            {"lu", 1.0},    {"lv", 1.0},    {"tv", pi / 3.01}};
    CHECK(within_distance(p));
    CHECK(length(by_distances(p).v1, by_distances(p).v2) == Approx(1.0));
    p.set("tv", pi / 2.9);
    CHECK_FALSE(within_distance(p));
}

TEST_CASE("steps away stay in range and settings name their sampler", "[verify]") {
    const Point p{{"alpha", 3.0}, {"q", 0.9}, {"T", 4.0}, {"step", 0.5}};
    CHECK(larger_order(p) == 4.0);
    CHECK(larger_probability(p) == Approx(0.925));
    CHECK(larger(p, "T") == 6.0);
    CHECK(sampling_name(setting_at(1, 1.0, 0.5).mechanism) == "none");
    CHECK(setting_at(3, 1.0, 0.5).adjacency == Adjacency::replace_one);
    const auto mechanism =
        std::get<FixedSizeWithReplacementGaussian>(setting_at(6, 1.0, 0.99).mechanism);
    CHECK(mechanism.dataset_size == 9);
}

TEST_CASE("a distribution breaks only when the small side is certainly larger", "[verify]") {
    const auto number = [](double low, double high) {
        return [=](const Point&) { return interval_of({low, high}); };
    };
    const Space anywhere{{{"x", Scale::linear, 0.0, 1.0, false, {}}}, {}};
    const auto verdict = [&](Side small, Side large) {
        const Check distribution =
            at_most_law("law.test", "test", anywhere, 1, 1, std::move(small), std::move(large));
        return mpfr_cmp_d(distribution.truth(Point{{"x", 0.5}}, 64).upper(),
                          distribution.evaluate(Point{{"x", 0.5}}).upper) <= 0;
    };
    CHECK(verdict(number(1.0, 3.0), number(0.5, 2.0)));
    CHECK_FALSE(verdict(number(2.5, 3.0), number(0.5, 2.0)));
}

}  // namespace assay::verify
