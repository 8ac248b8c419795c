#include "assay/datasets/dataset.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

std::size_t fields(const Dataset& data) {
    return data.shape.categories.size();
}

void require_sizes(const Dataset& data) {
    const auto& image = data.shape.image;
    const auto size = static_cast<std::size_t>(data.size());
    const auto values = static_cast<std::size_t>(data.shape.values);
    require(size >= 1, "examples", 0.0, "at least one");
    if (image != ImageShape{})
        require(image.channels * image.height * image.width == data.shape.values, "values",
                data.shape.values, "channels * height * width");
    require(data.values.size() == size * values, "values", static_cast<double>(data.values.size()),
            "the number of examples times the values of each");
    require(data.categories.size() == size * fields(data), "categories",
            static_cast<double>(data.categories.size()),
            "the number of examples times the fields of each");
    require(data.shape.classes >= 2, "classes", data.shape.classes, "at least 2");
}

void require_range(const char* what, std::int64_t example, std::int32_t value, std::int32_t count) {
    if (value < 0 || value >= count)
        throw DomainError(what, fmt::format("{} in example {}", value, example + 1),
                          fmt::format("0 .. {}", count - 1));
}

}  // namespace

std::span<const float> Dataset::values_of(std::int64_t example) const {
    const auto count = static_cast<std::size_t>(shape.values);
    return std::span(values).subspan(static_cast<std::size_t>(example) * count, count);
}

std::span<const std::int32_t> Dataset::categories_of(std::int64_t example) const {
    const auto count = shape.categories.size();
    return std::span(categories).subspan(static_cast<std::size_t>(example) * count, count);
}

void validate(const Dataset& data) {
    require_sizes(data);
    for (std::int64_t i = 0; i < data.size(); ++i) {
        for (const float value : data.values_of(i))
            if (!std::isfinite(value))
                throw DomainError("values", fmt::format("{} in example {}", value, i + 1),
                                  "finite");
        const auto categories = data.categories_of(i);
        for (std::size_t field = 0; field < categories.size(); ++field)
            require_range("categories", i, categories[field], data.shape.categories[field]);
        require_range("labels", i, data.labels[static_cast<std::size_t>(i)], data.shape.classes);
    }
}

Dataset select(const Dataset& data, std::span<const std::int64_t> indices) {
    Dataset chosen{data.name, data.shape, {}, {}, {}};
    chosen.values.reserve(indices.size() * static_cast<std::size_t>(data.shape.values));
    chosen.categories.reserve(indices.size() * fields(data));
    chosen.labels.reserve(indices.size());
    for (const std::int64_t i : indices) {
        const auto values = data.values_of(i);
        const auto categories = data.categories_of(i);
        chosen.values.insert(chosen.values.end(), values.begin(), values.end());
        chosen.categories.insert(chosen.categories.end(), categories.begin(), categories.end());
        chosen.labels.push_back(data.labels[static_cast<std::size_t>(i)]);
    }
    return chosen;
}

}  // namespace assay
