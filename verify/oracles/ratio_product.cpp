#include "verify/oracles/ratio_product.hpp"

#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "verify/oracles/arb_lognormal_sum.hpp"
#include "verify/oracles/arb_numbers.hpp"
#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr double deviations = 7.5;   // of a normal quantile: tails below 1e-13
constexpr long shortfall_goal = 50;  // bits of a sum's put

Interval unit_interval(long bits) {
    return hull(Interval(0.0, bits), Interval(1.0, bits));
}

/// log(k)/c + c/2, the quantile at which X = k.
Interval quantile_of(const Interval& k, const Interval& c) {
    return log(k) / c + c / 2.0;
}

/// E (X - k)_+ and E (k - X)_+.
Interval lognormal_call(const Interval& k, const Interval& c) {
    const Interval z = quantile_of(k, c);
    return ratio_normal(c - z) - k * ratio_normal(-z);
}
Interval lognormal_shortfall(const Interval& k, const Interval& c) {
    const Interval z = quantile_of(k, c);
    return k * ratio_normal(z) - ratio_normal(z - c);
}

/// E (W - k)_+ >= 1 - k, with equality up to 1-q, where it is q.
Interval removal_excess(double q, const Interval& c, const Interval& k) {
    const Interval above = k - (1.0 - Interval(q, c.bits()));
    if (!above.is_positive()) return 1.0 - k;
    return q * lognormal_call(above / q, c);
}

/// E (1 - k W)_+ <= (1 - (1-q) k)_+.
Interval addition_excess(double q, const Interval& c, const Interval& k) {
    const Interval above = 1.0 / k - (1.0 - Interval(q, c.bits()));
    if (!above.is_positive()) return k * nonnegative(above) * unit_interval(k.bits());
    return k * q * lognormal_shortfall(above / q, c);
}

/// k >= 1. At W = k the root y = e^{cz} of s y^2 - 2 h y - k s = 0, s = q e^{-c^2/2}, h = (1-q)
/// (k-1)/2.
Interval antipodal_excess(double q, const Interval& c, const Interval& k) {
    const Interval rest = (1.0 - Interval(q, c.bits())) * (k - 1.0);
    const Interval s = q * exp(-square(c) / 2.0);
    const Interval h = nonnegative(rest) / 2.0;
    const Interval z = log((h + sqrt(square(h) + k * square(s))) / s) / c;
    return q * ratio_normal(c - z) - rest * ratio_normal(-z) - k * q * ratio_normal(-z - c);
}

double ratio_at(double q, double c, double z) {
    return 1.0 - q + q * std::exp(c * z - 0.5 * c * c);
}

/// Between the quantiles -d and c + d, as z runs from -1 to 1.
double spread(double c, double z) {
    return 0.5 * c + z * (0.5 * c + deviations);
}

/// Increasing, far enough apart that differences keep their digits.
std::vector<double> nodes_of(const RatioDistribution& distribution, int count) {
    constexpr double least_step = 1e-9;
    std::vector<double> nodes;
    for (int i = 0; i <= count; ++i) {
        const double node = distribution.quantile(2.0 * i / count - 1.0);
        if (nodes.empty() || node > nodes.back() * (1.0 + least_step)) nodes.push_back(node);
    }
    return nodes;
}

/// h at the nodes, and its slopes: slope(-1) from 0, slope(i) between i and i + 1, 1 in the end.
class ConvexValues {
public:
    ConvexValues(const std::vector<double>& nodes, const RatioDistribution& v, const Interval& k)
        : nodes_(nodes) {
        const long bits = k.bits();
        for (const double node : nodes) {
            const Interval u(node, bits);
            values_.push_back(u * v.excess(k / u));
        }
        slopes_.push_back(values_.front() / nodes.front());
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
            slopes_.push_back((values_[i + 1] - values_[i]) / step(i));
        slopes_.push_back(Interval(1.0, bits));
    }

    [[nodiscard]] int gaps() const { return static_cast<int>(nodes_.size()) - 1; }
    [[nodiscard]] const Interval& slope(int i) const {
        return slopes_[static_cast<std::size_t>(i + 1)];
    }
    [[nodiscard]] Interval step(std::size_t i) const {
        return Interval(nodes_[i + 1], values_.front().bits()) - nodes_[i];
    }
    /// Where the chord of the first gap is 0.
    [[nodiscard]] Interval foot() const {
        return Interval(nodes_.front(), values_.front().bits()) - values_.front() / slope(0);
    }
    /// Where the chords of the gaps beside gap i meet.
    [[nodiscard]] Interval meeting(int i) const {
        const auto at = static_cast<std::size_t>(i);
        return step(at) * (slope(i + 1) - slope(i)) / (slope(i + 1) - slope(i - 1)) + nodes_[at];
    }

private:
    const std::vector<double>& nodes_;
    std::vector<Interval> values_;
    std::vector<Interval> slopes_;
};

