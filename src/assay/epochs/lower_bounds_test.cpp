#include "assay/epochs/lower_bounds.hpp"

#include "assay/epochs/deterministic_batches.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// P(S_C) - e^eps Q(S_C) as it is written, in 50 digits; p and q are the means of the coordinate
/// that differs, in units of s.
Wide at_threshold(const Wide& a, const Wide& q, const Wide& p, std::int64_t steps, double eps) {
    const auto log_below = [](const Wide& z) {
        return boost::math::log1p(Wide(-normal_tail_wide(z)));
    };
    const Wide others = (steps - 1) * log_below(a);
    const Wide under_p = -boost::math::expm1(Wide(others + log_below(Wide(a - p))));
    const Wide under_q = -boost::math::expm1(Wide(others + log_below(Wide(a - q))));
    return under_p - exp(Wide(eps)) * under_q;
}

/// The supremum by golden section in a bracket of the threshold.
Wide golden(const Wide& q, const Wide& p, std::int64_t steps, double eps, Wide low, Wide high) {
    const Wide ratio = (sqrt(Wide(5)) - 1) / 2;
    for (int i = 0; i < 90; ++i) {
        const Wide x = high - ratio * (high - low);
        const Wide y = low + ratio * (high - low);
        if (at_threshold(x, q, p, steps, eps) < at_threshold(y, q, p, steps, eps))
            low = x;
        else
            high = y;
    }
    return at_threshold(Wide((low + high) / 2), q, p, steps, eps);
}

}  // namespace

TEST_CASE("the largest coordinate at independent values", "[lower_bounds]") {
    struct Case {
        std::int64_t steps;
        double s, eps;
        const char* value;
    };
    // 80-digit computations elsewhere, rounded to 17 digits.
    for (const Case& c : {Case{36133, 0.4, 0.25, "0.0032650605116274341"},
                          Case{36133, 0.1, 20, "0.96715492245340052"},
                          Case{5000, 0.4, 12, "4.4853871033898608e-13"},
                          Case{1000000, 0.25, 14, "1.5737254358247241e-7"},
                          Case{100, 0.7, 3, "5.381622704743027e-7"}}) {
        CAPTURE(c.steps, c.s, c.eps);
        CHECK_THAT(largest_coordinate_delta(BallsAndBins{c.s, c.steps}, c.eps),
                   encloses_printed(c.value));
    }
    for (const Case& c :
         {Case{36133, 0.4, 1, "0.48603907010466097"}, Case{5000, 0.4, 6, "0.071417263367010378"},
          Case{1000000, 0.25, 8, "0.40558750469849196"}}) {
        CAPTURE(c.steps, c.s, c.eps);
        CHECK_THAT(largest_coordinate_delta(Shuffled{c.s, c.steps}, c.eps),
                   encloses_printed(c.value));
    }
}

TEST_CASE("the supremum by golden section", "[lower_bounds]") {
    Random random(43);
    CAPTURE(random.seed());
    for (int i = 0; i < 6 * effort(); ++i) {
        const double s = random.log_uniform(0.2, 3.0);
        const auto steps = static_cast<std::int64_t>(random.log_uniform(1.0, 1e6));
        const double eps = random.uniform(0.0, 0.5 / (s * s) + 1.0);
        CAPTURE(s, steps, eps);
        const Wide shift = 1 / Wide(s);
        const Wide low = -3;
        const Wide high = 20 + 3 * shift + Wide(eps) * s;
        CHECK_THAT(largest_coordinate_delta(BallsAndBins{s, steps}, eps),
                   Encloses(golden(0, shift, steps, eps, low, high), 1e-9, 1e-20));
        CHECK_THAT(largest_coordinate_delta(Shuffled{s, steps}, eps),
                   Encloses(golden(shift, Wide(2 * shift), steps, eps, low, high), 1e-9, 1e-20));
    }
}

TEST_CASE("one step is the Gaussian, and the order of the samplers", "[lower_bounds]") {
    for (const double eps : {0.0, 0.3, 2.0}) {
        const Enclosure gaussian = deterministic_delta({0.7, 1}, eps);
        for (const Enclosure& one : {largest_coordinate_delta(BallsAndBins{0.7, 1}, eps),
                                     largest_coordinate_delta(Shuffled{0.7, 1}, eps)}) {
            CHECK(one.lower <= gaussian.upper);
            CHECK(gaussian.lower <= one.upper);
        }
        const Enclosure bins = largest_coordinate_delta(BallsAndBins{0.7, 50}, eps);
        const Enclosure shuffled = largest_coordinate_delta(Shuffled{0.7, 50}, eps);
        CHECK(bins.upper < shuffled.lower);
        CHECK(shuffled.upper < gaussian.lower);
    }
}

TEST_CASE("extreme parameters end, and stay sound", "[lower_bounds]") {
    for (const double s : {1e-300, 1e-5, 1.0, 1e5, 1e300})
        for (const std::int64_t steps : {std::int64_t{1}, std::int64_t{1'000'000'000'000}})
            for (const double eps : {0.0, 1e-12, 5.0, 1e6, 1e300}) {
                CAPTURE(s, steps, eps);
                const Enclosure delta = largest_coordinate_delta(BallsAndBins{s, steps}, eps);
                CHECK(delta.lower >= 0.0);
                CHECK(delta.lower <= delta.upper);
                CHECK(delta.upper <= 1.0);
            }
    CHECK(refused([] {
              return largest_coordinate_delta(BallsAndBins{1.0, 2}, -1.0);
          }) == "epsilon");
    CHECK(refused([] {
              return largest_coordinate_delta(Shuffled{1.0, 2}, std::nan(""));
          }) == "epsilon");
    CHECK(refused([] {
              return largest_coordinate_delta(Shuffled{1.0, 0}, 1.0);
          }) == "batches-per-epoch");
}
