#include "assay/cli/phase_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/privacy/batches.hpp"

namespace assay::cli {

namespace {

constexpr std::int64_t most_records = 1'000'000'000'000'000;
constexpr std::int64_t most_steps = 1'000'000'000'000;
constexpr std::int64_t most_epochs = 100'000;

/// Batches of one pass over the data with the incomplete one.
std::int64_t most_batches(const PhaseInput& input) {
    return all_batches(*input.dataset_size, *input.batch_size);
}

class PhaseReader {
public:
    explicit PhaseReader(const Fields& fields) : fields_(fields) {}

    PhaseInput read(std::optional<std::int64_t> default_steps) {
        const std::string& sampling = required(fields_, "sampling", admitted_samplings);
        const std::string& noise =
            required(fields_, "noise-multiplier", "a positive finite number");
        noise_ = read_option(
            "noise-multiplier", noise, [](double x) { return x > 0.0; },
            "a positive finite number");
        read_sizes();
        const bool repeats_epochs = read_mechanism(sampling);
        if (repeats_epochs)
            read_epochs();
        else
            read_steps(sampling, default_steps);
        validate(result_.phase.mechanism);
        return result_;
    }

private:
    /// True for the samplers whose repetitions are epochs.
    bool read_mechanism(const std::string& sampling) {
        Mechanism& mechanism = result_.phase.mechanism;
        if (sampling == "poisson") {
            mechanism = SampledGaussian{noise_, probability(sampling)};
        } else if (sampling == "fixed-size-without-replacement") {
            mechanism = FixedSizeGaussian{noise_, probability(sampling)};
        } else if (sampling == "fixed-size-with-replacement") {
            refuse("sampling-probability", sampling, "it takes batch-size and dataset-size");
            require_sizes(sampling);
            mechanism = FixedSizeWithReplacementGaussian{noise_, *result_.batch_size,
                                                         *result_.dataset_size};
        } else if (sampling == "poisson-truncated") {
            refuse("sampling-probability", sampling, "it takes batch-size and dataset-size");
            require_sizes(sampling);
            const std::string& most =
                required(fields_, "maximum-batch-size", "where batches are cut");
            mechanism = TruncatedPoissonGaussian{
                noise_, *result_.batch_size, *result_.dataset_size,
                read_integer_option("maximum-batch-size", most, most_records)};
        } else if (sampling == "none") {
            for (const char* key : {"sampling-probability", "batch-size", "dataset-size"})
                refuse(key, sampling, "every record takes part in every step");
            mechanism = Gaussian{noise_};
        } else if (sampling == "balls-and-bins") {
            mechanism = BallsAndBins{noise_, batches(sampling)};
        } else if (sampling == "random-allocation") {
            const std::string& text =
                required(fields_, "allocations", "batches of an epoch for each record");
            mechanism = RandomAllocation{noise_, batches(sampling),
                                         read_integer_option("allocations", text, most_steps)};
        } else if (sampling == "shuffle") {
            mechanism = Shuffled{noise_, batches(sampling)};
        } else if (sampling == "deterministic") {
            mechanism = DeterministicBatches{noise_, batches(sampling)};
        } else {
            throw DomainError("sampling", sampling, std::string(admitted_samplings));
        }
        if (sampling != "poisson-truncated")
            refuse("maximum-batch-size", sampling, "it is for poisson-truncated alone");
        if (sampling != "random-allocation")
            refuse("allocations", sampling, "it is for random-allocation alone");
        return is_epoch_sampler(mechanism);
    }

    /// Batches in an epoch, as given or as |D|/|B| without the incomplete batch: epsilon is the
    /// larger, the fewer batches an epoch is spread over.
    std::int64_t batches(const std::string& sampling) {
        refuse("sampling-probability", sampling, "it takes batches-per-epoch");
        refuse("steps", sampling,
               "an epoch is accounted for as a whole: it takes batches-per-epoch, and epochs for "
               "how many");
        if (const std::string* text = find(fields_, "batches-per-epoch")) {
            for (const char* key : {"batch-size", "dataset-size"})
                if (const std::string* size = find(fields_, key))
                    throw DomainError(key, *size,
                                      "either the sizes or batches-per-epoch, not both");
            return read_integer_option("batches-per-epoch", *text, most_steps);
        }
        if (!result_.batch_size && !result_.dataset_size)
            throw Error(
                fmt::format("batches-per-epoch is missing: sampling {} takes it, or batch-size and "
                            "dataset-size",
                            sampling));
        require_sizes(sampling);
        return *result_.dataset_size / *result_.batch_size;
    }

