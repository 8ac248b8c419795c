#include "assay/account/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "assay/account/search_work.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/batches.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double coarse = 0.1;
constexpr int most_evaluations = 40;
constexpr std::int64_t most_steps = 1'000'000'000'000;
constexpr std::int64_t most_epochs = 100'000;

/// One end of the brackets: where it was seen to satisfy the target, and where it was not.
struct Crossing {
    double satisfied = 0.0;
    double below = -infinity;  // log of that end over the target there
    double exceeded = infinity;
    double above = infinity;

    void include(double x, double height) {
        if (height <= 0.0 && x > satisfied) {
            satisfied = x;
            below = height;
        } else if (height > 0.0 && x < exceeded) {
            exceeded = x;
            above = height;
        }
    }
    [[nodiscard]] double width() const { return exceeded - satisfied; }
};

class Search {
public:
    Search(const std::function<Release(double)>& release_at, const RiskTarget& target,
           const ParameterDomain& domain, double precision, const Goal& goal)
        : release_at_(release_at),
          target_(target),
          domain_(domain),
          precision_(precision),
          goal_(goal),
          limit_(limit_of(target)) {}

    LargestAllowed run() {
        double x = domain_.low;
        evaluate(x);
        // Ever larger steps towards a value that is too large.
        double factor = 4.0;
        while (lower_.exceeded == infinity && upper_.exceeded == infinity && x < domain_.high) {
            x = snap(std::min(domain_.high, x * factor));
            factor = std::min(64.0, factor * 2.0);
            evaluate(x);
        }
        // The undecided region may reach beyond.
        while (lower_.exceeded == infinity && x < domain_.high && work_->is_left()) {
            x = snap(std::min(domain_.high, std::max(x * 1.25, x + 1.0)));
            if (++evaluations_ > most_evaluations) break;
            evaluate(x);
        }
        bool halve = false;
        while (++evaluations_ < most_evaluations && work_->is_left()) {
            Crossing& wider = relative(lower_) > relative(upper_) ? lower_ : upper_;
            if (is_done(wider)) break;
            const double next = between(wider, halve);
            halve = !halve;
            if (!(next > wider.satisfied && next < wider.exceeded)) break;
            evaluate(next);
        }
        work_.reset();
        LargestAllowed found;
        found.allowed = upper_.satisfied;
        found.refused = lower_.exceeded;
        found.upper = found.refused - (domain_.is_integer ? 1.0 : 0.0);
        found.risk =
            risk(release_at_(found.allowed > 0.0 ? found.allowed : domain_.low), target_, goal_);
        if (found.allowed == 0.0)
            found.note = fmt::format("{:.6g} is not seen to be allowed", domain_.low);
        else if (found.refused == infinity)
            found.note = fmt::format("nothing up to {:.6g} is seen to be refused", domain_.high);
        else if (!is_close(found.allowed, found.refused))
            found.note = "the brackets that the effort allows hide what is between";
        return found;
    }

private:
    [[nodiscard]] double snap(double x) const { return domain_.is_integer ? std::round(x) : x; }

    [[nodiscard]] bool is_close(double low, double high) const {
        return high < infinity &&
               (high - low <= precision_ * high || (domain_.is_integer && high - low <= 1.0));
    }
    [[nodiscard]] double relative(const Crossing& crossing) const {
        if (crossing.exceeded == infinity || crossing.satisfied == 0.0) return 0.0;
        return crossing.width() / crossing.exceeded;
    }
    [[nodiscard]] bool is_done(const Crossing& wider) const {
        const double width = std::max(relative(lower_), relative(upper_));
        if (width == 0.0) return true;
        if (is_close(upper_.satisfied, lower_.exceeded)) return true;
        return width <= 0.2 * precision_ || (domain_.is_integer && wider.width() <= 1.0);
    }
    [[nodiscard]] double between(const Crossing& crossing, bool halve) const {
        const double low = std::log(crossing.satisfied);
        const double high = std::log(crossing.exceeded);
        double part = 0.5;
        if (!halve && std::isfinite(crossing.below) && std::isfinite(crossing.above)) {
            part = std::clamp(-crossing.below / (crossing.above - crossing.below), 0.0, 1.0);
            // Beyond the interpolated place, towards the farther end.
            const double shift = std::min(0.4 * precision_ / (high - low), 0.2);
            part = std::clamp(part + (part < 0.5 ? shift : -shift), 0.02 * precision_, 1.0);
        }
        double x = snap(std::exp(low + (high - low) * part));
        if (!(x > crossing.satisfied)) x = crossing.satisfied + (domain_.is_integer ? 1.0 : 0.0);
        if (!(x < crossing.exceeded)) x = crossing.exceeded - (domain_.is_integer ? 1.0 : 0.0);
        if (x > crossing.satisfied && x < crossing.exceeded) return x;
        return 0.5 * (crossing.satisfied + crossing.exceeded);
    }
    void evaluate(double x) {
        const Release release = release_at_(x);
        double lower = 0.0;
        double upper = infinity;
        const auto compare = [&](double gap) {
            Goal goal = goal_;
            goal.relative_gap = gap;
            const Bracket found = risk(release, target_, goal, true);
            if (upper < infinity && found.gap() >= 1.0 - lower / upper) return;
            lower = found.lower.value;
            upper = found.upper.value;
        };
        work_->compare([&] {
            compare(std::max(coarse, goal_.relative_gap));
            if (!(upper <= limit_ || lower > limit_))
                compare(std::min(goal_.relative_gap, std::max(1e-6, 0.3 * precision_)));
        });
        const auto height = [&](double value) {
            return std::log(std::max(value, 1e-300) / limit_);
        };
        lower_.include(
            x, lower > limit_ ? std::max(height(lower), 1e-300) : std::min(height(lower), 0.0));
        upper_.include(
            x, upper > limit_ ? std::max(height(upper), 1e-300) : std::min(height(upper), 0.0));
        ++evaluations_;
    }

