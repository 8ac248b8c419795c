#include "assay/account/group.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

/// The same mechanism for a group as one record of larger norm, sampled when any of them is.
struct OfGroup {
    real group;
    Adjacency adjacency;

    [[nodiscard]] double smaller(double noise) const {
        return round_down(static_cast<real>(noise) / group * (1.0L - 0x1p-60L));
    }
    std::optional<Mechanism> operator()(const Gaussian& m) const {
        return Gaussian{smaller(m.noise_multiplier)};
    }
    std::optional<Mechanism> operator()(const DeterministicBatches& m) const {
        return DeterministicBatches{smaller(m.noise_multiplier), m.batches_per_epoch};
    }
    std::optional<Mechanism> operator()(const SampledGaussian& m) const {
        if (adjacency == Adjacency::replace_one) return std::nullopt;
        const real none = group * std::log1p(-static_cast<real>(m.sampling_probability));
        const double any = round_up(-std::expm1(none) * (1.0L + 0x1p-58L));
        if (any >= 1.0) return Gaussian{smaller(m.noise_multiplier)};
        return SampledGaussian{smaller(m.noise_multiplier), any};
    }
    std::optional<Mechanism> operator()(const auto&) const { return std::nullopt; }
};

}  // namespace

std::optional<Release> release_of_group(const Release& release, std::int64_t group) {
    Release own = release;
    for (Phase& phase : own.phases) {
        const std::optional<Mechanism> found =
            std::visit(OfGroup{static_cast<real>(group), release.adjacency}, phase.mechanism);
        if (!found) return std::nullopt;
        phase.mechanism = *found;
    }
    return own;
}

double group_divergence(const std::function<double(double fpr)>& power, double epsilon) {
    const real slope = std::exp(static_cast<real>(epsilon)) * (1.0L - 0x1p-58L);
    // On [from, to] the excess is at most power(to) - slope from. The part with the largest bound
    // is halved, on a logarithmic scale, until its bound is close to an excess that was seen.
    struct Part {
        real bound;
        double from;
        double to;
        double power_to;
        bool operator<(const Part& other) const { return bound < other.bound; }
    };
    const auto make = [&](double from, double to, double power_to) {
        const real bound = static_cast<real>(power_to) - slope * static_cast<real>(from);
        return Part{bound, from, to, power_to};
    };
    std::priority_queue<Part> parts;
    real seen = 0.0L;
    parts.push(make(0.0, 1.0, power(1.0)));
    constexpr int most_parts = 4000;
    constexpr real close = 1e-5L;
    constexpr double least_level = 1e-300;
    const auto halve_widest = [&] {
        const Part widest = parts.top();
        if (widest.bound <= seen * (1.0L + close) || widest.to <= least_level) return false;
        const double from = std::max(widest.from, least_level);
        const double middle =
            widest.from == 0.0 ? widest.to * 1e-3 : std::sqrt(from) * std::sqrt(widest.to);
        if (!(middle > widest.from && middle < widest.to)) return false;
        const double reached = power(middle);
        seen = std::max(seen, static_cast<real>(reached) - slope * static_cast<real>(middle));
        parts.pop();
        parts.push(make(widest.from, middle, reached));
        parts.push(make(middle, widest.to, widest.power_to));
        return true;
    };
    // Whatever the parts are, the largest of their bounds is one of the whole.
    within_part(0.2, [&] {
        for (int i = 0; i < most_parts && halve_widest(); ++i) {
        }
    });
    return std::clamp(round_up(parts.top().bound * (1.0L + 0x1p-58L)), 0.0, 1.0);
}

}  // namespace assay
