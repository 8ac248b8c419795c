#include "assay/account/trade_off_curve.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

/// Finite distributions, by their masses.
struct FinitePair {
    std::vector<double> p;
    std::vector<double> q;

    [[nodiscard]] static double divergence(const std::vector<double>& p,
                                           const std::vector<double>& q, double epsilon) {
        long double sum = 0.0L;
        const long double t = std::exp(static_cast<long double>(epsilon));
        for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0L, p[i] - t * q[i]);
        return static_cast<double>(sum);
    }
    [[nodiscard]] DivergenceSample at(double epsilon) const {
        const auto around = [](double x) {
            return Enclosure{std::max(0.0, x * (1.0 - 1e-15) - 1e-18), x * (1.0 + 1e-15) + 1e-18};
        };
        return {epsilon, around(divergence(p, q, epsilon)), around(divergence(q, p, epsilon))};
    }
    /// The largest power of a test of a level, by the Neyman-Pearson lemma: outcomes in the order
    /// of their ratio, the last one in part.
    [[nodiscard]] static double power(const std::vector<double>& alternative,
                                      const std::vector<double>& null, double level) {
        std::vector<std::size_t> order(null.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
            return alternative[i] * null[j] > alternative[j] * null[i];
        });
        double reached = 0.0;
        for (const std::size_t i : order) {
            const double part = std::min(1.0, level / null[i]);
            reached += part * alternative[i];
            level -= part * null[i];
            if (level <= 0.0) break;
        }
        return reached;
    }
};

TradeOffCurve curve_of(const FinitePair& pair, double reach) {
    return sampled_curve([&](double epsilon) { return pair.at(epsilon); }, {.reach = reach});
}

constexpr double levels[] = {1e-12, 1e-6, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999};

void require_contained(const FinitePair& pair, const TradeOffCurve& curve, double width) {
    for (const double level : levels) {
        for (const TestDirection direction : {TestDirection::removal, TestDirection::addition}) {
            const bool removal = direction == TestDirection::removal;
            const double exact = removal ? FinitePair::power(pair.p, pair.q, level)
                                         : FinitePair::power(pair.q, pair.p, level);
            const Enclosure rate = curve.true_positive_rate(level, direction);
            const Enclosure miss = curve.type_two_error(level, direction);
            INFO("level " << level << " direction " << to_string(direction));
            CHECK(rate.lower <= exact * (1.0 + 1e-14));
            CHECK(rate.upper >= exact * (1.0 - 1e-14));
            CHECK(rate.upper - rate.lower <= width);
            CHECK(miss.lower <= (1.0 - exact) + 1e-15);
            CHECK(miss.upper >= (1.0 - exact) - 1e-15);
            CHECK(miss.upper - miss.lower <= width);
        }
    }
}

}  // namespace

TEST_CASE("the curve of three outcomes contains the Neyman-Pearson tests", "[trade_off]") {
    // Asymmetric, so that exchanged directions are seen.
    const FinitePair pair{{0.5, 0.375, 0.125}, {0.125, 0.375, 0.5}};
    require_contained(pair, curve_of(pair, 2.0), 1e-5);
    const FinitePair skew{{0.0625, 0.4375, 0.5}, {0.015625, 0.859375, 0.125}};
    require_contained(skew, curve_of(skew, 2.0), 1e-5);
}

TEST_CASE("both directions differ where the pair is not symmetric", "[trade_off]") {
    const FinitePair pair{{0.0625, 0.4375, 0.5}, {0.015625, 0.859375, 0.125}};
    const TradeOffCurve curve = curve_of(pair, 2.0);
    const Enclosure removal = curve.true_positive_rate(0.1, TestDirection::removal);
    const Enclosure addition = curve.true_positive_rate(0.1, TestDirection::addition);
    CHECK(removal.lower > addition.upper);
    const Enclosure worst = curve.true_positive_rate(0.1, TestDirection::worst);
    CHECK(worst == removal);
    // The curves of both directions are inverse to each other.
    const double miss = curve.type_two_error(0.1, TestDirection::removal).upper;
    const Enclosure back = curve.type_two_error(miss, TestDirection::addition);
    CHECK(std::fabs(back.midpoint() - 0.1) < 1e-4);
}

TEST_CASE("few samples give wide sides that are still right", "[trade_off]") {
    const FinitePair pair{{0.5, 0.375, 0.125}, {0.125, 0.375, 0.5}};
    std::vector<DivergenceSample> samples{pair.at(0.0), pair.at(0.7), pair.at(2.0)};
    const TradeOffCurve curve(samples);
    require_contained(pair, curve, curve.gap());
    CHECK(curve.gap() > 1e-3);
    CHECK(curve.gap() < 0.5);
    const TradeOffCurve one({pair.at(0.0)});
    require_contained(pair, one, one.gap());
}

