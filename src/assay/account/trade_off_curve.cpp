#include "assay/account/trade_off_curve.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

/// Relative slack for a few operations in extended precision.
constexpr real slack = 0x1p-58L;

/// exp(epsilon) from both sides.
real exp_down(double epsilon) {
    return std::exp(static_cast<real>(epsilon)) * (1.0L - slack);
}
real exp_up(double epsilon) {
    return std::exp(static_cast<real>(epsilon)) * (1.0L + slack);
}

/// A line y + rate (t - x).
struct Line {
    real x;
    real y;
    real rate;
    [[nodiscard]] real at(real t) const { return y + rate * (t - x); }
    /// From below, the rounding of `at` included.
    [[nodiscard]] real below(real t) const {
        return at(t) - slack * (std::fabs(y) + std::fabs(rate) * std::fabs(t - x));
    }
};

}  // namespace

std::string_view to_string(TestDirection direction) {
    switch (direction) {
        case TestDirection::worst: return "worst";
        case TestDirection::removal: return "removal";
        case TestDirection::addition: return "addition";
    }
    return "";
}

TradeOffCurve::Ray TradeOffCurve::make_ray(const std::vector<DivergenceSample>& samples,
                                           Enclosure DivergenceSample::*own,
                                           Enclosure DivergenceSample::*other) {
    const std::size_t n = samples.size();
    Ray ray;
    std::vector<real> low(n);   // abscissae rounded down: H there is no smaller
    std::vector<real> high(n);  // rounded up: H there is no larger
    for (std::size_t i = 0; i < n; ++i) {
        low[i] = i == 0 ? 1.0L : exp_down(samples[i].epsilon);
        high[i] = i == 0 ? 1.0L : exp_up(samples[i].epsilon);
        ray.upper.push_back({high[i], (samples[i].*own).upper});
    }
    const auto lower = [&](std::size_t i) { return static_cast<real>((samples[i].*own).lower); };
    const auto upper = [&](std::size_t i) { return static_cast<real>((samples[i].*own).upper); };
    // Slopes of chords that end on the left at i, or begin on the right at i + 1, from the side
    // that makes their extension a lower bound; the best of several chords.
    const auto left_rate = [&](std::size_t i) {
        real rate = -1.0L;  // H falls no faster
        if (i == 0 && n > 1) {
            // The chord from t = 1/s, where H = 1 - (1 - A(s))/s with the other divergence A.
            const real s = high[1];
            const real excess = s - 1.0L;
            const real fall = static_cast<real>((samples[1].*other).upper) - s * lower(0);
            const real least = -(1.0L + fall / excess);
            rate = std::max(rate, least - slack * (1.0L + (1.0L + s) / excess));
        }
        for (std::size_t back = 1; back <= i; back *= 2) {
            const real width = low[i] - high[i - back];
            if (width > 0.0L)
                rate = std::max(rate, (lower(i) - upper(i - back)) / width * (1.0L + slack));
        }
        return std::min(rate, 0.0L);
    };
    const auto right_rate = [&](std::size_t i) {
        real rate = 0.0L;  // H does not grow
        for (std::size_t on = 1; i + on < n; on *= 2) {
            const real width = high[i + on] - low[i];
            rate = std::min(rate, (upper(i + on) - lower(i)) / width * (1.0L - slack));
        }
        return rate;
    };
    for (std::size_t i = 0; i + 1 < n; ++i) {
        ray.lower.push_back({low[i], lower(i)});
        const Line left{low[i], lower(i), left_rate(i)};
        const Line right{low[i + 1], lower(i + 1), right_rate(i + 1)};
        real t = low[i];
        if (right.rate > left.rate) t = (right.at(0.0L) - left.at(0.0L)) / (left.rate - right.rate);
        // Any t between them will do; NaN falls to an end.
        t = t >= low[i] ? std::min(t, low[i + 1]) : low[i];
        ray.lower.push_back({t, std::max(0.0L, std::min(left.below(t), right.below(t)))});
    }
    // Beyond the last sample the extension of a chord, down to 0.
    ray.lower.push_back({low[n - 1], lower(n - 1)});
    const Line last{low[n - 1], lower(n - 1), left_rate(n - 1)};
    real end = low[n - 1];
    if (last.rate < 0.0L) end += lower(n - 1) / -last.rate * (1.0L - 4.0L * slack);
    ray.lower.push_back({end, 0.0L});
    return ray;
}

