#include "assay/ldp/adaptive_estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/sample_quantile.hpp"

namespace assay {

namespace {

/// Blocks of random numbers behind this one are for estimates; those before for the stream.
constexpr std::uint64_t estimates = std::uint64_t{1} << 63U;

/// All draws are kept for their quantiles: at most 2 GB of them.
constexpr std::size_t most_numbers = std::size_t{1} << 28U;

AdaptiveSettings completed(AdaptiveSettings settings) {
    validate(settings.mechanism);
    const auto categories = static_cast<std::size_t>(settings.mechanism.categories);
    if (settings.prior.empty()) settings.prior.assign(categories, 1.0);
    return settings;
}

std::variant<LangevinSampler, GibbsSampler> sampler_of(const AdaptiveSettings& settings) {
    if (const auto* langevin = std::get_if<LangevinSettings>(&settings.sampler))
        return LangevinSampler(*langevin, settings.mechanism, settings.prior);
    return GibbsSampler(std::get<GibbsSettings>(settings.sampler), settings.mechanism,
                        settings.prior);
}

/// All steps at once, as the bits of langevin want it.
void advance(LangevinSampler& chain, const ResponseHistory& history, RandomStream& stream,
             int updates, std::span<double> trace, const std::function<void(int)>& progress) {
    chain.advance(history, stream, updates, trace);
    if (progress) progress(updates);
}

/// One after the other: many sets make each take its time.
void advance(GibbsSampler& chain, const ResponseHistory& history, RandomStream& stream, int updates,
             std::span<double> trace, const std::function<void(int)>& progress) {
    for (int i = 0; i < updates; ++i) {
        chain.advance(history, stream, 1, trace);
        if (!trace.empty()) trace = trace.subspan(chain.theta().size());
        if (progress) progress(1);
    }
}

}  // namespace

AdaptiveEstimator::AdaptiveEstimator(AdaptiveSettings settings)
    : settings_(completed(std::move(settings))),
      utilities_(settings_.mechanism),
      history_(settings_.mechanism),
      sampler_(sampler_of(settings_)),
      subset_(settings_.mechanism.categories),
      falling_(settings_.prior.size()) {
    if (const auto* rule = std::get_if<SemiAdaptive>(&settings_.rule))
        require(rule->mass > 0.0 && rule->mass < 1.0, "mass", rule->mass, "a number in (0, 1)");
}

const CategorySubset& AdaptiveEstimator::subset() {
    if (chosen_) return subset_;
    const std::span<const double> theta = current();
    subset_.rank_by(theta);
    for (std::size_t i = 0; i < falling_.size(); ++i)
        falling_[i] = theta[static_cast<std::size_t>(subset_.order()[i])];
    subset_.resize(choose_size(settings_.rule, utilities_, falling_));
    chosen_ = true;
    return subset_;
}

const ResponseDistribution& AdaptiveEstimator::distribution() {
    return utilities_.distribution(subset().size());
}

void AdaptiveEstimator::feed(int response) {
    take(subset(), response);
}

void AdaptiveEstimator::feed(const CategorySubset& subset, int response) {
    take(subset, response);
}

void AdaptiveEstimator::take(const CategorySubset& subset, int response) {
    history_.add(subset, response);
    sum_of_sizes_ += subset.size();
    RandomStream stream = stream_at(static_cast<std::uint64_t>(responses()));
    std::visit(
        [&](auto& sampler) { sampler.advance(history_, stream, sampler.settings().updates); },
        sampler_);
    chosen_ = false;
}

RandomStream AdaptiveEstimator::stream_at(std::uint64_t block) const {
    const bool langevin = std::holds_alternative<LangevinSampler>(sampler_);
    return {settings_.seed, langevin ? Purpose::langevin : Purpose::gibbs, block};
}

PosteriorEstimate AdaptiveEstimator::estimate(int updates, int discarded, double level,
                                              const std::function<void(int)>& progress) const {
    require(updates >= 1, "updates", updates, "an integer >= 1");
    require(discarded >= 0 && discarded < updates, "discarded", discarded,
            "an integer >= 0, below the updates");
    require(level > 0.0 && level < 1.0, "level", level, "a number in (0, 1)");
    const auto kept = static_cast<std::size_t>(updates - discarded);
    const auto categories = static_cast<std::size_t>(this->categories());
    if (kept > most_numbers / categories)
        throw DomainError("updates", fmt::format("{}", updates),
                          fmt::format("so many that {} draws of {} categories are kept at most",
                                      most_numbers / categories, categories));
    PosteriorEstimate estimate;
    estimate.level = level;
    estimate.draws = updates - discarded;
    std::vector<double> draws(kept * categories);
    RandomStream stream = stream_at(estimates | static_cast<std::uint64_t>(responses()));
    auto sampler = sampler_;
    std::visit(
        [&](auto& chain) {
            advance(chain, history_, stream, discarded, {}, progress);
            if constexpr (requires { chain.forget(); }) chain.forget();
            advance(chain, history_, stream, static_cast<int>(kept), draws, progress);
        },
        sampler);
    if (const auto* chain = std::get_if<LangevinSampler>(&sampler))
        estimate.mean_sum_phi = chain->mean_sum_phi();
    estimate.expected_sum_phi =
        std::accumulate(settings_.prior.begin(), settings_.prior.end(), 0.0);
    std::vector<double> column(kept);
    for (std::size_t i = 0; i < categories; ++i) {
        double sum = 0.0;
        for (std::size_t draw = 0; draw < kept; ++draw)
            sum += column[draw] = draws[draw * categories + i];
        estimate.mean.push_back(sum / static_cast<double>(kept));
        std::ranges::sort(column);
        estimate.lower.push_back(sample_quantile(column, 0.5 * (1.0 - level)));
        estimate.upper.push_back(sample_quantile(column, 0.5 * (1.0 + level)));
    }
    return estimate;
}

std::span<const double> AdaptiveEstimator::current() const {
    return std::visit([](const auto& sampler) { return sampler.theta(); }, sampler_);
}

double AdaptiveEstimator::mean_subset_size() const {
    return responses() == 0 ? 0.0
                            : static_cast<double>(sum_of_sizes_) / static_cast<double>(responses());
}

std::optional<double> AdaptiveEstimator::mean_sum_phi() const {
    const auto* chain = std::get_if<LangevinSampler>(&sampler_);
    if (chain == nullptr) return std::nullopt;
    return chain->mean_sum_phi();
}

void AdaptiveEstimator::save(const std::filesystem::path& path) const {
    EstimatorCourse course{.settings = settings_, .inputs = inputs_, .sum_of_sizes = sum_of_sizes_};
    if (const auto* chain = std::get_if<LangevinSampler>(&sampler_)) {
        course.sampler = chain->state();
    } else {
        course.sampler.phi.assign(current().begin(), current().end());
    }
    write_state(path, course, history_.responses(), history_.members_outside());
}

AdaptiveEstimator AdaptiveEstimator::restore(const std::filesystem::path& path) {
    EstimatorState state = read_state(path);
    try {
        AdaptiveEstimator estimator(std::move(state.course.settings));
        estimator.history_.assign(std::move(state.responses), state.members);
        estimator.sum_of_sizes_ = state.course.sum_of_sizes;
        estimator.inputs_ = std::move(state.course.inputs);
        if (auto* chain = std::get_if<LangevinSampler>(&estimator.sampler_)) {
            chain->assign(state.course.sampler);
        } else {
            std::get<GibbsSampler>(estimator.sampler_).assign(state.course.sampler.phi);
        }
        return estimator;
    } catch (const DomainError& error) {
        throw FileError(path.string(), 0,
                        std::string("this adaptive estimator is damaged: ") + error.what());
    }
}

}  // namespace assay
