#include "assay/cli/release_input.hpp"

#include <algorithm>

#include "assay/cli/option_text.hpp"
#include "assay/privacy/assumptions.hpp"

namespace assay::cli {

std::vector<std::string> ReleaseInput::assumptions() const {
    std::vector<std::string> lines = assay::assumptions(release);
    if (std::any_of(phases.begin(), phases.end(),
                    [](const PhaseInput& phase) { return phase.has_rounded_probability(); }))
        lines.emplace_back(
            "q is the double nearest to |B|/|D|, the same for both neighbours; the bounds hold for "
            "that q");
    return lines;
}

Json ReleaseInput::phases_json() const {
    Json list = Json::array();
    for (const PhaseInput& phase : phases) {
        list.push_back(phase.to_json());
        if (noise_multiplier(phase.phase.mechanism) == 0.0)
            list.back()["noise_multiplier"] = nullptr;
    }
    return list;
}

Json release_json(const Release& release) {
    Json phases = Json::array();
    for (const Phase& phase : release.phases) {
        const double noise = noise_multiplier(phase.mechanism);
        Json json{{"sampling", sampling_name(phase.mechanism)},
                  {"noise_multiplier", noise == 0.0 ? Json() : Json(noise)}};
        std::visit(
            [&](const auto& m) {
                if constexpr (requires { m.sampling_probability; })
                    json["sampling_probability"] = m.sampling_probability;
                if constexpr (requires { m.batch_size; }) json["batch_size"] = m.batch_size;
                if constexpr (requires { m.dataset_size; }) json["dataset_size"] = m.dataset_size;
                if constexpr (requires { m.maximum_batch_size; })
                    json["maximum_batch_size"] = m.maximum_batch_size;
                if constexpr (requires { m.batches_per_epoch; })
                    json["batches_per_epoch"] = m.batches_per_epoch;
                if constexpr (requires { m.allocations; }) json["allocations"] = m.allocations;
            },
            phase.mechanism);
        json[is_epoch_sampler(phase.mechanism) ? "epochs" : "steps"] = phase.repetitions;
        phases.push_back(std::move(json));
    }
    return {{"adjacency", to_string(release.adjacency)}, {"phases", std::move(phases)}};
}

ReleaseInput read_release(const PrivacyOptions& options, std::optional<std::int64_t> default_steps,
                          OpenNoise open) {
    ReleaseInput input{
        Release(adjacency_from_string(required("adjacency", options.adjacency,
                                               "add-remove, replace-one or zero-out")),
                {}),
        read_standing(options),
        {}};
    for_each_phase(options, [&](const Fields& fields) {
        const bool is_open = open == OpenNoise::allowed && !fields.contains("noise-multiplier");
        Fields filled = fields;
        if (is_open) filled["noise-multiplier"] = "1";
        PhaseInput phase = read_phase(filled, default_steps);
        if (is_open) set_noise_multiplier(phase.phase.mechanism, 0.0);
        require_theorem(phase.phase.mechanism, input.release.adjacency);
        input.release.phases.push_back(phase.phase);
        input.phases.push_back(phase);
    });
    return input;
}

}  // namespace assay::cli
