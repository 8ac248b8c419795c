#include "assay/ldp/estimator_state.hpp"

#include <array>

#include "assay/files/state_file.hpp"

namespace assay {

namespace {

constexpr StateFormat format{"adaptive estimator", 3};

/// One of 0, .., count-1.
std::uint32_t read_choice(StateReader& reader, std::size_t count) {
    const auto value = reader.number<std::uint32_t>();
    if (value >= count) reader.refuse("a setting is none of those there are");
    return value;
}

void write_settings(StateWriter& writer, const AdaptiveSettings& settings) {
    writer.number(std::int32_t{settings.mechanism.categories});
    writer.number(settings.mechanism.epsilon);
    writer.number(settings.mechanism.budget_share);
    writer.number(static_cast<std::uint32_t>(settings.mechanism.variant));
    writer.number(static_cast<std::uint32_t>(settings.rule.index()));
    const auto* semi = std::get_if<SemiAdaptive>(&settings.rule);
    const auto* by_utility = std::get_if<ByUtility>(&settings.rule);
    writer.number(semi == nullptr ? 0.0 : semi->mass);
    writer.number(by_utility == nullptr ? 0U : static_cast<std::uint32_t>(by_utility->utility));
    writer.number(static_cast<std::uint32_t>(settings.sampler.index()));
    const auto* langevin = std::get_if<LangevinSettings>(&settings.sampler);
    const LangevinSettings steps = langevin == nullptr ? LangevinSettings{} : *langevin;
    const auto* gibbs = std::get_if<GibbsSettings>(&settings.sampler);
    writer.number(std::int32_t{gibbs == nullptr ? steps.updates : gibbs->updates});
    writer.number(std::int32_t{steps.subsample});
    writer.number(steps.step.first);
    writer.number(steps.step.delay);
    writer.number(steps.step.power);
    writer.numbers(settings.prior);
    writer.number(settings.seed);
}

AdaptiveSettings read_settings(StateReader& reader) {
    AdaptiveSettings settings;
    settings.mechanism.categories = reader.number<std::int32_t>();
    settings.mechanism.epsilon = reader.number<double>();
    settings.mechanism.budget_share = reader.number<double>();
    settings.mechanism.variant = static_cast<ResponseVariant>(read_choice(reader, 2));
    const auto rule = read_choice(reader, 3);
    const auto mass = reader.number<double>();
    const auto utility = static_cast<Utility>(read_choice(reader, all_utilities.size()));
    const std::array<SubsetRule, 3> rules{NonAdaptive{}, SemiAdaptive{mass}, ByUtility{utility}};
    settings.rule = rules[rule];
    const auto sampler = read_choice(reader, 2);
    const auto updates = reader.number<std::int32_t>();
    LangevinSettings steps{.updates = updates, .subsample = reader.number<std::int32_t>()};
    steps.step.first = reader.number<double>();
    steps.step.delay = reader.number<double>();
    steps.step.power = reader.number<double>();
    settings.sampler = steps;
    if (sampler == 1) settings.sampler = GibbsSettings{.updates = updates};
    settings.prior = reader.numbers<double>();
    settings.seed = reader.number<std::uint64_t>();
    return settings;
}

}  // namespace

void write_state(const std::filesystem::path& path, const EstimatorCourse& course,
                 std::span<const ResponseHistory::Response> responses,
                 std::span<const std::uint64_t> members) {
    static_assert(sizeof(ResponseHistory::Response) == 8 && sizeof(TakenInput) == 24);
    StateWriter writer(format);
    constexpr std::size_t settings = 256;  // bytes, besides the prior
    writer.reserve(responses.size_bytes() + members.size_bytes() + settings +
                   (course.settings.prior.size() + course.sampler.phi.size()) * sizeof(double));
    write_settings(writer, course.settings);
    writer.numbers(responses);
    writer.numbers(members);
    writer.number(course.sum_of_sizes);
    writer.numbers(course.sampler.phi);
    writer.number(course.sampler.sum_of_sums);
    writer.number(course.sampler.updates);
    writer.numbers(course.inputs);
    writer.write(path);
}

EstimatorState read_state(const std::filesystem::path& path) {
    StateReader reader(path, format);
    EstimatorState state;
    state.course.settings = read_settings(reader);
    state.responses = reader.numbers<ResponseHistory::Response>();
    state.members = reader.numbers<std::uint64_t>();
    state.course.sum_of_sizes = reader.number<std::int64_t>();
    state.course.sampler.phi = reader.numbers<double>();
    state.course.sampler.sum_of_sums = reader.number<double>();
    state.course.sampler.updates = reader.number<std::int64_t>();
    state.course.inputs = reader.numbers<TakenInput>();
    reader.require_end();
    return state;
}

}  // namespace assay
