#include "assay/pld/composition_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/work_limit.hpp"
#include "test_support/removal_delta.hpp"
#include "test_support/test_support.hpp"

using namespace assay;

namespace {

DominatingPair drawn(real q, real c) {
    DominatingPair pair;
    pair.q = q;
    pair.c = c;
    return pair;
}

struct Found {
    DeltaSides sides;
    double gap = 0.0;
    std::string note;
};

Found search(const std::vector<RepeatedLossPair>& pairs, double epsilon,
             const PldOptions& options = {}) {
    Found found;
    found.sides =
        search_deltas(pairs, Adjacency::add_remove, {&epsilon, 1}, options, found.note, found.gap)
            .front();
    return found;
}

Enclosure epsilon_of(const std::vector<RepeatedLossPair>& pairs, double delta, std::string& note) {
    return search_epsilon(pairs, Adjacency::add_remove, delta, {}, note);
}

}  // namespace

TEST_CASE("pairs without a shift tell nothing", "[composition_search]") {
    const std::vector<RepeatedLossPair> pairs{{drawn(0.5L, 0.0L), 1000}, {drawn(1.0L, 0.0L), 1}};
    std::string note;
    for (const double epsilon : {0.0, 1.0}) {
        const Found found = search(pairs, epsilon);
        CHECK(found.sides.upper() == 0.0);
        CHECK(found.gap == 0.0);
        CHECK(found.note.empty());
    }
    CHECK(epsilon_of(pairs, 1e-300, note).upper == 0.0);
    // Beside others they change nothing.
    const std::vector<RepeatedLossPair> both{{drawn(0.01L, 1.0L), 20}, {drawn(0.5L, 0.0L), 7}};
    CHECK(search(both, 0.1).sides.upper() == search({both.front()}, 0.1).sides.upper());
}

TEST_CASE("a single factor has its closed form", "[composition_search]") {
    const DominatingPair sampled = drawn(0.01L, 1.0L);
    // Four Gaussian steps are one of twice the shift.
    for (const auto& [pairs, one] :
         {std::pair{std::vector<RepeatedLossPair>{{sampled, 1}}, sampled},
          std::pair{std::vector<RepeatedLossPair>{{drawn(1.0L, 1.5L), 4}}, drawn(1.0L, 3.0L)},
          std::pair{std::vector<RepeatedLossPair>{{drawn(1.0L, 3.0L), 1}, {drawn(1.0L, 4.0L), 1}},
                    drawn(1.0L, 5.0L)}})
        for (const double epsilon : {0.0, 0.01, 1.0, 3.0}) {
            const PairDivergence exact = pair_divergence(one, epsilon);
            const Found found = search(pairs, epsilon);
            CAPTURE(pairs.size(), epsilon, found.note);
            CHECK(found.sides.removal_lower <= exact.removal.upper);
            CHECK(found.sides.removal_upper >= exact.removal.lower);
            CHECK(found.sides.addition_lower <= exact.addition.upper);
            CHECK(found.sides.addition_upper >= exact.addition.lower);
            CHECK(found.sides.relative_gap() <= 1e-9);
            CHECK(found.note.empty());
            if (!(exact.removal.lower > 0.0)) continue;
            std::string note;
            const Enclosure back = epsilon_of(pairs, exact.removal.lower, note);
            CHECK(back.lower <= epsilon + 1e-9);
            CHECK(back.upper >= epsilon - 1e-9);
            CHECK(back.upper - back.lower <= 1e-6 * (1.0 + epsilon));
        }
}

TEST_CASE("deltas of two steps, near and far out in the tail", "[composition_search]") {
    PldOptions options;
    options.smallest_delta = 1e-300;
    int far = 0;
    for (const long double q : {1e-3L, 0.1L})
        for (const long double c : {0.5L, 1.0L, 2.0L})
            for (const long double z : {0.0L, 2.0L, 6.0L, 12.0L, 18.0L}) {
                const auto epsilon =
                    static_cast<double>(std::log1p(q * std::expm1(c * z - 0.5L * c * c)));
                if (!(epsilon > 0.0)) continue;
                const double truth = test_support::removal_delta(q, c, epsilon, 2);
                const Found found = search({{drawn(q, c), 2}}, epsilon, options);
                CAPTURE(q, c, z, epsilon, truth, found.sides.removal_lower,
                        found.sides.removal_upper, found.note);
                CHECK(found.sides.removal_lower <= truth * (1.0 + 1e-8));
                CHECK(found.sides.removal_upper >= truth * (1.0 - 1e-8));
                CHECK((found.sides.relative_gap() <= options.relative_gap || !found.note.empty()));
                CHECK(found.sides.relative_gap() <= 0.01);
                CHECK(found.gap >= found.sides.relative_gap() * (1.0 - 1e-12));
                far += truth < 1e-20 ? 1 : 0;
            }
    CHECK(far >= 6);
}

