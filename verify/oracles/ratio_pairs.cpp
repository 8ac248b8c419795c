#include "verify/oracles/ratio_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

using real = long double;

constexpr real farthest = 90;

/// Where an increasing function passes 0, to the last digit or so.
template <class Function>
real crossing(const Function& f) {
    real low = -farthest;
    real high = farthest;
    for (int i = 0; i < 90; ++i) {
        const real middle = (low + high) / 2;
        (f(middle) > 0 ? high : low) = middle;
    }
    return (low + high) / 2;
}

/// sup over half-lines, from one of them that is nearly best: between its end and the best one, at
/// most 1e-12 apart, the ratio misses its level by `rest` at most, under a density of `density`.
Interval nearly_best(const Interval& value, const Interval& rest, const Interval& density) {
    return Interval::between(value, value + abs(rest) * density * 1e-12);
}
Interval density_near(const Interval& z) {
    return exp(-square(z) / 2.0);
}

/// a_0, a_1, .., a_B
std::vector<Interval> hits(long B, long D, long bits) {
    const Interval one = 1.0 / Interval(static_cast<double>(D), bits);
    std::vector<Interval> weights;
    for (long k = 0; k <= B; ++k) {
        Interval weight = power(one, k) * power(1.0 - one, B - k);
        for (long i = 0; i < k; ++i)
            weight = weight * static_cast<double>(B - i) / static_cast<double>(i + 1);
        weights.push_back(weight);
    }
    return weights;
}

class HitSum {
public:
    HitSum(long B, long D, const Interval& c)
        : c_(c), shift_(c.upper_double()), weights_(hits(B, D, c.bits())) {
        for (const Interval& weight : weights_) rounded_.push_back(weight.upper_double());
    }

    [[nodiscard]] real ratio(real z) const {
        real sum = 0;
        for (std::size_t k = 0; k < rounded_.size(); ++k) {
            const real push = static_cast<real>(k) * shift_;
            sum += rounded_[k] * std::exp(push * z - push * push / 2);
        }
        return sum;
    }
    [[nodiscard]] Interval ratio(const Interval& z) const {
        Interval sum(0.0, c_.bits());
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const Interval push = static_cast<double>(k) * c_;
            sum += weights_[k] * exp(push * z - square(push) / 2.0);
        }
        return sum;
    }
    /// P-mass above z, or below it.
    [[nodiscard]] Interval mass(const Interval& z, bool above) const {
        Interval sum(0.0, c_.bits());
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const Interval distance = z - static_cast<double>(k) * c_;
            sum += weights_[k] * ratio_normal(above ? -distance : distance);
        }
        return sum;
    }
    [[nodiscard]] const Interval& none() const { return weights_.front(); }
    [[nodiscard]] Interval place(const Interval& k) const {
        const real wanted = k.upper_double();
        return Interval::extended(crossing([&](real z) { return ratio(z) - wanted; }), c_.bits());
    }
    [[nodiscard]] Interval removal(const Interval& k) const {
        if (!(k - none()).is_positive()) return 1.0 - k;
        const Interval z = place(k);
        return nearly_best(mass(z, true) - k * ratio_normal(-z), ratio(z) - k, density_near(z));
    }
    [[nodiscard]] Interval addition(const Interval& k) const {
        const Interval level = 1.0 / k;
        if (!(level - none()).is_positive()) return Interval(0.0, k.bits());
        const Interval z = place(level);
        return nearly_best(ratio_normal(z) - k * mass(z, false), k * (ratio(z) - level),
                           density_near(z));
    }
    [[nodiscard]] const std::vector<Interval>& weights() const { return weights_; }
    [[nodiscard]] real highest() const {
        return static_cast<real>(weights_.size() - 1) * shift_ + 7;
    }

private:
    Interval c_;
    real shift_;
    std::vector<Interval> weights_;
    std::vector<real> rounded_;
};

/// H_k(N_c || N_0)
Interval normal_excess(const Interval& k, const Interval& c) {
    const Interval z = log(k) / c + c / 2.0;
    return ratio_normal(c - z) - k * ratio_normal(-z);
}

/// E [W - k; Z > z] of W = 1-q + q X_c.
Interval excess_beyond(double q, const Interval& c, const Interval& k, const Interval& z) {
    return q * ratio_normal(c - z) + (1.0 - Interval(q, c.bits()) - k) * ratio_normal(-z);
}

/// Where W_c = k >= 1.
Interval place_of(double q, const Interval& c, const Interval& k) {
    return log(1.0 + (k - 1.0) / q) / c + c / 2.0;
}

