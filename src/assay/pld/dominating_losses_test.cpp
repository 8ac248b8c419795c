#include "assay/pld/dominating_losses.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "assay/numeric/errors.hpp"
#include "assay/pld/pair_masses.hpp"
#include "assay/privacy/dominating_pair.hpp"

using namespace assay;

namespace {

/// As another library reads it.
double delta_of(const DominatingLosses& losses, double epsilon) {
    long double sum = losses.infinity_mass;
    for (std::size_t i = 0; i < losses.masses.size(); ++i) {
        const long double loss =
            losses.step * static_cast<long double>(losses.first + static_cast<std::int64_t>(i));
        if (loss > epsilon) sum -= losses.masses[i] * std::expm1(epsilon - loss);
    }
    return static_cast<double>(sum);
}

}  // namespace

TEST_CASE("losses for other libraries dominate their pair, closely", "[pld][losses]") {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one})
        for (const Mechanism& mechanism :
             {Mechanism{Gaussian{1.3}}, Mechanism{SampledGaussian{0.8, 0.02}},
              Mechanism{FixedSizeGaussian{2.0, 0.3}}}) {
            const DominatingLossPair found = dominating_losses(mechanism, adjacency, 1e-3);
            const DominatingPair pair = dominating_pair(mechanism, adjacency);
            for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 2.5}) {
                const PairDivergence exact = pair_divergence(pair, epsilon);
                const double removal = delta_of(found.removal, epsilon);
                const double addition = delta_of(found.addition, epsilon);
                CHECK(removal >= exact.removal.lower);
                CHECK(addition >= exact.addition.lower);
                CHECK(removal <= exact.removal.upper * 1.001 + 1e-6);
                CHECK(addition <= exact.addition.upper * 1.001 + 1e-6);
            }
            // Everything has a loss: also where epsilon is far below 0.
            for (const DominatingLosses* losses : {&found.removal, &found.addition}) {
                const double all = std::accumulate(losses->masses.begin(), losses->masses.end(),
                                                   losses->infinity_mass);
                CHECK(all >= 1.0 - 1e-15);
                CHECK(all <= 1.0 + 1e-8);
            }
        }
}

TEST_CASE("what is not released has no loss", "[pld][losses]") {
    const auto found = dominating_losses(SampledGaussian{1.0, 0.0}, Adjacency::add_remove, 1e-2);
    CHECK(found.removal.masses == std::vector<double>{1.0});
    CHECK(delta_of(found.addition, 0.0) == 0.0);
}

TEST_CASE("losses of what has no dominating pair are refused", "[pld][losses]") {
    const auto of = [](const Mechanism& mechanism, double step) {
        return dominating_losses(mechanism, Adjacency::add_remove, step);
    };
    CHECK_THROWS_AS(of(BallsAndBins{1.0, 50}, 1e-3), Error);
    CHECK_THROWS_AS(of(Gaussian{1.0}, 0.0), DomainError);
    CHECK_THROWS_AS(of(Gaussian{0.0}, 1e-3), DomainError);
}
