#include "assay/monte_carlo/importance_sampling.hpp"

#include "test_support/monte_carlo_test_support.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

TEST_CASE("thresholds and event probabilities at independent values", "[importance_sampling]") {
    struct Case {
        LossDirection direction;
        std::int64_t steps;
        double s, eps;
        const char* threshold;
        const char* probability;
    };
    for (const Case& c :
         {Case{LossDirection::removal, 5000, 0.4, 9, "1.9242562165717874", "0.0037541213296878673"},
          Case{LossDirection::removal, 10000, 0.35, 12, "1.9331589220157144",
               "0.00016632103267405738"},
          Case{LossDirection::removal, 1563, 0.2, 10, "0.19417449234914034", "1.0"},
          Case{LossDirection::addition, 5000, 0.4, 0.1, "1.846750910626598", "0.99030832339840437"},
          Case{LossDirection::addition, 1000, 1.0, 0.05, "7.3577552789821371",
               "0.99999999990648574"}}) {
        CAPTURE(c.steps, c.s, c.eps);
        CHECK_THAT(importance_threshold({c.s, c.steps}, c.direction, c.eps),
                   encloses_printed(c.threshold));
        CHECK_THAT(importance_event_probability({c.s, c.steps}, c.direction, c.eps),
                   encloses_printed(c.probability));
    }
}

TEST_CASE("thresholds and event probabilities in 50 digits", "[importance_sampling]") {
    Random random(59);
    CAPTURE(random.seed());
    for (int i = 0; i < 40 * effort(); ++i) {
        const double s = random.log_uniform(0.1, 20.0);
        const auto steps = static_cast<std::int64_t>(random.log_uniform(1.0, 1e9));
        const double eps = random.uniform(-1.0, 1.0 / (s * s) + 2.0);
        CAPTURE(s, steps, eps);
        const Wide square = Wide(s) * s;
        for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
            const Wide c =
                direction == LossDirection::removal
                    ? Wide(0.5 +
                           square * (eps - log(1 + boost::math::expm1(Wide(1 / square)) / steps)))
                    : Wide(0.5 + square * (log(Wide(steps)) - eps));
            const Wide tail = normal_tail_wide(Wide(c / s));
            const Wide log_power = steps * boost::math::log1p(Wide(-tail));
            const Wide probability = direction == LossDirection::removal
                                         ? Wide(-boost::math::expm1(log_power))
                                         : Wide(exp(log_power));
            const Enclosure threshold = importance_threshold({s, steps}, direction, eps);
            CHECK(Wide(threshold.lower) <= c);
            CHECK(c <= Wide(threshold.upper));
            if (probability > Wide(1e-280))
                CHECK_THAT(importance_event_probability({s, steps}, direction, eps),
                           Encloses(probability));
        }
    }
}

TEST_CASE("outside the event the loss is at most epsilon", "[importance_sampling]") {
    // On the event's boundary the loss comes closest: all coordinates at the threshold (removal),
    // one of them there and the others at -inf (addition).
    for (const double eps : {0.1, 2.0}) {
        const BallsAndBins mechanism{0.5, 20};
        const double c = importance_threshold(mechanism, LossDirection::removal, eps).midpoint();
        std::vector<double> x(20, c);
        x[0] += 1.0;
        CHECK(std::fabs(privacy_loss(mechanism, LossDirection::removal, x) - eps) < 1e-12);
        const double d = importance_threshold(mechanism, LossDirection::addition, eps).midpoint();
        std::vector<double> y(20, -1e6);
        y[3] = d;
        CHECK(std::fabs(privacy_loss(mechanism, LossDirection::addition, y) - eps) < 1e-12);
        // The printed threshold of addition leaves points outside whose loss is far above epsilon.
        y[3] = 0.5 - 0.25 * eps;
        CHECK(privacy_loss(mechanism, LossDirection::addition, y) > eps + 2.9);
    }
    CHECK(refused([] {
              return importance_threshold({1.0, 2}, LossDirection::addition, std::nan(""));
          }) == "epsilon");
}

TEST_CASE("a probability below every number is not answered 0", "[importance_sampling]") {
    // Phi(C/s)^T is about 7.6e-4952 in the first case; the event of the second is as rare.
    for (const auto& [mechanism, direction, epsilon] :
         {std::tuple{BallsAndBins{0.64, 3913}, LossDirection::addition, 12.0},
          std::tuple{BallsAndBins{0.05, 2}, LossDirection::removal, 5000.0}}) {
        const Enclosure p = importance_event_probability(mechanism, direction, epsilon);
        CAPTURE(epsilon);
        CHECK(p.lower == 0.0);
        CHECK(p.upper > 0.0);
        CHECK(p.upper < 1e-300);
    }
}

TEST_CASE("the sampled event ends where doubles have no tails", "[importance_sampling]") {
    // C/s = 0.05 + 10 (log T - eps).
    CHECK(sampled_threshold({10.0, 1}, LossDirection::addition, 12.0).standardised == -37.0L);
    CHECK_THAT(sampled_event_probability({10.0, 1}, LossDirection::addition, 12.0),
               Encloses(normal_tail_wide(Wide(37))));
    CHECK(importance_event_probability({10.0, 1}, LossDirection::addition, 12.0).upper < 1e-320);
    CHECK(sampled_event_probability({10.0, 2}, LossDirection::addition, 12.0).lower == 0.0);
    for (const LossDirection direction : {LossDirection::removal, LossDirection::addition}) {
        const BallsAndBins mechanism{10.0, 1};
        CHECK(sampled_threshold(mechanism, direction, 3.0).standardised ==
              standardised_threshold(mechanism, direction, 3.0).standardised);
        CHECK(sampled_event_probability(mechanism, direction, 3.0).lower ==
              importance_event_probability(mechanism, direction, 3.0).lower);
    }
}