    void read_epochs() {
        if (const std::string* text = find(fields_, "epochs"))
            result_.phase.repetitions = read_integer_option("epochs", *text, most_epochs);
    }

    void refuse(std::string_view key, const std::string& sampling, std::string_view reason) const {
        if (const std::string* text = find(fields_, key))
            throw DomainError(std::string(key), *text,
                              fmt::format("to be left out with sampling {}: {}", sampling, reason));
    }

    void require_sizes(const std::string& sampling) const {
        for (const char* key : {"batch-size", "dataset-size"})
            if (find(fields_, key) == nullptr)
                throw Error(
                    fmt::format("{} is missing: sampling {} takes batch-size and "
                                "dataset-size",
                                key, sampling));
    }

    void read_sizes() {
        if (const std::string* text = find(fields_, "batch-size"))
            result_.batch_size = read_integer_option("batch-size", *text, most_records);
        if (const std::string* text = find(fields_, "dataset-size"))
            result_.dataset_size = read_integer_option("dataset-size", *text, most_records);
        if (result_.batch_size && result_.dataset_size &&
            *result_.batch_size >= *result_.dataset_size)
            throw DomainError("batch-size", *find(fields_, "batch-size"),
                              fmt::format("less than the dataset-size {} (sampling none takes "
                                          "every record in every step)",
                                          *result_.dataset_size));
    }

    /// q, as given or as |B|/|D|.
    double probability(const std::string& sampling) const {
        const std::string* text = find(fields_, "sampling-probability");
        if (text == nullptr) {
            if (!result_.batch_size && !result_.dataset_size)
                throw Error(
                    fmt::format("sampling-probability is missing: sampling {} takes it, or "
                                "batch-size and dataset-size",
                                sampling));
            require_sizes(sampling);
            return ratio();
        }
        for (const char* key : {"batch-size", "dataset-size"})
            if (const std::string* size = find(fields_, key))
                throw DomainError(key, *size, "either the sizes or sampling-probability, not both");
        return read_option(
            "sampling-probability", *text, [](double q) { return q >= 0.0 && q < 1.0; },
            "0 <= q < 1 (sampling none takes every record in every step)");
    }

    [[nodiscard]] double ratio() const {
        return static_cast<double>(*result_.batch_size) /
               static_cast<double>(*result_.dataset_size);
    }

    void read_steps(const std::string& sampling, std::optional<std::int64_t> default_steps) {
        refuse("batches-per-epoch", sampling, "every batch is drawn anew: it takes steps");
        const std::string* steps = find(fields_, "steps");
        const std::string* epochs = find(fields_, "epochs");
        if (steps != nullptr && epochs != nullptr)
            throw DomainError("epochs", *epochs, "either steps or epochs, not both");
        if (steps != nullptr) {
            result_.phase.repetitions = read_integer_option("steps", *steps, most_steps);
        } else if (epochs != nullptr) {
            result_.epochs = read_option(
                "epochs", *epochs, [](double x) { return x > 0.0; }, "a positive number");
            // Epsilon grows with the steps: an incomplete batch, of data or of an epoch, counts.
            const double count = steps_of_epochs(*result_.epochs, steps_in_an_epoch());
            if (!(count >= 1.0 && count <= static_cast<double>(most_steps)))
                throw DomainError("epochs", *epochs,
                                  fmt::format("1 to {} steps, these are {}", most_steps, count));
            result_.phase.repetitions = static_cast<std::int64_t>(count);
        } else if (default_steps) {
            result_.phase.repetitions = *default_steps;
        } else {
            throw Error("steps is missing: steps or epochs");
        }
    }

