#include "assay/dpsgd/training_plan.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cmath>
#include <string>

#include "assay/files/build_info.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

void require_privacy_parameters(const TrainingPlan& plan) {
    if (plan.clip_norm)
        require(*plan.clip_norm > 0.0 && std::isfinite(*plan.clip_norm), "clip norm",
                *plan.clip_norm, "a positive number");
    require(plan.noise_multiplier >= 0.0 && std::isfinite(plan.noise_multiplier),
            "noise multiplier", plan.noise_multiplier, "a finite number >= 0");
    require(plan.noise_multiplier == 0.0 || plan.clip_norm.has_value(), "noise multiplier",
            plan.noise_multiplier, "0 without a clip norm");
    if (plan.noise_multiplier > 0.0 && !plan.adjacency)
        throw DomainError("adjacency", "none",
                          "add-remove, replace-one or zero-out: with noise an account is kept");
}

std::string rule_text(const OptimiserOptions& options) {
    const auto text = [](const auto& rule) {
        if constexpr (std::is_same_v<std::decay_t<decltype(rule)>, Adam>)
            return fmt::format("adam {} {} {}", rule.mean_decay, rule.square_decay,
                               rule.stabiliser);
        else
            return fmt::format("gradient descent, momentum {}", rule.momentum);
    };
    return std::visit(text, options.rule);
}

template <class Value>
std::string text_or_none(const std::optional<Value>& value) {
    return value ? fmt::format("{}", *value) : "none";
}

}  // namespace

void validate(const TrainingPlan& plan, const Dataset& data) {
    validate(plan.sampling);
    require(plan.sampling.dataset_size == data.size(), "dataset size",
            static_cast<double>(plan.sampling.dataset_size), "the number of training examples");
    validate(plan.architecture, data.shape);
    validate(plan.optimiser);
    require_privacy_parameters(plan);
    require(plan.steps >= 1 && plan.steps < (std::int64_t{1} << 32), "steps",
            static_cast<double>(plan.steps), "1 .. 2^32 - 1");
}

std::uint32_t checksum(std::span<const float> numbers) {
    boost::crc_32_type crc;
    crc.process_bytes(numbers.data(), numbers.size_bytes());
    return crc.checksum();
}

std::uint32_t checksum(const Dataset& data) {
    boost::crc_32_type crc;
    crc.process_bytes(data.values.data(), data.values.size() * sizeof(float));
    crc.process_bytes(data.categories.data(), data.categories.size() * sizeof(std::int32_t));
    crc.process_bytes(data.labels.data(), data.labels.size() * sizeof(std::int32_t));
    return crc.checksum();
}

RunIdentity run_identity(const TrainingPlan& plan, const Dataset& data) {
    const BatchSampling& sampling = plan.sampling;
    const bool is_cosine = plan.optimiser.schedule == LearningRateSchedule::cosine;
    return {
        {"version", build_info().version},
        {"model", describe(plan.architecture)},
        {"data", data.name},
        {"examples", fmt::format("{}", data.size())},
        {"checksum", fmt::format("{:08x}", checksum(data))},
        {"sampling", std::string(to_string(sampling.scheme))},
        {"batch-size", fmt::format("{}", sampling.batch_size)},
        {"maximum-batch-size", text_or_none(sampling.maximum_batch_size)},
        {"sampling-seed", fmt::format("{}", sampling.seed)},
        {"clip-norm", text_or_none(plan.clip_norm)},
        {"noise-multiplier", fmt::format("{}", plan.noise_multiplier)},
        {"optimiser", rule_text(plan.optimiser)},
        {"learning-rate", fmt::format("{}", plan.optimiser.learning_rate)},
        {"schedule",
         is_cosine ? fmt::format("cosine over {}", plan.optimiser.total_steps) : "constant"},
        {"gradients", plan.path == GradientPath::streamed ? "streamed" : "materialised"},
        {"seed", fmt::format("{}", plan.seed)},
    };
}

}  // namespace assay
