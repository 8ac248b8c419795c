#include <catch2/catch.hpp>
#include <thread>

#include "verify/oracles/arb_cache.hpp"
#include "verify/oracles/arb_test_tools.hpp"
#include "verify/oracles/oracle.hpp"

using namespace assay::verify;

namespace {

const Oracle& oracle(std::string_view quantity) {
    static const std::vector<Oracle> oracles = arb_oracles();
    for (const Oracle& candidate : oracles)
        if (candidate.quantity == quantity) return candidate;
    FAIL("no such quantity");
    return oracles.front();
}

/// The same numbers asked for in every thread, with caches freed and filled again.
std::vector<Interval> answers() {
    std::vector<Interval> all;
    for (int round = 0; round < 3; ++round) {
        for (const double alpha : {1.5, 7.25, 40.0}) {
            const Point point{{"alpha", alpha}, {"sigma", 2.0}, {"q", 0.01}, {"s", 1.5},
                              {"B", 50.0},      {"D", 1000.0},  {"j", 5.0}};
            for (const char* name :
                 {"exact.fixed_size_without_replacement", "exact.poisson_add_remove_reverse",
                  "exact.fixed_size_with_replacement", "profile.fixed_size_replace_one",
                  "exact.log_absolute_moment"})
                for (const long bits : {64L, 200L})
                    all.push_back(oracle(name).evaluate(point, bits));
        }
        free_arb_thread_caches();
    }
    return all;
}

}  // namespace

// Computed independently with 60+ digits (mpmath), at these decimals: the doubles differ by 1e-16.
TEST_CASE("each quantity takes the noise and the shifts that are its own", "[arb]") {
    const auto near = [](std::string_view name, const Point& point, const char* digits) {
        const Interval x = oracle(name).evaluate(point, 64);
        const Interval value = Interval::decimal(digits, 128);
        CAPTURE(name, point.text());
        CHECK(abs((x - value) / value).upper_double() < 1e-14);
    };
    const Point plain{{"alpha", 1.5}, {"sigma", 6}, {"q", 0.0024}};
    near("exact.fixed_size_without_replacement", plain, "5.07608022465380037904913089556e-7");
    near("exact.fixed_size_without_replacement_reverse", plain,
         "5.07311589724074699055005212858e-7");
    near("exact.poisson_replace_one", plain, "4.80028908566181351559225742940e-7");
    const Point poisson{{"alpha", 8}, {"s", 0.5}, {"q", 0.05}};
    near("exact.poisson_add_remove", poisson, "12.5763059730961672763431466597");
    near("exact.poisson_add_remove_reverse", poisson, "0.0284858546179354100893691614744");
    near("mironov2019.fractional_series", {{"alpha", 10.9}, {"s", 2}, {"q", 0.3}},
         "0.305769316698597164022845308097");
    near("exact.replace_one_collinear",
         {{"alpha", 8}, {"sigma", 2}, {"q", 0.1}, {"x", 0.9}, {"y", 0.4}},
         "0.107704746224520854751870577003");
    near("exact.fixed_size_with_replacement",
         {{"alpha", 4.5}, {"sigma", 100}, {"B", 120}, {"D", 1200}},
         "0.00000900305704730145909115022074665");
    near("profile.fixed_size_replace_one", {{"alpha", 16}, {"sigma", 6}, {"q", 0.0024}},
         "0.000006829313183029877430847828533");
    near("exact.log_absolute_moment", {{"sigma", 2}, {"j", 5}}, "9.912804924193650127900699");
    const Point triangle{{"alpha", 8.5}, {"sigma", 6}, {"q", 0.0024}};
    near("exact.replace_one_equilateral", triangle, "0.00000295525114267078675428362889753");
    near("exact.replace_one_equilateral_attainable", triangle,
         "0.00000217091354989519460413534903363");
}

TEST_CASE("the triangles are planar configurations", "[arb]") {
    // sigma = 2: c = 1, and sqrt(3)/2 rounded to a double moves the value by about 1e-16.
    const double h = 0.8660254037844386;
    const Point plane{{"alpha", 2.5}, {"q", 0.2}, {"u1", 1}, {"u2", 0}, {"v1", 0.5}, {"v2", h}};
    const Point triangle{{"alpha", 2.5}, {"sigma", 2}, {"q", 0.2}};
    const Interval x = oracle("planar.replace_one").evaluate(plane, 64);
    const Interval y = oracle("exact.replace_one_equilateral").evaluate(triangle, 64);
    CHECK(abs((x - y) / y).upper_double() < 1e-15);
}

TEST_CASE("points outside a route are not covered and trivial ones are exactly 0", "[arb]") {
    CHECK_FALSE(oracle("exact.fixed_size_with_replacement")
                    .covers({{"alpha", 2}, {"sigma", 6}, {"B", 1e5}, {"D", 1e9}}));
    CHECK_FALSE(oracle("exact.fixed_size_with_replacement")
                    .covers({{"alpha", 2}, {"sigma", 6}, {"B", 10}, {"D", 1}}));
    CHECK_FALSE(oracle("exact.fixed_size_without_replacement")
                    .covers({{"alpha", 1}, {"sigma", 6}, {"q", .1}}));
    CHECK(oracle("exact.poisson_add_remove").covers({{"alpha", 1.5}, {"s", 6}, {"q", 1.0}}));
    CHECK(oracle("exact.poisson_add_remove")
              .evaluate({{"alpha", 1.5}, {"s", 6}, {"q", 0.0}}, 64)
              .is_zero());
    CHECK(oracle("planar.replace_one")
              .evaluate({{"alpha", 2}, {"q", .1}, {"u1", 1}, {"u2", 2}, {"v1", 1}, {"v2", 2}}, 64)
              .is_zero());
}

TEST_CASE("two threads get the same intervals as one", "[arb]") {
    const std::vector<Interval> expected = answers();
    std::vector<Interval> results[2];
    {
        std::vector<std::thread> threads;
        for (auto& result : results)
            threads.emplace_back([&result] {
                result = answers();
                free_arb_thread_caches();
            });
        for (std::thread& thread : threads) thread.join();
    }
    for (const auto& result : results) {
        REQUIRE(result.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CHECK(mpfr_equal_p(result[i].lower(), expected[i].lower()) != 0);
            CHECK(mpfr_equal_p(result[i].upper(), expected[i].upper()) != 0);
        }
    }
}