/// At epsilon 0 both directions are the total variation.
void share_total_variation(DivergenceSample& sample) {
    const Enclosure both{std::max(sample.removal.lower, sample.addition.lower),
                         std::min(sample.removal.upper, sample.addition.upper)};
    if (both.lower <= both.upper) sample.removal = sample.addition = both;
}

/// A divergence falls by no more than e^epsilon grows.
void limit_fall(std::vector<DivergenceSample>& samples, Enclosure DivergenceSample::*direction) {
    real before = 1.0L;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const real slope = std::exp(static_cast<real>(samples[i].epsilon));
        const real fall = slope * (1.0L + slack) - before * (1.0L - slack);
        before = slope;
        Enclosure& here = samples[i].*direction;
        const double least = round_down((samples[i - 1].*direction).lower - fall - slack);
        here.lower = std::max(here.lower, std::min(least, here.upper));
    }
}

TradeOffCurve::TradeOffCurve(std::vector<DivergenceSample> samples) : samples_(std::move(samples)) {
    require(!samples_.empty() && samples_.front().epsilon == 0.0, "samples",
            static_cast<double>(samples_.size()), "at least one, the first at epsilon 0");
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const DivergenceSample& sample = samples_[i];
        require(sample.epsilon <= 11'000.0 && (i == 0 || sample.epsilon > samples_[i - 1].epsilon),
                "epsilon", sample.epsilon, "increasing, up to 11000");
        for (const Enclosure& d : {sample.removal, sample.addition})
            require(d.lower >= 0.0 && d.lower <= d.upper && d.upper <= 1.0, "delta", d.upper,
                    "0 <= lower <= upper <= 1");
    }
    share_total_variation(samples_.front());
    for (Enclosure DivergenceSample::*direction :
         {&DivergenceSample::removal, &DivergenceSample::addition})
        limit_fall(samples_, direction);
    removal_ = make_ray(samples_, &DivergenceSample::removal, &DivergenceSample::addition);
    addition_ = make_ray(samples_, &DivergenceSample::addition, &DivergenceSample::removal);
    for (const Deficiency& piece : deficiencies()) gap_ = std::max(gap_, piece.depth);
    // Slopes beyond the last sample move at most its divergence.
    gap_ = std::max({gap_, samples_.back().removal.upper, samples_.back().addition.upper});
    gap_ = widen_up(gap_, 4);
}

const TradeOffCurve::Ray& TradeOffCurve::front(TestDirection direction) const {
    return direction == TestDirection::addition ? addition_ : removal_;
}
const TradeOffCurve::Ray& TradeOffCurve::back(TestDirection direction) const {
    return direction == TestDirection::addition ? removal_ : addition_;
}

Enclosure TradeOffCurve::true_positive_rate(double fpr, TestDirection direction) const {
    require(fpr >= 0.0 && fpr <= 1.0, "false positive rate", fpr, "0 <= rate <= 1");
    if (direction == TestDirection::worst) {
        const Enclosure removal = true_positive_rate(fpr, TestDirection::removal);
        const Enclosure addition = true_positive_rate(fpr, TestDirection::addition);
        return {std::max(removal.lower, addition.lower), std::max(removal.upper, addition.upper)};
    }
    // The distributions have the same null sets.
    if (fpr == 0.0) return exactly(0.0);
    const auto a = static_cast<real>(fpr);
    const real x = 1.0L - a;
    // H at slope 1/s is 1 - (1 - A(s))/s: the line there is 1 - (x - A)/s.
    const auto smallest = [&](std::vector<Node> Ray::*side, real rounding) {
        real least = 1.0L;
        for (const Node& node : front(direction).*side)
            least = std::min(least, (node.slope * a + node.height) * (1.0L + rounding));
        for (const Node& node : back(direction).*side)
            least = std::min(least, 1.0L - (x - node.height) / node.slope + rounding);
        return least;
    };
    const double upper = round_up(smallest(&Ray::upper, slack));
    const double lower = round_down(smallest(&Ray::lower, -slack));
    return {std::clamp(lower, fpr, 1.0), std::clamp(upper, fpr, 1.0)};
}

