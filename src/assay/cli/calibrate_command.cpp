#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "assay/account/account.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/account/solve.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/picture.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/help/wrap.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/numeric/side_by_side.hpp"

namespace assay::cli {

namespace calibrate_command {

constexpr const char* help =
    R"(Finds the smallest noise, or the largest other parameter, for a target.

Examples:
  assay calibrate --sampling poisson --adjacency add-remove --epsilon 2 \
      --sampling-probability 0.004 --steps 10000 --delta 1e-6
  assay calibrate --sampling balls-and-bins --adjacency zero-out --epsilon 4 \
      --batches-per-epoch 1000 --epochs 10 --delta 1e-8 --precision 0.01 --json
  assay calibrate --adjacency zero-out --epsilon 2 --delta 1e-6 \
      --phase sampling=none,steps=3 \
      --phase sampling=shuffle,noise-multiplier=4,batches-per-epoch=100
  assay calibrate --unknown steps --sampling poisson --adjacency add-remove \
      --noise-multiplier 1.1 --sampling-probability 0.004 \
      --fpr 1e-3 --tpr 0.01 --plot steps.svg

Prints a noise multiplier whose delta is certainly at most the one given, and a
slightly smaller one whose delta certainly exceeds it. With --phase or
--schedule the phases without a noise multiplier get it, the same for all.
With --unknown, the largest number of steps or epochs, sampling probability or
batch size that is certainly allowed, and one that certainly is not. Targets:
--epsilon and --delta, --fpr and --tpr, --mu, or --advantage.
)";

struct Options {
    PrivacyOptions privacy;
    std::optional<std::string> epsilon, delta, precision, fpr, tpr, mu, smallest_error, advantage;
    std::string unknown = "noise-multiplier";
    std::optional<std::string> plot;
};

bool is_probability(double x) {
    return x > 0.0 && x < 1.0;
}

/// One of the four kinds, by the options that are there.
RiskTarget read_target(const Options& options) {
    const int kinds = (options.epsilon || options.delta ? 1 : 0) +
                      (options.fpr || options.tpr ? 1 : 0) + (options.mu ? 1 : 0) +
                      (options.advantage ? 1 : 0);
    if (kinds > 1)
        throw Error("one target: --epsilon and --delta, --fpr and --tpr, --mu, or --advantage");
    if (options.smallest_error && !options.mu)
        throw DomainError("smallest-error", *options.smallest_error, "given with --mu alone");
    if (options.fpr || options.tpr)
        return PowerTarget{
            read_required("fpr", options.fpr, is_probability, "0 < rate < 1"),
            read_required("tpr", options.tpr, is_probability, "a rate above fpr and below 1")};
    if (options.mu) {
        MuTarget target{read_required(
                            "mu", options.mu, [](double x) { return x > 0.0; }, "a number > 0"),
                        0.0};
        if (options.smallest_error)
            target.smallest_error = read_required(
                "smallest-error", options.smallest_error,
                [](double x) { return x >= 0.0 && x < 0.5; }, "0 <= error < 0.5");
        return target;
    }
    if (options.advantage)
        return AdvantageTarget{
            read_required("advantage", options.advantage, is_probability, "0 < advantage < 1")};
    return PrivacyTarget{
        read_required(
            "epsilon", options.epsilon, [](double x) { return x >= 0.0; }, "a number >= 0"),
        read_required("delta", options.delta, is_probability, "0 < delta < 1")};
}

/// The target for a reader, and in JSON.
std::string target_text(const RiskTarget& target) {
    struct Text {
        std::string operator()(const PrivacyTarget& t) const {
            return fmt::format("({}, {})-private", t.epsilon, t.delta);
        }
        std::string operator()(const PowerTarget& t) const {
            return fmt::format(
                "enough for a true positive rate of at most {} at the false "
                "positive rate {}",
                t.true_positive_rate, t.false_positive_rate);
        }
        std::string operator()(const MuTarget& t) const {
            return fmt::format("{}-Gaussian private", t.mu);
        }
        std::string operator()(const AdvantageTarget& t) const {
            return fmt::format("enough for an advantage of at most {}", t.advantage);
        }
    };
    return std::visit(Text{}, target);
}
void put_target(Json& json, const RiskTarget& target) {
    struct Put {
        Json& json;
        void operator()(const PrivacyTarget& t) const {
            json["epsilon"] = t.epsilon;
            json["delta"] = t.delta;
        }
        void operator()(const PowerTarget& t) const {
            json["false_positive_rate"] = t.false_positive_rate;
            json["true_positive_rate"] = t.true_positive_rate;
        }
        void operator()(const MuTarget& t) const {
            json["mu"] = t.mu;
            json["smallest_error"] = t.smallest_error;
        }
        void operator()(const AdvantageTarget& t) const { json["advantage"] = t.advantage; }
    };
    std::visit(Put{json}, target);
}

/// The release with this noise where none is given.
Release with_noise(const ReleaseInput& input, double noise) {
    Release release = input.release;
    for (Phase& phase : release.phases)
        if (noise_multiplier(phase.mechanism) == 0.0) set_noise_multiplier(phase.mechanism, noise);
    return release;
}

/// What was looked for: its value that is enough, and one that is not, 0 or infinite where none was
/// seen; and the release with any value.
struct Threshold {
    std::string parameter;
    double enough;
    double not_enough;
    std::function<Release(double)> filled;
};

/// The risk from half to twice the answer, with the limit.
void draw(const Picture& picture, Json json, const RiskTarget& target, const Threshold& found,
          const Goal& goal) {
    if (!picture.is_wanted()) return;
    if (!(found.enough > 0.0)) throw Error("--plot: there is no answer to draw the risk around");
    constexpr std::array parts{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.4, 1.7, 2.0};
    const bool is_real =
        found.parameter == "noise_multiplier" || found.parameter == "sampling_probability";
    std::vector<Json> points(parts.size());
    side_by_side(parts.size(), [&](std::size_t i) {
        const double value =
            is_real ? parts[i] * found.enough : std::round(parts[i] * found.enough);
        try {
            const Release release = found.filled(value);
            // Close also where delta is far below the limit.
            const auto* privacy = std::get_if<PrivacyTarget>(&target);
            const Bracket here = privacy != nullptr ? delta(release, privacy->epsilon, goal)
                                                    : risk(release, target, goal);
            points[i] = {{"value", value},
                         {"lower", json_number(here.lower.value)},
                         {"upper", json_number(here.upper.value)}};
        } catch (const DomainError&) {
            // Twice the probability or the batch may be more than there is.
        }
    });
    std::erase_if(points, [](const Json& point) { return point.is_null(); });
    put_target(json, target);
    json["parameter"] = found.parameter;
    json["risk"] = risk_name(target);
    json["limit"] = limit_of(target);
    json["points"] = points;
    json["enough"] = found.enough;
    json["not_enough"] = json_number(found.not_enough);
    picture.draw(json);
}

Json report_json(const ReleaseInput& input, const RiskTarget& target, const Calibration& found,
                 double published) {
    Json json{{"quantity", "noise_multiplier"},
              {"adjacency", to_string(input.release.adjacency)},
              {"phases", input.phases_json()},
              {"lower", found.insufficient},
              {"upper", found.sufficient},
              {"published_upper", json_number(published)},
              {"precision", found.precision()},
              {"note", found.note.empty() ? Json(nullptr) : Json(found.note)},
              {fmt::format("{}_at_upper", risk_name(target)),
               {{"lower", side_json(found.delta.lower)}, {"upper", side_json(found.delta.upper)}}},
              {"assumptions", input.assumptions()},
              {"version", build_info().version}};
    json["release"] = release_json(with_noise(input, found.sufficient));
    put_target(json, target);
    return json;
}

std::string report_text(const ReleaseInput& input, const RiskTarget& target,
                        const Calibration& found, double published) {
    const std::string name = risk_name(target);
    std::string text = fmt::format(
        "noise multiplier {} is {}: {} in [{}, {}]\n", found.sufficient, target_text(target), name,
        text_not_above(found.delta.lower.value), text_not_below(found.delta.upper.value));
    if (found.insufficient > 0.0)
        text += fmt::format("noise multiplier {} is not\n", found.insufficient);
    text += std::isinf(published)
                ? "published theorems alone give no noise\n"
                : fmt::format("noise multiplier {} is enough by published theorems alone\n",
                              text_not_below(published));
    if (!found.note.empty())
        text += wrapped(fmt::format("relative precision {:.2g}: {}", found.precision(), found.note),
                        "  ", 4);
    text += "\n" + side_line("upper", found.delta.upper) + "\nphases\n";
    for (PhaseInput phase : input.phases) {
        if (noise_multiplier(phase.phase.mechanism) == 0.0)
            set_noise_multiplier(phase.phase.mechanism, found.sufficient);
        text += wrapped(phase.description(), "  ", 4);
    }
    text += "\nassumptions\n";
    for (const std::string& line : input.assumptions()) text += wrapped(line, "  ", 4);
    return text;
}

void run_noise(const Options& options, const RiskTarget& target, double precision, const Goal& goal,
               Streams& streams) {
    const Picture picture(options.plot, "calibration.py");
    const ReleaseInput input = read_release(options.privacy, std::nullopt, OpenNoise::allowed);
    double published = 0.0;
    const Calibration found = [&] {
        const WorkingNotice notice(streams.err, "looking for the noise");
        Calibration best = calibrate(input.release, target, precision, goal);
        published = published_noise(input.release, target, best, goal);
        return best;
    }();
    if (options.precision && found.precision() > precision)
        throw DomainError("precision", *options.precision,
                          fmt::format("about {:.2g} at best: the brackets of {} that the effort "
                                      "allows hide what is between "
                                      "noise {} and {}",
                                      found.precision(), risk_name(target), found.insufficient,
                                      found.sufficient));
    draw(picture, report_json(input, target, found, published), target,
         {"noise_multiplier", found.sufficient, found.insufficient,
          [&](double noise) { return with_noise(input, noise); }},
         goal);
    streams.out << (options.privacy.json
                        ? report_json(input, target, found, published).dump(2) + '\n'
                        : report_text(input, target, found, published));
}

/// The phase of the options, with a value that every sampler admits where the unknown is left out.
ReleaseInput read_open(const Options& options) {
    const std::string& unknown = options.unknown;
    if (!options.privacy.phases.empty() || options.privacy.schedule)
        throw DomainError("unknown", unknown, "noise-multiplier with --phase and --schedule");
    PrivacyOptions filled = options.privacy;
    const auto fill = [&](const char* name, const char* value) {
        if (!filled.fields.emplace(name, value).second)
            throw DomainError(name, filled.fields[name], "left out: it is looked for");
    };
    if (unknown == "steps" || unknown == "epochs")
        fill(unknown.c_str(), "1");
    else if (unknown == "sampling-probability")
        fill("sampling-probability", "0.5");
    else if (unknown == "batch-size")
        fill("batch-size", "1");
    else
        throw DomainError("unknown", unknown,
                          "noise-multiplier, steps, epochs, sampling-probability or batch-size");
    return read_release(filled);
}

LargestAllowed search_largest(const Options& options, const ReleaseInput& input,
                              const RiskTarget& target, double precision, const Goal& goal) {
    const PhaseInput& phase = input.phases.front();
    if (options.unknown == "sampling-probability")
        return largest_sampling_probability(input.release, 0, target, precision, goal);
    if (options.unknown == "batch-size")
        return largest_batch_size(input.release, 0, phase.dataset_size.value_or(0),
                                  phase.epochs.value_or(0.0), target, precision, goal);
    if (options.unknown == "epochs" && !is_epoch_sampler(phase.phase.mechanism))
        throw DomainError("unknown", "epochs", "steps, of a sampler that draws every batch anew");
    return largest_repetitions(input.release, 0, target, precision, goal);
}

/// The release with its open member at this value.
Release filled_with(const ReleaseInput& input, const std::string& key, double value) {
    Release release = input.release;
    Phase& phase = release.phases.front();
    if (key == "sampling_probability") {
        std::visit(
            [value](auto& mechanism) {
                if constexpr (requires { mechanism.sampling_probability = value; })
                    mechanism.sampling_probability = value;
            },
            phase.mechanism);
    } else if (key != "batch_size") {
        phase.repetitions = static_cast<std::int64_t>(value);
    } else {  // steps and batches of an epoch follow from it
        const PhaseInput& open = input.phases.front();
        Fields fields{
            {"sampling", std::string(sampling_name(open.phase.mechanism))},
            {"noise-multiplier", fmt::format("{}", noise_multiplier(open.phase.mechanism))},
            {"batch-size", fmt::format("{:.0f}", value)},
            {"dataset-size", fmt::format("{}", *open.dataset_size)}};
        if (const auto* cut = std::get_if<TruncatedPoissonGaussian>(&open.phase.mechanism))
            fields["maximum-batch-size"] = fmt::format("{}", cut->maximum_batch_size);
        if (is_epoch_sampler(open.phase.mechanism))
            fields["epochs"] = fmt::format("{}", open.phase.repetitions);
        else if (open.epochs)
            fields["epochs"] = fmt::format("{}", *open.epochs);
        else
            fields["steps"] = fmt::format("{}", open.phase.repetitions);
        phase = read_phase(fields, std::nullopt).phase;
    }
    return release;
}

void run_largest(const Options& options, const RiskTarget& target, double precision,
                 const Goal& goal, Streams& streams) {
    const Picture picture(options.plot, "calibration.py");
    const ReleaseInput input = read_open(options);
    const LargestAllowed found = [&] {
        const WorkingNotice notice(streams.err, "looking for the largest value");
        return search_largest(options, input, target, precision, goal);
    }();
    Json phases = input.phases_json();
    std::string key = options.unknown;
    std::replace(key.begin(), key.end(), '-', '_');
    phases.front()[key] = nullptr;
    if (key == "batch_size") {  // what follows from it
        if (phases.front().contains("sampling_probability"))
            phases.front()["sampling_probability"] = nullptr;
        if (phases.front().contains("batches_per_epoch"))
            phases.front()["batches_per_epoch"] = nullptr;
        if (input.phases.front().epochs) phases.front()["steps"] = nullptr;
    }
    draw(picture, {{"adjacency", to_string(input.release.adjacency)}, {"phases", phases}}, target,
         {key, found.allowed, found.refused,
          [&](double value) { return filled_with(input, key, value); }},
         goal);
    if (options.privacy.json) {
        Json json{
            {"quantity", key},
            {"adjacency", to_string(input.release.adjacency)},
            {"phases", phases},
            {"allowed", found.allowed},
            {"refused", json_number(found.refused)},
            {"is_monotone", found.is_monotone},
            {fmt::format("{}_at_allowed", risk_name(target)),
             {{"lower", side_json(found.risk.lower)}, {"upper", side_json(found.risk.upper)}}},
            {"note", found.note.empty() ? Json(nullptr) : Json(found.note)},
            {"assumptions", input.assumptions()},
            {"version", build_info().version}};
        json["release"] =
            found.allowed > 0.0 ? release_json(filled_with(input, key, found.allowed)) : Json();
        put_target(json, target);
        streams.out << json.dump(2) << '\n';
        return;
    }
    std::string text;
    if (found.allowed > 0.0)
        text += fmt::format("{} {} is {}: {} in {}\n", options.unknown, found.allowed,
                            target_text(target), risk_name(target), describe(found.risk));
    if (std::isfinite(found.refused))
        text += fmt::format("{} {} is not\n", options.unknown, found.refused);
    if (!found.note.empty()) text += wrapped(found.note, "  ", 4);
    text += "\n" + side_line("upper", found.risk.upper) + "\nassumptions\n";
    for (const std::string& line : input.assumptions()) text += wrapped(line, "  ", 4);
    streams.out << text;
}

void run(const Options& options, Streams& streams) {
    const RiskTarget target = read_target(options);
    const Goal goal = goal_of(effort_from_string(options.privacy.effort));
    double precision = goal.relative_gap;
    if (options.precision)
        precision = read_option(
            "precision", *options.precision, [](double x) { return x >= 1e-9 && x < 1.0; },
            "1e-9 <= precision < 1");
    if (options.unknown == "noise-multiplier")
        run_noise(options, target, precision, goal, streams);
    else
        run_largest(options, target, precision, goal, streams);
}

}  // namespace calibrate_command

void add_calibrate_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace calibrate_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("calibrate", help);
    add_release_options(*command, options->privacy,
                        "required in every phase, unless it is looked for");
    const auto add = [&](const char* name, std::optional<std::string>& target, const char* text) {
        command->add_option(name, target, text)->type_name("NUMBER");
    };
    add("--epsilon", options->epsilon, "target: epsilon >= 0, with --delta");
    add("--delta", options->delta, "target: 0 < delta < 1, with --epsilon");
    add("--fpr", options->fpr, "target: a false positive rate, with --tpr");
    add("--tpr", options->tpr, "target: the largest true positive rate there");
    add("--mu", options->mu, "target: mu of Gaussian privacy");
    add("--smallest-error", options->smallest_error,
        "with --mu, of the levels that count: both errors are at least this (0)");
    add("--advantage", options->advantage, "target: true less false positive rate");
    command
        ->add_option("--unknown", options->unknown,
                     "noise-multiplier, steps, epochs, sampling-probability or batch-size")
        ->type_name("NAME")
        ->capture_default_str();
    add("--precision", options->precision,
        "relative precision of the noise (that of the effort); given, it is refused where it "
        "cannot be reached");
    add_effort_option(*command, options->privacy);
    add_plot_option(*command, options->plot);
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