/// H_1(N_{2r} on z > z_1) = H_1(N_r || N_0): the place at which the line through 1 begins.
Interval cut_place(const Interval& r) {
    const auto shift = static_cast<real>(r.upper_double());
    const auto tail = [](real z) { return std::erfc(z / std::sqrt(2.0L)) / 2; };
    const real whole = std::erf(shift / 2 / std::sqrt(2.0L));
    real low = shift;
    real high = 2 * shift + 12;
    for (int i = 0; i < 90; ++i) {
        const real middle = (low + high) / 2;
        (tail(middle - 2 * shift) - tail(middle) > whole ? low : high) = middle;
    }
    const Interval middle = Interval::extended(low, r.bits());
    return hull(middle * (1.0 - 1e-15), middle * (1.0 + 1e-15));
}

Interval null_removal(double q, const Interval& r, const Interval& z1, const Interval& k) {
    const Interval place = place_of(q, 2.0 * r, k);
    return excess_beyond(q, 2.0 * r, k, max(place, z1));
}
Interval null_addition(double q, const Interval& r, const Interval& k) {
    return excess_beyond(q, r, k, place_of(q, r, k));
}

real ratio_at(real q, real c, real z) {
    return 1 - q + q * std::exp(c * z - c * c / 2);
}

class LargestOf {
public:
    LargestOf(long T, const Interval& r)
        : others_(static_cast<double>(T - 1)), r_(r), shift_(r.upper_double()) {}

    /// The largest's distribution function with `shift` added to one coordinate.
    [[nodiscard]] Interval distribution(const Interval& z, double shifts) const {
        return ratio_normal(z - shifts * r_) * power(ratio_normal(z), static_cast<long>(others_));
    }
    /// 1 less it.
    [[nodiscard]] Interval tail(const Interval& z, double shifts) const {
        return ratio_normal(shifts * r_ - z) +
               ratio_normal(z - shifts * r_) *
                   (1.0 - power(ratio_normal(z), static_cast<long>(others_)));
    }
    [[nodiscard]] real ratio(real z) const { return density(z, 2) / density(z, 1); }
    [[nodiscard]] Interval removal(const Interval& k) const {
        const Interval z = place(k);
        return nearly_best(tail(z, 2.0) - k * tail(z, 1.0), slack(z), Interval(1.0, z.bits()));
    }
    [[nodiscard]] Interval addition(const Interval& k) const {
        const Interval z = place(1.0 / k);
        return nearly_best(distribution(z, 1.0) - k * distribution(z, 2.0), slack(z),
                           Interval(1.0, z.bits()));
    }

private:
    /// Of the largest, over e^{-z^2/2} Phi(z)^(T-2).
    [[nodiscard]] real density(real z, real shifts) const {
        const real mean = shifts * shift_;
        const real below = std::erfc((mean - z) / std::sqrt(2.0L)) / 2;
        const real all = std::erfc(-z / std::sqrt(2.0L)) / 2;
        return std::exp(mean * z - mean * mean / 2) * all + static_cast<real>(others_) * below;
    }
    [[nodiscard]] Interval place(const Interval& k) const {
        const real wanted = k.upper_double();
        real low = -8;
        real high = 2 * shift_ + 40;
        for (int i = 0; i < 90; ++i) {
            const real middle = (low + high) / 2;
            (ratio(middle) > wanted ? high : low) = middle;
        }
        return Interval::extended(low, r_.bits());
    }
    /// Ratios near the place differ from the level by less than that.
    [[nodiscard]] static Interval slack(const Interval& z) { return Interval(1e-3, z.bits()); }

    double others_;
    Interval r_;
    real shift_;
};

}  // namespace

RatioDistribution hits_ratio(long B, long D, const Interval& c, bool addition) {
    const HitSum sum(B, D, c);
    const auto node = [=](double z) {
        const real low = -7;
        const real high = sum.highest();
        return static_cast<double>(sum.ratio((low + high) / 2 + z * (high - low) / 2));
    };
    if (addition)
        return {[=](const Interval& k) { return sum.addition(k); },
                [=](double z) { return 1.0 / node(-z); }};
    return {[=](const Interval& k) { return sum.removal(k); }, node};
}