double TradeOffCurve::power_above(double fpr, TestDirection direction) const {
    require(fpr >= 0.0 && fpr <= 1.0, "false positive rate", fpr, "0 <= rate <= 1");
    if (direction == TestDirection::worst)
        return std::max(power_above(fpr, TestDirection::removal),
                        power_above(fpr, TestDirection::addition));
    if (fpr == 0.0) return 0.0;
    const auto a = static_cast<real>(fpr);
    const real x = 1.0L - a;
    // Values fall and then rise with the slope; every one of them is a bound.
    const auto smallest = [](const std::vector<Node>& nodes, const auto& value) {
        std::size_t low = 0;
        std::size_t high = nodes.size() - 1;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (value(nodes[middle]) <= value(nodes[middle + 1]))
                high = middle;
            else
                low = middle + 1;
        }
        return value(nodes[low]);
    };
    const real steep = smallest(front(direction).upper, [&](const Node& node) {
        return (node.slope * a + node.height) * (1.0L + slack);
    });
    const real flat = smallest(back(direction).upper, [&](const Node& node) {
        return 1.0L - (x - node.height) / node.slope + slack;
    });
    return std::clamp(round_up(std::min({1.0L, steep, flat})), fpr, 1.0);
}

Enclosure TradeOffCurve::type_two_error(double fpr, TestDirection direction) const {
    require(fpr >= 0.0 && fpr <= 1.0, "false positive rate", fpr, "0 <= rate <= 1");
    if (direction == TestDirection::worst) {
        const Enclosure removal = type_two_error(fpr, TestDirection::removal);
        const Enclosure addition = type_two_error(fpr, TestDirection::addition);
        return {std::min(removal.lower, addition.lower), std::min(removal.upper, addition.upper)};
    }
    if (fpr == 0.0) return exactly(1.0);
    const auto a = static_cast<real>(fpr);
    const real x = 1.0L - a;
    const auto largest = [&](std::vector<Node> Ray::*side, real rounding) {
        real most = 0.0L;
        for (const Node& node : front(direction).*side)
            most = std::max(most, 1.0L - (node.slope * a + node.height) + rounding);
        for (const Node& node : back(direction).*side)
            most = std::max(most, (x - node.height + rounding * (x + node.height)) / node.slope);
        return most;
    };
    const double lower = round_down(std::max(0.0L, largest(&Ray::upper, -slack)));
    const double upper = round_up(largest(&Ray::lower, slack));
    const double trivial = round_up(x);
    return {std::min(lower, trivial), std::min(upper, trivial)};
}

std::vector<TradeOffCurve::Deficiency> TradeOffCurve::deficiencies() const {
    std::vector<Deficiency> pieces;
    for (std::size_t i = 0; i + 1 < samples_.size(); ++i) {
        Deficiency piece{i, 0.0, 0.0, 0.0};
        for (const auto& [ray, own] : {std::pair{&removal_, &DivergenceSample::removal},
                                       std::pair{&addition_, &DivergenceSample::addition}}) {
            const Enclosure& here = samples_[i].*own;
            const Enclosure& next = samples_[i + 1].*own;
            // The gap is largest at the kink or at an end.
            const Node& kink = ray->lower[2 * i + 1];
            const real from = ray->upper[i].slope;
            const real to = ray->upper[i + 1].slope;
            const real part =
                to > from ? std::clamp((kink.slope - from) / (to - from), 0.0L, 1.0L) : 0.0L;
            const real chord = (1.0L - part) * here.upper + part * next.upper;
            const double depth = round_up((chord - kink.height) * (1.0L + slack) + 0x1p-70L);
            const double gap = std::max(here.upper - here.lower, next.upper - next.lower);
            piece.depth = std::max({piece.depth, depth, widen_up(gap, 1)});
            piece.gap = std::max(piece.gap, gap);
            piece.height = std::max(piece.height, here.upper);
        }
        pieces.push_back(piece);
    }
    return pieces;
}

