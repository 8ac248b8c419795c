#include "assay/pld/entropic_tail.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "assay/pld/convolve.hpp"
#include "assay/pld/discretise.hpp"

namespace assay {

// E f_s(W) = E [W log W] - log s - 1 + s + E f of what lies below s; for one Gaussian step in
// closed form: E (W log(W/s); W >= s) by the shifted normal distribution.
TEST_CASE("the entropic tail of a Gaussian has a closed form", "[entropic_tail]") {
    const double mu = 0.8;
    DominatingPair pair;
    pair.c = static_cast<real>(mu);
    const PrivacyLossPmf distribution = discretise(pair, Adjacency::replace_one, Direction::upper,
                                                   {.step = short_step(1e-3), .negligible = 1e-20});
    const RepeatedLoss once{&distribution, 1};
    const HockeyStick hockey_stick(convolve(std::span(&once, 1), 2.0));
    std::vector<MomentBound> moments;
    for (double excess = 0.05; excess < 500.0; excess *= 1.3)
        moments.push_back({1.0 + excess, 0.5001 * excess * (1.0 + excess) * mu * mu});
    const EntropicTail tail({&hockey_stick, 1}, moments, -6.0, 1e-3, 1e-12);
    const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const auto density = [](double x) {
        return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    };
    for (const double y : {-5.9, -1.0, -0.2, 0.0, 0.31, 1.0, 2.5}) {
        // Under P the loss is N(mu^2/2, mu^2); a = its score at y.
        const double a = (y - 0.5 * mu * mu) / mu;
        const double excess = mu * density(a) + (0.5 * mu * mu - y) * normal(-a);
        const double exact = excess - normal(-a) + std::exp(y) * normal(-(a + mu));
        CAPTURE(y);
        CHECK(tail(y) >= exact);
        CHECK(tail(y) <= exact * (1.0 + 1e-4) + 1e-10);
    }
    CHECK(std::isinf(tail(-6.1)));
    // Without moments nothing is known beyond the last node.
    const EntropicTail blind({&hockey_stick, 1}, {}, 0.0, 0.1, 1e-12);
    CHECK(std::isinf(blind(0.5)));
}

}  // namespace assay
