#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// The layout of an image's values: channel after channel, row after row. All 0: not an image.
struct ImageShape {
    int channels = 0;
    int height = 0;
    int width = 0;

    friend bool operator==(const ImageShape&, const ImageShape&) = default;
};

/// What a model has to know of the examples that it is given.
struct ExampleShape {
    ImageShape image;                      // channels * height * width = values where it is one
    int values = 0;                        // real numbers in an example
    std::vector<std::int32_t> categories;  // how many values each categorical field takes
    int classes = 2;                       // labels are 0 .. classes-1

    friend bool operator==(const ExampleShape&, const ExampleShape&) = default;
};

/// Labelled examples in memory, example after example.
struct Dataset {
    std::string name;  // as printed on figures; that of a stand-in says so
    ExampleShape shape;
    std::vector<float> values;             // size() x shape.values
    std::vector<std::int32_t> categories;  // size() x shape.categories.size()
    std::vector<std::int32_t> labels;

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(labels.size()); }
    [[nodiscard]] std::span<const float> values_of(std::int64_t example) const;
    [[nodiscard]] std::span<const std::int32_t> categories_of(std::int64_t example) const;
};

/// Refuses sizes that do not fit each other, values that are not finite, and categories or labels
/// that are out of range, naming the first such example.
///   Throws     DomainError (examples, values, categories, labels)
void validate(const Dataset& data);

/// The examples of these indices, in their order.
[[nodiscard]] Dataset select(const Dataset& data, std::span<const std::int64_t> indices);

}  // namespace assay