std::vector<TradeOffCurve::Piece> TradeOffCurve::outer_pieces(TestDirection direction) const {
    const std::vector<Node>& cuts = front(direction).upper;
    std::vector<Node> hull;  // slopes descending: levels ascending
    const auto meet = [](const Node& one, const Node& other) {
        return (other.height - one.height) / (one.slope - other.slope);
    };
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
        while (hull.size() > 1 &&
               meet(hull.back(), *cut) <= meet(hull[hull.size() - 2], hull.back()))
            hull.pop_back();
        hull.push_back(*cut);
    }
    // Whatever the roundings above: each line is a bound, and the pieces tile.
    std::vector<Piece> pieces;
    double from = 0.0;
    for (std::size_t i = 0; i + 1 < hull.size(); ++i) {
        const auto to = static_cast<double>(meet(hull[i], hull[i + 1]));
        if (!(to > from) || to > 1.0) continue;
        const auto at = [&](double a) {
            return (hull[i].slope * static_cast<real>(a) + hull[i].height) * (1.0L + slack);
        };
        pieces.push_back({from, to, at(from), at(to)});
        from = to;
    }
    return pieces;
}

Enclosure TradeOffCurve::largest_excess(
    const std::function<Enclosure(double epsilon)>& other) const {
    std::vector<Enclosure> values;
    for (const DivergenceSample& sample : samples_) values.push_back(other(sample.epsilon));
    real lower = 0.0L;
    real upper = 0.0L;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const real t = removal_.upper[i].slope;
        const double delta = std::max(samples_[i].removal.upper, samples_[i].addition.upper);
        const real excess = static_cast<real>(values[i].lower) - delta;
        lower = std::max(lower, (excess - slack) / (1.0L + t));
        if (i + 1 == samples_.size()) {
            upper = std::max(upper, values[i].upper / (1.0L + t) * (1.0L + 4.0L * slack));
            break;
        }
        // On a piece the chord above `other` less the lower side of H is linear in t, and divided
        // by 1 + t it is monotone: largest at an end of a piece.
        const real next = removal_.upper[i + 1].slope;
        const auto above = [&](real at) {
            const real part = std::clamp((at - t) / (next - t), 0.0L, 1.0L);
            return (1.0L - part) * values[i].upper + part * values[i + 1].upper;
        };
        real least = 1.0L;
        for (const Ray* ray : {&removal_, &addition_}) {
            real most = 0.0L;
            for (std::size_t j = 2 * i; j <= 2 * i + 2; ++j) {
                const Node& node = ray->lower[j];
                most = std::max(
                    most, (above(node.slope) - node.height + 4.0L * slack) / (1.0L + node.slope));
            }
            least = std::min(least, most);
        }
        upper = std::max(upper, least);
    }
    return {round_down(std::min(lower, upper)), round_up(upper)};
}

double TradeOffCurve::epsilon_at(double fpr, TestDirection direction) const {
    const auto a = static_cast<real>(fpr);
    real least = 2.0L;
    double best = 0.0;
    const std::vector<Node>& steep = front(direction).upper;
    for (std::size_t i = 0; i < steep.size(); ++i)
        if (const real value = steep[i].slope * a + steep[i].height; value < least) {
            least = value;
            best = samples_[i].epsilon;
        }
    const std::vector<Node>& flat = back(direction).upper;
    for (std::size_t i = 1; i < flat.size(); ++i)
        if (const real value = 1.0L - (1.0L - a - flat[i].height) / flat[i].slope; value < least) {
            least = value;
            best = samples_[i].epsilon;
        }
    return best;
}