TEST_CASE("a delta below what matters is not brought closer", "[composition_search]") {
    const double epsilon = 3.0;
    const double truth = test_support::removal_delta(0.1L, 1.0L, epsilon, 2);
    REQUIRE(truth < 1e-4);
    PldOptions options;
    options.smallest_delta = 0.1;
    const Found found = search({{drawn(0.1L, 1.0L), 2}}, epsilon, options);
    CHECK(found.sides.removal_lower <= truth * (1.0 + 1e-8));
    CHECK(found.sides.removal_upper >= truth * (1.0 - 1e-8));
    CHECK(found.sides.removal_upper < 0.1);
    CHECK(found.note.empty());
}

TEST_CASE("losses beyond every grid have the lower side of fewer steps", "[composition_search]") {
    const DominatingPair large = drawn(0.5L, 2.0L);
    const std::vector<RepeatedLossPair> pairs{{large, 1'000'000}};
    const Found found = search(pairs, 10.0);
    CHECK(found.note.find("fewer steps") != std::string::npos);
    CHECK(found.sides.upper() <= 1.0);
    // All steps tell no less than one.
    CHECK(found.sides.removal_lower >= pair_divergence(large, 10.0).removal.lower);
    CHECK(found.gap == Approx(1.0 - found.sides.lower() / found.sides.upper()).epsilon(1e-12));
    // The mean loss is 6e5 and its deviation 1e3; that of the fewer steps is below 1e5.
    CHECK(search(pairs, 2e5).sides.removal_upper > 0.99);
    std::string note;
    const Enclosure epsilon = epsilon_of(pairs, 1e-6, note);
    CHECK(epsilon.lower > 1000.0);
    CHECK(std::isinf(epsilon.upper));
    CHECK(note.find("fewer steps") != std::string::npos);
}

TEST_CASE("epsilon and delta are each other's inverse", "[composition_search]") {
    const std::vector<RepeatedLossPair> pairs{{drawn(0.01L, 1.0L), 300}, {drawn(0.2L, 0.25L), 50}};
    std::string note;
    for (const double epsilon : {0.2, 1.0, 2.5}) {
        const Found found = search(pairs, epsilon);
        CAPTURE(epsilon, found.sides.lower(), found.sides.upper());
        CHECK(epsilon_of(pairs, found.sides.upper(), note).lower <= epsilon);
        CHECK(epsilon_of(pairs, found.sides.lower(), note).upper >= epsilon);
    }
    // No test tells them apart so well.
    CHECK(epsilon_of({{drawn(1e-6L, 0.01L), 3}}, 0.1, note).upper == 0.0);
}

TEST_CASE("what needs more work than is left keeps what was found", "[composition_search]") {
    const std::vector<RepeatedLossPair> pairs{{drawn(0.01L, 1.0L), 1000}};
    const Found whole = search(pairs, 1.0);
    std::string note;
    const Enclosure whole_epsilon = epsilon_of(pairs, 1e-6, note);
    for (const std::uint64_t most : {100'000U, 1'000'000U, 3'000'000U, 10'000'000U}) {
        CAPTURE(most);
        const WorkLimit limit(2 * std::uint64_t{most});
        Found found;
        CHECK(within_part(0.5, [&] { found = search(pairs, 1.0); }));
        CHECK(found.sides.lower() <= whole.sides.upper());
        CHECK(found.sides.upper() >= whole.sides.lower());
        CHECK((found.sides.relative_gap() <= 1e-3 || found.note == more_work));
        CHECK(found.gap >= found.sides.relative_gap() * (1.0 - 1e-12));
        Enclosure epsilon;
        CHECK(within_part(1.0, [&] { epsilon = epsilon_of(pairs, 1e-6, note); }));
        CHECK(epsilon.lower <= whole_epsilon.upper);
        CHECK(epsilon.upper >= whole_epsilon.lower);
    }
}
