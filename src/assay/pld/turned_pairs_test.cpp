#include "assay/pld/turned_pairs.hpp"

#include <catch2/catch.hpp>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

RepeatedLossPair one_sided(double sigma, double q, std::int64_t steps) {
    DominatingPair pair;
    pair.q = static_cast<real>(q);
    pair.c = 2.0L / static_cast<real>(sigma);
    return {pair, steps};
}

}  // namespace

// By dynamic programming over the ratio, max(E V(xW), E V(x/W)) with one-dimensional integrals by
// the rectangle rule (a separate program): 0.106961, 0.184145, 0.244649.
TEST_CASE("turned pairs reach what dynamic programming gives", "[turned_pairs]") {
    const double known[] = {0.106961, 0.184145, 0.244649};
    for (std::int64_t steps = 1; steps <= 3; ++steps) {
        const TurnedPairs turned(one_sided(1.5, 0.3, steps), {}, Adjacency::replace_one, steps, 0.2,
                                 0.2, 1e-6);
        CAPTURE(steps, turned.delta(0.2));
        CHECK(turned.delta(0.2) <= known[steps - 1] * (1.0 + 2e-5));
        CHECK(turned.delta(0.2) >= known[steps - 1] * (1.0 - 1e-3));
    }
}

// Blocks of unequal size, and a curve that one table serves: a lost block or a shifted index shows.
TEST_CASE("the table of turned pairs falls with epsilon and grows with blocks", "[turned_pairs]") {
    double previous = 0.0;
    for (const std::int64_t blocks : {1, 3, 7, 10}) {
        const TurnedPairs turned(one_sided(1.5, 0.3, 10), {}, Adjacency::replace_one, blocks, 6.0,
                                 1e-2, 1e-5);
        const double value = turned.delta(6.0);
        CHECK(value >= 0.999 * previous);
        CHECK(turned.delta(5.9) >= value);
        CHECK(turned.delta(6.1) <= value);
        const double epsilon = turned.epsilon(value * 0.999);
        CHECK(epsilon >= 5.99);
        CHECK(epsilon <= 6.02);
        previous = value;
    }
    CHECK(previous > 0.0);
}

TEST_CASE("other steps stand beside turned pairs", "[turned_pairs]") {
    DominatingPair gaussian;
    gaussian.c = 0.5L;
    const TurnedPairs alone(one_sided(1.5, 0.3, 4), {}, Adjacency::replace_one, 4, 1.0, 0.1, 1e-5);
    const TurnedPairs beside(one_sided(1.5, 0.3, 4), {{gaussian, 1}}, Adjacency::replace_one, 4,
                             1.0, 0.1, 1e-5);
    CHECK(beside.delta(1.0) > 1.01 * alone.delta(1.0));
    CHECK_THROWS_AS(
        TurnedPairs(one_sided(1.5, 0.3, 4), {}, Adjacency::replace_one, 5, 1.0, 0.1, 1e-4),
        DomainError);
}

}  // namespace assay