namespace {

/// Samples sorted, each epsilon once.
std::vector<DivergenceSample> in_order(std::vector<DivergenceSample> samples) {
    std::stable_sort(samples.begin(), samples.end(),
                     [](const auto& a, const auto& b) { return a.epsilon < b.epsilon; });
    samples.erase(std::unique(samples.begin(), samples.end(),
                              [](const auto& a, const auto& b) { return a.epsilon == b.epsilon; }),
                  samples.end());
    return samples;
}

}  // namespace

TradeOffCurve sampled_around(const DivergenceSource& source, const TradeOffCurve& curve,
                             double epsilon) {
    std::vector<DivergenceSample> samples = curve.samples();
    double width = 0.0;  // to the neighbours
    for (std::size_t i = 0; i + 1 < samples.size(); ++i)
        if (samples[i].epsilon <= epsilon && epsilon <= samples[i + 1].epsilon)
            width = std::max(width, samples[i + 1].epsilon - samples[i].epsilon);
    within_part(1.0, [&] {
        for (int i = 0; i < 24; ++i, width *= 0.6)
            for (const double at : {epsilon - width, epsilon + width})
                if (at > 0.0) samples.push_back(source(at));
    });
    return TradeOffCurve(in_order(std::move(samples)));
}

TradeOffCurve with_sample(const TradeOffCurve& curve, const DivergenceSample& sample) {
    std::vector<DivergenceSample> samples{sample};
    samples.insert(samples.end(), curve.samples().begin(), curve.samples().end());
    return TradeOffCurve(in_order(std::move(samples)));
}

TradeOffCurve sampled_curve(const DivergenceSource& source, const CurveAim& aim) {
    const int first = aim.reach > 0.0 ? 48 : 0;
    std::vector<DivergenceSample> samples;
    bool is_work_left = true;
    const auto take = [&](double epsilon) {
        is_work_left =
            is_work_left && within_part(1.0, [&] { samples.push_back(source(epsilon)); });
    };
    take(0.0);
    if (samples.empty()) samples.push_back({0.0, {0.0, 1.0}, {0.0, 1.0}});
    for (int i = 1; i <= first; ++i) take(aim.reach * (static_cast<double>(i) / first));
    if (aim.corner > 0.0 && aim.corner < aim.reach) take(aim.corner);
    samples = in_order(std::move(samples));
    constexpr int most_rounds = 8;
    for (int round = 1;; ++round) {
        TradeOffCurve curve(samples);
        struct Wanted {
            double excess;  // over what is allowed
            double epsilon;
        };
        std::vector<Wanted> wanted;
        for (const TradeOffCurve::Deficiency& piece : curve.deficiencies()) {
            const double allowed =
                std::min(aim.absolute, aim.relative * std::max(piece.height, aim.smallest_delta));
            const double excess = piece.depth - 1.6 * piece.gap;
            if (excess <= allowed || piece.height < aim.smallest_delta) continue;
            const double from = samples[piece.interval].epsilon;
            const double to = samples[piece.interval + 1].epsilon;
            // The depth falls with the square of the width.
            const int parts = std::clamp(static_cast<int>(std::sqrt(excess / allowed)) + 1, 2, 16);
            for (int i = 1; i < parts; ++i) {
                const double between = from + (to - from) * i / parts;
                if (between > from && between < to) wanted.push_back({excess / allowed, between});
            }
        }
        if (wanted.empty() || round == most_rounds || samples.size() >= aim.most_samples ||
            !is_work_left)
            return curve;
        // Where they are needed most, if not all of them may be taken.
        const std::size_t room = aim.most_samples - samples.size();
        if (wanted.size() > room) {
            std::sort(wanted.begin(), wanted.end(),
                      [](const Wanted& x, const Wanted& y) { return x.excess > y.excess; });
            wanted.resize(room);
        }
        for (const Wanted& next : wanted) take(next.epsilon);
        samples = in_order(std::move(samples));
    }
}

}  // namespace assay