/// E (U - x)_+ for an x known to lie between two places with the calls `left` >= `right`.
Interval call_between(const RatioDistribution& u, const Interval& x, const Interval& left,
                      const Interval& right) {
    constexpr double narrow = 1e-7;
    if (!x.is_positive() || !(x.relative_width() < narrow)) return Interval::between(right, left);
    return u.excess(x);
}

}  // namespace

Interval ratio_normal(const Interval& x) {
    const long bits = x.bits();
    arb::Real ball;
    arb_set_interval_mpfr(ball, x.lower(), x.upper(), bits);
    arb::Real root;
    arb_sqrt_ui(root, 2, bits);
    arb_div(ball, ball, root, bits);
    arb_neg(ball, ball);
    arb_hypgeom_erfc(ball, ball, bits);
    arb_mul_2exp_si(ball, ball, -1);
    return arb::to_interval(ball, bits);
}

Interval mirrored_excess(const Interval& k,
                         const std::function<Interval(const Interval&)>& from_one) {
    if (mpfr_cmp_ui(k.lower(), 1) >= 0) return from_one(k);
    if (mpfr_cmp_ui(k.upper(), 1) <= 0) return 1.0 - k + k * from_one(1.0 / k);
    return from_one(Interval(1.0, k.bits())) + (1.0 - k) * unit_interval(k.bits());
}

RatioDistribution removal_ratio(double q, const Interval& c) {
    const double width = c.upper_double();
    return {[=](const Interval& k) { return removal_excess(q, c, k); },
            [=](double z) { return ratio_at(q, width, spread(width, z)); }};
}

RatioDistribution addition_ratio(double q, const Interval& c) {
    const double width = c.upper_double();
    return {[=](const Interval& k) { return addition_excess(q, c, k); },
            [=](double z) { return 1.0 / ratio_at(q, width, spread(width, -z)); }};
}

RatioDistribution symmetric_ratio(double q, const Interval& c) {
    const double width = c.upper_double();
    return {[=](const Interval& k) {
                return mirrored_excess(k,
                                       [&](const Interval& x) { return removal_excess(q, c, x); });
            },
            [=](double z) {
                const double quantile = 0.5 * width + std::abs(z) * (0.5 * width + deviations);
                const double ratio = ratio_at(q, width, quantile);
                return z < 0.0 ? 1.0 / ratio : ratio;
            }};
}

RatioDistribution antipodal_ratio(double q, const Interval& c) {
    const double width = c.upper_double();
    return {[=](const Interval& k) {
                return mirrored_excess(
                    k, [&](const Interval& x) { return antipodal_excess(q, c, x); });
            },
            [=](double z) {
                const double quantile = z * (width + deviations);
                return ratio_at(q, width, quantile) / ratio_at(q, width, -quantile);
            }};
}

RatioDistribution two_batches_ratio(double sigma, bool addition) {
    const auto mean = [c = 1.0 / sigma](double z) {
        return 0.5 * (ratio_at(1.0, c, spread(c, z)) + ratio_at(1.0, c, 0.5 * spread(c, z)));
    };
    const auto shortfall = [sigma](const Interval& k) {
        return arb::lognormal_shortfall(2, 2.0 * k, sigma, shortfall_goal) / 2.0;
    };
    if (addition)
        return {[=](const Interval& k) { return k * shortfall(1.0 / k); },
                [=](double z) { return 1.0 / mean(-z); }};
    return {[=](const Interval& k) { return shortfall(k) + 1.0 - k; }, mean};
}

Interval product_excess(const RatioDistribution& u, const RatioDistribution& v, const Interval& k,
                        int nodes) {
    widen_exponents();
    const std::vector<double> places = nodes_of(u, nodes);
    const ConvexValues h(places, v, k);
    std::vector<Interval> excesses;
    for (const double place : places) excesses.push_back(u.excess(Interval(place, k.bits())));
    const int last = h.gaps();
    Interval above = h.slope(-1);
    for (int i = 0; i <= last; ++i)
        above += (h.slope(i) - h.slope(i - 1)) * excesses[static_cast<std::size_t>(i)];
    // 0 up to the foot, then chords: of gap 0 to the first node, in gap i of i-1 and of i+1, and of
    // the last gap beyond.
    Interval below =
        h.slope(0) * call_between(u, h.foot(), Interval(1.0, k.bits()), excesses.front());
    for (int i = 0; i < last; ++i) {
        const Interval& left = excesses[static_cast<std::size_t>(i)];
        const Interval& right = excesses[static_cast<std::size_t>(i) + 1];
        below += (h.slope(i - 1) - h.slope(i)) * left;
        below += (h.slope(i + 1) - h.slope(i - 1)) * call_between(u, h.meeting(i), left, right);
    }
    below += (h.slope(last - 1) - h.slope(last)) * excesses.back();
    return Interval::between(below, above);
}

}  // namespace assay::verify
