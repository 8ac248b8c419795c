#include "assay/batch_sampling/batch_sampling.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::int64_t most_examples = 4'294'967'295;  // examples have 32-bit numbers

constexpr std::array<std::pair<SamplingScheme, std::string_view>, 6> names{{
    {SamplingScheme::deterministic, "deterministic"},
    {SamplingScheme::shuffle, "shuffle"},
    {SamplingScheme::poisson, "poisson"},
    {SamplingScheme::fixed_size_without_replacement, "fixed-size-without-replacement"},
    {SamplingScheme::fixed_size_with_replacement, "fixed-size-with-replacement"},
    {SamplingScheme::balls_and_bins, "balls-and-bins"},
}};

void require_between(const char* parameter, std::int64_t value, std::int64_t least,
                     std::int64_t most) {
    if (value < least || value > most)
        throw DomainError(parameter, fmt::format("{}", value),
                          fmt::format("{} .. {}", least, most));
}

}  // namespace

std::string_view to_string(SamplingScheme scheme) {
    for (const auto& [known, name] : names)
        if (known == scheme) return name;
    throw DomainError("sampling", fmt::format("{}", static_cast<int>(scheme)), "a sampling scheme");
}

SamplingScheme sampling_scheme_from_string(std::string_view name) {
    std::string_view separator;
    std::string admissible;
    for (const auto& [scheme, known] : names) {
        if (known == name) return scheme;
        admissible += fmt::format("{}{}", separator, known);
        separator = ", ";
    }
    throw DomainError("sampling", fmt::format("{}", name), admissible);
}

void validate(const BatchSampling& sampling) {
    static_cast<void>(to_string(sampling.scheme));
    require_between("dataset-size", sampling.dataset_size, 1, most_examples);
    require_between("batch-size", sampling.batch_size, 1, sampling.dataset_size);
    if (sampling.maximum_batch_size)
        require_between("maximum-batch-size", *sampling.maximum_batch_size, sampling.batch_size,
                        most_examples);
}

std::int64_t batches_per_epoch(const BatchSampling& sampling) {
    validate(sampling);
    return (sampling.dataset_size + sampling.batch_size - 1) / sampling.batch_size;
}

}  // namespace assay