TEST_CASE("wide samples keep the exact curve inside", "[trade_off]") {
    const FinitePair pair{{0.0625, 0.4375, 0.5}, {0.015625, 0.859375, 0.125}};
    std::vector<DivergenceSample> samples;
    for (int i = 0; i <= 40; ++i) {
        DivergenceSample sample = pair.at(0.05 * i);
        const auto widen = [&](Enclosure& d, double by) {
            d = {std::max(0.0, d.lower * (1.0 - by)), std::min(1.0, d.upper * (1.0 + by))};
        };
        widen(sample.removal, i % 3 == 0 ? 0.02 : 0.001);  // not convex any more
        widen(sample.addition, i % 4 == 0 ? 0.02 : 0.001);
        samples.push_back(sample);
    }
    const TradeOffCurve curve(samples);
    require_contained(pair, curve, curve.gap());
}

// The other order of the distributions told nothing, and the lower side was the level itself.
TEST_CASE("the total variation of one direction is that of the other", "[trade_off]") {
    const FinitePair pair{{0.5, 0.375, 0.125}, {0.125, 0.375, 0.5}};
    const TradeOffCurve curve = sampled_curve(
        [&](double epsilon) {
            DivergenceSample known = pair.at(epsilon);
            known.addition = {0.0, 1.0};
            return known;
        },
        {.reach = 4.5});
    require_contained(pair, curve, 1.0);
    // The power of removal is 4 times a small level, and concave up to 1; 3/8 is the variation.
    for (const double level : {0.01, 0.1, 0.3}) {
        const Enclosure removal = curve.true_positive_rate(level, TestDirection::removal);
        const Enclosure addition = curve.true_positive_rate(level, TestDirection::addition);
        CHECK(removal.lower >= std::min(4.0 * level, (level + 0.375) / 1.375) - 1e-4);
        CHECK(addition.lower >= 1.375 * level - 1e-4);
    }
}

TEST_CASE("a curve ends where its work does, and is true", "[trade_off]") {
    const FinitePair pair{{0.5, 0.375, 0.125}, {0.125, 0.375, 0.5}};
    for (const std::uint64_t most : {0, 1, 10, 60}) {
        const WorkLimit limit(most);
        std::uint64_t samples = 0;
        const TradeOffCurve curve = sampled_curve(
            [&](double epsilon) {
                count_work(1);
                ++samples;
                return pair.at(epsilon);
            },
            {.reach = 4.5});
        CHECK(samples == most);
        require_contained(pair, curve, 1.0);
    }
}

TEST_CASE("pieces of the upper side tile the levels and lie on it", "[trade_off]") {
    const FinitePair pair{{0.5, 0.375, 0.125}, {0.125, 0.375, 0.5}};
    const TradeOffCurve curve = curve_of(pair, 2.0);
    double end = 0.0;
    for (const TradeOffCurve::Piece& piece : curve.outer_pieces(TestDirection::removal)) {
        CHECK(piece.from == end);
        CHECK(piece.to > piece.from);
        const double upper = curve.true_positive_rate(piece.to, TestDirection::removal).upper;
        CHECK(static_cast<double>(piece.power_to) >= upper * (1.0 - 1e-12));
        end = piece.to;
    }
    CHECK(end == Approx(0.125));  // beyond it the ratio is 1 or less
}

TEST_CASE("regret of a pair beside itself is nothing", "[trade_off]") {
    const FinitePair pair{{0.5, 0.375, 0.125}, {0.125, 0.375, 0.5}};
    const TradeOffCurve curve = curve_of(pair, 2.0);
    const auto own = [&](double epsilon) { return pair.at(epsilon).removal; };
    CHECK(curve.largest_excess(own).lower == 0.0);
    CHECK(curve.largest_excess(own).upper < 1e-5);
    // Against a pair that shows everything: (1 - delta)/(1 + 1) at epsilon 0 is the largest.
    const auto everything = [](double) { return exactly(1.0); };
    const Enclosure excess = curve.largest_excess(everything);
    CHECK(excess.lower <= 0.3125);
    CHECK(excess.upper >= 0.3125);
    CHECK(excess.upper - excess.lower < 1e-3);
}

TEST_CASE("samples outside their domain are refused", "[trade_off]") {
    CHECK_THROWS_AS(TradeOffCurve(std::vector<DivergenceSample>{}), DomainError);
    CHECK_THROWS_AS(TradeOffCurve({{1.0, exactly(0.1), exactly(0.1)}}), DomainError);
    CHECK_THROWS_AS(TradeOffCurve({{0.0, exactly(1.5), exactly(0.1)}}), DomainError);
    const TradeOffCurve curve({{0.0, exactly(0.5), exactly(0.5)}});
    CHECK_THROWS_AS(curve.true_positive_rate(-0.1, TestDirection::worst), DomainError);
    CHECK_THROWS_AS(curve.type_two_error(1.1, TestDirection::worst), DomainError);
}

}  // namespace assay
