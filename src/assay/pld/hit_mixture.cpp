#include "assay/pld/hit_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/pld/normal_mass.hpp"

namespace assay {

namespace {

constexpr real infinity = std::numeric_limits<real>::infinity();

/// Hits whose probability, with all larger numbers', is below this part of that of any hit.
constexpr real negligible = 1e-60L;

/// Terms below 2^-76 of the largest are left out of a sum.
constexpr real smallest_term = 0x1p-76L;

}  // namespace

HitMixture::HitMixture(const DominatingPair::Draws& draws, real shift) : shift_(shift) {
    const auto batch = static_cast<real>(draws.batch_size);
    const auto others = static_cast<real>(draws.dataset_size - 1);
    require(draws.batch_size >= 1, "batch-size", static_cast<double>(batch), "at least 1");
    require(draws.dataset_size > draws.batch_size, "dataset-size",
            static_cast<double>(draws.dataset_size), "more than the batch size");
    none_ = std::exp(batch * std::log1p(-1.0L / (others + 1.0L)));
    real weight = none_;
    for (std::int64_t k = 1;; ++k) {
        const auto hits = static_cast<real>(k);
        weight *= (batch - hits + 1.0L) / (hits * others);
        if (weight == 0.0L) break;
        // The quotients of successive weights fall, and are at most 1/2 from the second on.
        if (k > 1 && 2.0L * weight <= negligible * hit_probability_) {
            beyond_ = 2.001L * weight;
            break;
        }
        weights_.push_back(weight);
        log_weights_.push_back(std::log(weight));
        hit_probability_ += weight;
    }
    for (std::size_t i = 0; i + 1 < weights_.size(); ++i) {
        const real odd = 2.0L * static_cast<real>(i) + 3.0L;
        step_.push_back(log_weights_[i + 1] - log_weights_[i] - 0.5L * odd * shift * shift);
    }
    for (std::size_t i = 0; i + 1 < step_.size(); ++i)
        falling_.push_back(std::exp(step_[i + 1] - step_[i]));
}

HitMixture::Excess HitMixture::excess(real z) const {
    const int last = static_cast<int>(weights_.size()) - 1;
    const real push = shift_ * z;
    // The quotient of term i+1 by term i is e^{push + step_[i]}, which falls with i.
    const auto largest = std::partition_point(step_.begin(), step_.end(),
                                              [&](real step) { return push + step > 0.0L; });
    const int peak = static_cast<int>(largest - step_.begin());
    const auto at = [](const std::vector<real>& values, int i) {
        return values[static_cast<std::size_t>(i)];
    };
    Excess found;
    real sum = 1.0L;
    real moment = static_cast<real>(peak + 1);
    found.lowest = found.highest = peak + 1;
    if (peak < last) {
        real quotient = std::exp(push + at(step_, peak));
        real term = 1.0L;
        for (int i = peak; i < last; ++i) {
            term *= quotient;
            if (term < smallest_term) break;
            sum += term;
            moment += term * static_cast<real>(i + 2);
            found.highest = i + 2;
            if (i + 1 < last) quotient *= at(falling_, i);
        }
    }
    if (peak > 0) {
        real quotient = std::exp(-(push + at(step_, peak - 1)));
        real term = 1.0L;
        for (int i = peak; i > 0; --i) {
            term *= quotient;
            if (term < smallest_term) break;
            sum += term;
            moment += term * static_cast<real>(i);
            found.lowest = i;
            if (i > 1) quotient *= at(falling_, i - 2);
        }
    }
    const real hits = static_cast<real>(peak + 1) * shift_;
    found.logarithm = at(log_weights_, peak) + hits * (z - 0.5L * hits) + std::log(sum);
    found.slope = shift_ * moment / sum;
    return found;
}

real HitMixture::ratio(real z) const {
    return none_ + std::exp(excess(z).logarithm);
}

/// log(e^loss - a_0), -infinity where there is none.
real HitMixture::log_target(real loss) const {
    if (loss > 40.0L) return loss;  // a_0 <= 1 is less than 2^-57 of it
    const real target = loss < -1.0L ? std::exp(loss) - none_ : std::expm1(loss) + hit_probability_;
    return target > 0.0L ? std::log(target) : -infinity;
}

real HitMixture::quantile(real loss, real near) const {
    if (std::isinf(loss)) return loss;
    const real target = log_target(loss);
    if (std::isinf(target)) return target;
    // No component exceeds the sum.
    real highest = infinity;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const real hits = static_cast<real>(i + 1) * shift_;
        highest = std::min(highest, (target - log_weights_[i]) / hits + 0.5L * hits);
    }
    // Newton's method for a convex increasing function: from the right it falls towards the root.
    real z = std::isfinite(near) ? std::min(near, highest) : highest;
    for (int i = 0; i < 200; ++i) {
        const Excess here = excess(z);
        const real rest = here.logarithm - target;
        z = std::min(z - rest / here.slope, highest);
        if (std::fabs(rest) < 0x1p-32L) break;  // the step has squared what was left
    }
    return z;
}

real HitMixture::mass(real a, real b) const {
    if (!(a < b)) return 0.0L;
    if (std::isfinite(a) && std::isfinite(b)) {
        const Excess left = excess(a);
        const Excess right = excess(b);
        const auto lowest = static_cast<real>(std::min(left.lowest, right.lowest));
        const auto highest = static_cast<real>(std::max(left.highest, right.highest));
        const real far = std::max({std::fabs(a), std::fabs(b), std::fabs(a - lowest * shift_),
                                   std::fabs(a - highest * shift_), std::fabs(b - lowest * shift_),
                                   std::fabs(b - highest * shift_)});
        if (is_short(b - a, far)) {
            const ShortRule rule(a, b);
            real sum = 0.0L;
            for (std::size_t i = 0; i < 4; ++i)
                sum += rule.weight[i] * normal_density(rule.node[i]) * ratio(rule.node[i]);
            return sum;
        }
    }
    real sum = none_ * normal_mass(a, b);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        sum += weights_[i] * normal_mass(a, b, static_cast<real>(i + 1) * shift_);
    }
    return sum;
}

real HitMixture::highest(real deviations) const {
    real highest = deviations;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const real square = deviations * deviations + 2.0L * log_weights_[i];
        if (square > 0.0L)
            highest = std::max(highest, static_cast<real>(i + 1) * shift_ + std::sqrt(square));
    }
    return highest;
}

}  // namespace assay
