#include "assay/account/smallest_noise.hpp"

#include "assay/numeric/errors.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("the noise of plain samplers is safe and hardly more than needed", "[smallest_noise]") {
    struct Case {
        Phase phase;
        Adjacency adjacency;
        double epsilon, delta;
    };
    for (const Case& c :
         {Case{{SampledGaussian{0.0, 0.004}, 10'000}, Adjacency::add_remove, 2.0, 1e-6},
          Case{{FixedSizeGaussian{0.0, 0.01}, 500}, Adjacency::add_remove, 1.0, 1e-5},
          Case{{Gaussian{0.0}, 30}, Adjacency::zero_out, 3.0, 1e-8}}) {
        const Threshold found =
            smallest_noise_multiplier(c.phase, c.adjacency, c.epsilon, c.delta, 1e-3);
        CAPTURE(describe(c.phase.mechanism), found.sufficient, found.insufficient);
        CHECK(found.precision() <= 1e-3);
        // Independently of the search, at another resolution.
        const auto delta = [&](double noise) {
            Phase phase = c.phase;
            std::visit([&](auto& m) { m.noise_multiplier = noise; }, phase.mechanism);
            PldOptions options;
            options.relative_gap = 1e-4;
            return pld_delta({&phase, 1}, c.adjacency, {&c.epsilon, 1}, options).points.front();
        };
        CHECK(delta(found.sufficient).lower.value <= c.delta);
        CHECK(delta(found.insufficient).upper.value > c.delta);
    }
}

TEST_CASE("a pair that is not attained hides what is needed, and says so", "[smallest_noise]") {
    const Threshold found = smallest_noise_multiplier({FixedSizeGaussian{0.0, 0.01}, 500},
                                                      Adjacency::replace_one, 1.0, 1e-5, 1e-3);
    CHECK(found.precision() > 1e-3);
    CHECK(found.insufficient > 0.0);
    CHECK(found.insufficient < found.sufficient);
}

TEST_CASE("what no theorem covers is refused", "[smallest_noise]") {
    CHECK_THROWS_AS(smallest_noise_multiplier({FixedSizeGaussian{0.0, 0.01}, 5},
                                              Adjacency::zero_out, 1.0, 1e-5),
                    UnsupportedMechanism);
    CHECK(refused([] {
              return smallest_noise_multiplier({Gaussian{0.0}, 1}, Adjacency::zero_out, 1.0, 0.0);
          }) == "delta");
}
