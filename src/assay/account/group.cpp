#include "assay/account/group.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

/// The same mechanism for a group as one record of larger norm, sampled when any of them is; with
/// replacement as one that is drawn as often as all of them.
struct OfGroup {
    std::int64_t records;
    Adjacency adjacency;

    [[nodiscard]] double smaller(double noise) const {
        return round_down(static_cast<real>(noise) / static_cast<real>(records) *
                          (1.0L - 0x1p-60L));
    }
    std::optional<Mechanism> operator()(const Gaussian& m) const {
        return Gaussian{smaller(m.noise_multiplier)};
    }
    std::optional<Mechanism> operator()(const DeterministicBatches& m) const {
        return DeterministicBatches{smaller(m.noise_multiplier), m.batches_per_epoch};
    }
    std::optional<Mechanism> operator()(const SampledGaussian& m) const {
        if (adjacency == Adjacency::replace_one) return std::nullopt;
        const real none =
            static_cast<real>(records) * std::log1p(-static_cast<real>(m.sampling_probability));
        const double any = round_up(-std::expm1(none) * (1.0L + 0x1p-58L));
        if (any >= 1.0) return Gaussian{smaller(m.noise_multiplier)};
        return SampledGaussian{smaller(m.noise_multiplier), any};
    }
    /// The i-th of them is in a batch without the ones before it with the probability B/(n - i),
    /// which is at most q/(1 - i q); q is within 2^-53 of B/n.
    std::optional<Mechanism> operator()(const FixedSizeGaussian& m) const {
        if (adjacency != Adjacency::add_remove) return std::nullopt;
        const real q = static_cast<real>(m.sampling_probability) * (1.0L + 0x1p-52L);
        real none = 0.0L;
        for (std::int64_t i = 0; i < records; ++i) {
            const real left = 1.0L - static_cast<real>(i) * q - 0x1p-60L;
            if (!(q < left)) return std::nullopt;
            none += std::log1p(-q / left);
        }
        none *= 1.0L + 8.0L * static_cast<real>(records) * unit_roundoff;
        const double any = round_up(-std::expm1(none) * (1.0L + 0x1p-58L));
        if (!(any < 1.0)) return std::nullopt;
        return FixedSizeGaussian{smaller(m.noise_multiplier), any};
    }
    std::optional<Mechanism> operator()(const FixedSizeWithReplacementGaussian& m) const {
        const std::int64_t one_of = m.dataset_size / records;
        if (adjacency != Adjacency::add_remove || one_of <= m.batch_size) return std::nullopt;
        return FixedSizeWithReplacementGaussian{m.noise_multiplier, m.batch_size, one_of};
    }
    std::optional<Mechanism> operator()(const auto&) const { return std::nullopt; }
};

/// Of the data sets between one and another with `others` + 1 records fewer or more: the parameters
/// with which the pair of any two neighbours among them is dominated, under add-remove.
struct OfAllSizes {
    real others;

    /// A batch of B >= 1 of n records: B/(n - i) is at most q/(1 - i q), i <= others.
    std::optional<Mechanism> operator()(const FixedSizeGaussian& m) const {
        const real q = static_cast<real>(m.sampling_probability) * (1.0L + 0x1p-52L);
        const real left = 1.0L - others * q - 0x1p-60L;
        if (!(left > 0.0L)) return std::nullopt;
        const double largest = round_up(q / left * (1.0L + 0x1p-60L));
        if (!(largest < 1.0)) return std::nullopt;
        return FixedSizeGaussian{m.noise_multiplier, largest};
    }
    std::optional<Mechanism> operator()(const FixedSizeWithReplacementGaussian& m) const {
        const std::int64_t smallest = m.dataset_size - static_cast<std::int64_t>(others);
        if (smallest <= m.batch_size) return std::nullopt;
        return FixedSizeWithReplacementGaussian{m.noise_multiplier, m.batch_size, smallest};
    }
    /// More records fill a batch more often; the rate is the same in all of them.
    std::optional<Mechanism> operator()(const TruncatedPoissonGaussian& m) const {
        const std::int64_t largest = m.dataset_size + static_cast<std::int64_t>(others);
        const auto expected =
            static_cast<std::int64_t>(std::ceil(static_cast<real>(m.sampling_probability()) *
                                                static_cast<real>(largest) * (1.0L + 0x1p-50L)));
        if (expected > m.maximum_batch_size || expected >= largest) return std::nullopt;
        return TruncatedPoissonGaussian{m.noise_multiplier, expected, largest,
                                        m.maximum_batch_size};
    }
    std::optional<Mechanism> operator()(const auto& m) const { return m; }
};

std::optional<Release> of_every_mechanism(const Release& release, const auto& of_mechanism) {
    Release found = release;
    for (Phase& phase : found.phases) {
        const std::optional<Mechanism> one = std::visit(of_mechanism, phase.mechanism);
        if (!one) return std::nullopt;
        phase.mechanism = *one;
    }
    return found;
}

}  // namespace

std::optional<Release> release_of_group(const Release& release, std::int64_t group) {
    return of_every_mechanism(release, OfGroup{group, release.adjacency});
}

std::optional<Release> release_of_all_sizes(const Release& release, std::int64_t group) {
    if (release.adjacency != Adjacency::add_remove) return release;  // one size, which is public
    return of_every_mechanism(release, OfAllSizes{static_cast<real>(group - 1)});
}

DivergenceProfile profile_of_group(const Release& release, std::int64_t group,
                                   const ProfileGoal& aim) {
    const std::optional<Release> sizes = release_of_all_sizes(release, group);
    const auto within = [&](double part, const Release& asked) {
        const WorkLimit share = part_of_work(part);
        return divergence_profile(asked, aim);
    };
    if (sizes && sizes->phases == release.phases) return within(1.0, release);
    DivergenceProfile profile = within(0.5, release);
    DivergenceSource above = [](double epsilon) {
        return DivergenceSample{epsilon, {0.0, 1.0}, {0.0, 1.0}};
    };
    if (sizes) {
        const DivergenceProfile other = within(1.0, *sizes);
        above = other.at;
        profile.reach = std::max(profile.reach, other.reach);
        profile.addition_ends = other.addition_ends;
        profile.upper_theorem = other.upper_theorem;
    }
    profile.at = [one = profile.at, above](double epsilon) {
        DivergenceSample sample = one(epsilon);
        const DivergenceSample other = above(epsilon);
        sample.removal.upper = other.removal.upper;
        sample.addition.upper = other.addition.upper;
        return sample;
    };
    return profile;
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
    // The slope may be infinite: nothing is subtracted at level 0.
    const auto excess = [&](double reached, double level) {
        return static_cast<real>(reached) - (level > 0.0 ? slope * static_cast<real>(level) : 0.0L);
    };
    const auto make = [&](double from, double to, double power_to) {
        return Part{excess(power_to, from), from, to, power_to};
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
        seen = std::max(seen, excess(reached, middle));
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
