#include "assay/datasets/split.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

namespace {

enum class Part { training, validation, test };

struct Sizes {
    std::uint64_t training;
    std::uint64_t validation;
    std::uint64_t test;
};

Sizes sizes_of(std::int64_t examples, const HeldOut& held_out) {
    const auto [validation, test] = held_out;
    require(validation >= 0.0 && validation < 1.0, "validation share", validation, "[0, 1)");
    require(test >= 0.0 && validation + test < 1.0, "test share", test,
            "at least 0, and less than 1 with the validation share");
    const auto n = static_cast<double>(examples);
    const auto for_validation = std::llround(validation * n);
    const auto for_test = std::llround(test * n);
    const auto for_training = examples - for_validation - for_test;
    require(for_training >= 1 && (for_validation >= 1 || validation == 0.0) &&
                (for_test >= 1 || test == 0.0),
            "examples", n, "enough that no part of the split is empty");
    return {static_cast<std::uint64_t>(for_training), static_cast<std::uint64_t>(for_validation),
            static_cast<std::uint64_t>(for_test)};
}

Dataset empty_like(const Dataset& data, std::uint64_t examples) {
    Dataset part{data.name, data.shape, {}, {}, {}};
    part.values.reserve(examples * static_cast<std::size_t>(data.shape.values));
    part.categories.reserve(examples * data.shape.categories.size());
    part.labels.reserve(examples);
    return part;
}

void append(const Dataset& data, std::int64_t example, Dataset& part) {
    const auto values = data.values_of(example);
    const auto categories = data.categories_of(example);
    part.values.insert(part.values.end(), values.begin(), values.end());
    part.categories.insert(part.categories.end(), categories.begin(), categories.end());
    part.labels.push_back(data.labels[static_cast<std::size_t>(example)]);
}

/// Copies an example of the data to an earlier place in them.
void move_down(Dataset& data, std::int64_t from, std::int64_t to) {
    if (from == to) return;
    const auto values = data.values_of(from);
    const auto categories = data.categories_of(from);
    std::copy(values.begin(), values.end(),
              data.values.begin() + static_cast<std::ptrdiff_t>(values.size()) * to);
    std::copy(categories.begin(), categories.end(),
              data.categories.begin() + static_cast<std::ptrdiff_t>(categories.size()) * to);
    data.labels[static_cast<std::size_t>(to)] = data.labels[static_cast<std::size_t>(from)];
}

/// `part_of(example)` says where the examples 0, 1, .. go, and is asked once for each in order.
template <class PartOf>
DataSplit split(Dataset data, const Sizes& sizes, const PartOf& part_of) {
    DataSplit result{{}, empty_like(data, sizes.validation), empty_like(data, sizes.test)};
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) switch (part_of(i)) {
            case Part::training: move_down(data, i, kept++); break;
            case Part::validation: append(data, i, result.validation); break;
            case Part::test: append(data, i, result.test); break;
        }
    data.values.resize(sizes.training * static_cast<std::size_t>(data.shape.values));
    data.categories.resize(sizes.training * data.shape.categories.size());
    data.labels.resize(sizes.training);
    result.training = std::move(data);
    return result;
}

}  // namespace

DataSplit split_by_time(Dataset data, const HeldOut& held_out) {
    const Sizes sizes = sizes_of(data.size(), held_out);
    return split(std::move(data), sizes, [&](std::int64_t example) {
        const auto i = static_cast<std::uint64_t>(example);
        if (i < sizes.training) return Part::training;
        return i < sizes.training + sizes.validation ? Part::validation : Part::test;
    });
}

DataSplit split_at_random(Dataset data, const HeldOut& held_out, std::uint64_t seed) {
    const Sizes sizes = sizes_of(data.size(), held_out);
    RandomStream stream(seed, Purpose::data_split, 0);
    Sizes left = sizes;
    return split(std::move(data), sizes, [&](std::int64_t) {
        // The next example goes to a part with the chance that the part's free places have.
        std::uint64_t place = stream.below(left.training + left.validation + left.test);
        if (place < left.validation) {
            --left.validation;
            return Part::validation;
        }
        place -= left.validation;
        if (place < left.test) {
            --left.test;
            return Part::test;
        }
        --left.training;
        return Part::training;
    });
}

}  // namespace assay