    [[nodiscard]] double steps_in_an_epoch() const {
        if (result_.batch_size) return static_cast<double>(most_batches(result_));
        if (const auto* m = std::get_if<SampledGaussian>(&result_.phase.mechanism))
            return 1.0 / m->sampling_probability;
        if (const auto* m = std::get_if<FixedSizeGaussian>(&result_.phase.mechanism))
            return 1.0 / m->sampling_probability;
        return 1.0;
    }

    const Fields& fields_;
    double noise_ = 0.0;
    PhaseInput result_;
};

}  // namespace

PhaseInput read_phase(const Fields& fields, std::optional<std::int64_t> default_steps) {
    return PhaseReader(fields).read(default_steps);
}

Fields phase_fields(std::string_view text) {
    Fields fields;
    for (const std::string& field : list_items(text)) {
        const std::size_t equals = field.find('=');
        const std::string key = field.substr(0, equals);
        if (equals == field.npos ||
            std::find(phase_keys.begin(), phase_keys.end(), key) == phase_keys.end())
            throw DomainError(
                "phase", field,
                fmt::format("name=value with a name among {}", fmt::join(phase_keys, ", ")));
        if (!fields.emplace(key, field.substr(equals + 1)).second)
            throw DomainError("phase", field, "each name once");
    }
    return fields;
}

std::string PhaseInput::description() const {
    const bool repeats_epochs = is_epoch_sampler(phase.mechanism);
    const bool names_sizes =
        std::holds_alternative<FixedSizeWithReplacementGaussian>(phase.mechanism) ||
        std::holds_alternative<TruncatedPoissonGaussian>(phase.mechanism);
    std::string text = describe(phase.mechanism);
    if (batch_size && repeats_epochs) {
        text += fmt::format(" = floor(|D|/|B|) = floor({}/{})", *dataset_size, *batch_size);
        if (const std::int64_t most = most_batches(*this);
            most > complete_batches(*dataset_size, *batch_size))
            text += fmt::format(" ({} with the incomplete batch)", most);
    } else if (batch_size && !names_sizes) {
        text += fmt::format(" = {}/{}", *batch_size, *dataset_size);
    }
    text += fmt::format("; {} {}{}", phase.repetitions, repeats_epochs ? "epoch" : "step",
                        phase.repetitions == 1 ? "" : "s");
    if (epochs && batch_size) {
        text += fmt::format(" = ceil(epochs ceil(|D|/|B|)) = ceil({} * {})", *epochs,
                            most_batches(*this));
        const std::int64_t complete = complete_batches(*dataset_size, *batch_size);
        if (complete < most_batches(*this))
            text += fmt::format(" ({} where incomplete batches are dropped)",
                                std::floor(*epochs * static_cast<double>(complete)));
    } else if (epochs && !std::holds_alternative<Gaussian>(phase.mechanism)) {
        text += fmt::format(" = ceil(epochs / q), epochs = {}", *epochs);
    } else if (epochs) {
        text += fmt::format(" = ceil(epochs), epochs = {}", *epochs);
    }
    return text;
}

bool PhaseInput::has_rounded_probability() const {
    return batch_size && (std::holds_alternative<SampledGaussian>(phase.mechanism) ||
                          std::holds_alternative<FixedSizeGaussian>(phase.mechanism));
}

Json PhaseInput::to_json() const {
    Json json{{"sampling", sampling_name(phase.mechanism)},
              {"noise_multiplier", noise_multiplier(phase.mechanism)}};
    std::visit(
        [&](const auto& m) {
            if constexpr (requires { m.sampling_probability; })
                json["sampling_probability"] = m.sampling_probability;
            if constexpr (requires { m.batches_per_epoch; })
                json["batches_per_epoch"] = m.batches_per_epoch;
            if constexpr (requires { m.allocations; }) json["allocations"] = m.allocations;
            if constexpr (requires { m.maximum_batch_size; })
                json["maximum_batch_size"] = m.maximum_batch_size;
        },
        phase.mechanism);
    if (batch_size) json["batch_size"] = *batch_size;
    if (dataset_size) json["dataset_size"] = *dataset_size;
    if (is_epoch_sampler(phase.mechanism)) {
        json["epochs"] = phase.repetitions;
    } else {
        if (epochs) json["epochs"] = *epochs;
        json["steps"] = phase.repetitions;
    }
    return json;
}

}  // namespace assay::cli