RatioDistribution told_hits_ratio(long B, long D, const Interval& c) {
    const HitSum sum(B, D, c);
    const auto from_one = [=](const Interval& k) {
        const Interval any = 1.0 - sum.none();
        const Interval level = 1.0 + (k - 1.0) / any;
        Interval total(0.0, k.bits());
        for (std::size_t j = 1; j < sum.weights().size(); ++j)
            total += sum.weights()[j] * normal_excess(level, static_cast<double>(j) * c);
        return total;
    };
    const auto any = 1.0 - static_cast<real>(sum.none().upper_double());
    const auto shift = static_cast<real>(c.upper_double());
    const auto last = static_cast<real>(sum.weights().size() - 1);
    return {[=](const Interval& k) { return mirrored_excess(k, from_one); },
            [=](double z) {
                const real top = last * shift;
                const auto ratio = static_cast<double>(
                    ratio_at(any, shift, shift / 2 + std::abs(static_cast<real>(z)) * (top + 7)));
                return z < 0.0 ? 1.0 / ratio : ratio;
            }};
}

RatioDistribution null_record_ratio(double q, const Interval& r, bool addition) {
    const Interval z1 = cut_place(r);
    const auto above = [=](const Interval& k) { return null_removal(q, r, z1, k); };
    const auto below = [=](const Interval& k) { return null_addition(q, r, k); };
    const auto excess = [=](const Interval& k) {
        const auto first = [&](const Interval& x) { return addition ? below(x) : above(x); };
        const auto second = [&](const Interval& x) { return addition ? above(x) : below(x); };
        if (mpfr_cmp_ui(k.lower(), 1) >= 0) return first(k);
        if (mpfr_cmp_ui(k.upper(), 1) <= 0) return 1.0 - k + k * second(1.0 / k);
        const Interval from = first(Interval(1.0, k.bits()));
        return from + (1.0 - k) * hull(Interval(0.0, k.bits()), Interval(1.0, k.bits()));
    };
    const auto shift = static_cast<real>(r.upper_double());
    const auto cut = static_cast<real>(z1.upper_double());
    const auto node = [=](double z) {
        const real away = std::abs(static_cast<real>(z));
        if (z < 0.0)
            return static_cast<double>(1 / ratio_at(q, shift, shift / 2 + away * (shift + 7)));
        return static_cast<double>(ratio_at(q, 2 * shift, cut + away * (2 * shift + 7)));
    };
    if (addition) return {excess, [=](double z) { return 1.0 / node(-z); }};
    return {excess, node};
}

Interval halved_excess(double q, const Interval& r, const Interval& k, bool addition) {
    const long bits = k.bits();
    const Interval rest = 1.0 - Interval(q, bits);
    // With y = e^{rz}: P - s Q > 0 where a y^2 - s b y + c (1-s) > 0.
    const Interval s = addition ? 1.0 / k : k;
    const Interval a = q * exp(-2.0 * square(r));
    const Interval b = s * q * exp(-square(r) / 2.0);
    const Interval discriminant = square(b) - 4.0 * a * rest * (1.0 - s);
    const auto tail = [&](const Interval& z, double shifts) {
        return rest * ratio_normal(-z) + q * ratio_normal(shifts * r - z);
    };
    if (!addition) {
        const Interval z = log((b + sqrt(nonnegative(discriminant))) / (2.0 * a)) / r;
        return nonnegative(tail(z, 2.0) - k * tail(z, 1.0));
    }
    if (!discriminant.is_positive()) return Interval(0.0, bits);
    const Interval root = sqrt(discriminant);
    const Interval high = log((b + root) / (2.0 * a)) / r;
    const Interval product = rest * (1.0 - s);
    if (!product.is_positive()) {
        const Interval below = (1.0 - tail(high, 1.0)) - k * (1.0 - tail(high, 2.0));
        return nonnegative(below);
    }
    const Interval low = log(2.0 * product / (b + root)) / r;
    return nonnegative(tail(low, 1.0) - tail(high, 1.0) - k * (tail(low, 2.0) - tail(high, 2.0)));
}

RatioDistribution largest_ratio(long T, const Interval& r, bool addition) {
    const LargestOf largest(T, r);
    const auto node = [=, shift = static_cast<real>(r.upper_double())](double z) {
        const real low = -6;
        const real high = 2 * shift + 8;
        return static_cast<double>(largest.ratio((low + high) / 2 + z * (high - low) / 2));
    };
    if (addition)
        return {[=](const Interval& k) { return largest.addition(k); },
                [=](double z) { return 1.0 / node(-z); }};
    return {[=](const Interval& k) { return largest.removal(k); }, node};
}

}  // namespace assay::verify