    const std::function<Release(double)>& release_at_;
    const RiskTarget& target_;
    ParameterDomain domain_;
    double precision_;
    Goal goal_;
    double limit_;
    Crossing lower_;  // of the lower sides: `exceeded` is certain
    Crossing upper_;  // of the upper sides: `satisfied` is certain
    int evaluations_ = 0;
    std::optional<SearchWork> work_{std::in_place};
};

const Phase& phase_at(const Release& release, std::size_t phase) {
    if (phase >= release.phases.size())
        throw DomainError("phase", fmt::format("{}", phase),
                          fmt::format("less than {}", release.phases.size()));
    return release.phases[phase];
}

std::string sampling_of(const Phase& phase) {
    return std::string(sampling_name(phase.mechanism));
}

}  // namespace

LargestAllowed largest_allowed(const std::function<Release(double)>& release_at,
                               const RiskTarget& target, const ParameterDomain& domain,
                               double precision, const Goal& goal) {
    validate(target);
    require(domain.low > 0.0 && domain.low <= domain.high && std::isfinite(domain.high), "domain",
            domain.low, "0 < low <= high < inf");
    require(precision >= 1e-9 && precision < 1.0, "precision", precision, "1e-9 <= precision < 1");
    const WorkLimit limit(most_work(goal.effort));
    return Search(release_at, target, domain, precision, goal).run();
}

LargestAllowed largest_repetitions(const Release& release, std::size_t phase,
                                   const RiskTarget& target, double precision, const Goal& goal) {
    const std::int64_t most =
        is_epoch_sampler(phase_at(release, phase).mechanism) ? most_epochs : most_steps;
    const auto at = [&](double x) {
        Release filled = release;
        filled.phases[phase].repetitions = static_cast<std::int64_t>(x);
        return filled;
    };
    return largest_allowed(at, target, {1.0, static_cast<double>(most), true}, precision, goal);
}

LargestAllowed largest_sampling_probability(const Release& release, std::size_t phase,
                                            const RiskTarget& target, double precision,
                                            const Goal& goal) {
    const Phase& open = phase_at(release, phase);
    if (!std::holds_alternative<SampledGaussian>(open.mechanism) &&
        !std::holds_alternative<FixedSizeGaussian>(open.mechanism))
        throw DomainError("sampling", sampling_of(open),
                          "poisson or fixed-size-without-replacement");
    const auto at = [&](double x) {
        Release filled = release;
        Mechanism& mechanism = filled.phases[phase].mechanism;
        if (auto* m = std::get_if<SampledGaussian>(&mechanism)) m->sampling_probability = x;
        if (auto* m = std::get_if<FixedSizeGaussian>(&mechanism)) m->sampling_probability = x;
        return filled;
    };
    constexpr double least = 1e-12;
    LargestAllowed found =
        largest_allowed(at, target, {least, 1.0 - 0x1p-53, false}, precision, goal);
    found.upper = std::min(found.upper, 1.0);
    return found;
}

LargestAllowed largest_batch_size(const Release& release, std::size_t phase,
                                  std::int64_t dataset_size, double epochs,
                                  const RiskTarget& target, double precision, const Goal& goal) {
    const Phase& open = phase_at(release, phase);
    if (dataset_size < 2)
        throw DomainError("dataset-size", fmt::format("{}", dataset_size), "at least 2");
    require(epochs >= 0.0 && std::isfinite(epochs), "epochs", epochs, "0 <= epochs < inf");
    if (std::holds_alternative<Gaussian>(open.mechanism) ||
        std::holds_alternative<RandomAllocation>(open.mechanism))
        throw DomainError("sampling", sampling_of(open), "one that draws batches");
    const auto size = static_cast<double>(dataset_size);
    const bool by_epochs = epochs > 0.0 && !is_epoch_sampler(open.mechanism);
    const auto at = [&](double x) {
        Release filled = release;
        Phase& changed = filled.phases[phase];
        std::visit(
            [&]<class M>(M& m) {
                if constexpr (requires { m.sampling_probability; })
                    m.sampling_probability = x / size;
                if constexpr (requires { m.dataset_size; }) {
                    m.batch_size = static_cast<std::int64_t>(x);
                    m.dataset_size = dataset_size;
                }
                if constexpr (EpochSampler<M>)
                    m.batches_per_epoch =
                        complete_batches(dataset_size, static_cast<std::int64_t>(x));
            },
            changed.mechanism);
        if (by_epochs)
            changed.repetitions = static_cast<std::int64_t>(steps_of_epochs(
                epochs,
                static_cast<double>(all_batches(dataset_size, static_cast<std::int64_t>(x)))));
        return filled;
    };
    const auto* cut = std::get_if<TruncatedPoissonGaussian>(&open.mechanism);
    const double most = cut == nullptr
                            ? size - 1.0
                            : std::min(size - 1.0, static_cast<double>(cut->maximum_batch_size));
    LargestAllowed found = largest_allowed(at, target, {1.0, most, true}, precision, goal);
    found.is_monotone =
        !by_epochs && cut == nullptr && !std::holds_alternative<Shuffled>(open.mechanism);
    found.upper = found.is_monotone ? std::min(found.upper, most) : most;
    if (!found.is_monotone) {
        found.note =
            "how the risk depends on the batch size is not known here: the size that is allowed "
            "certainly is, the one that is refused certainly is not, and nothing is said of "
            "other sizes" +
            (found.note.empty() ? std::string() : "; " + found.note);
    }
    return found;
}

}  // namespace assay
