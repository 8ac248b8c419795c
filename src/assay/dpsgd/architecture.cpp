#include "assay/dpsgd/architecture.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr int most_units = 1 << 16;

void require_layers(const char* name, const std::vector<int>& sizes) {
    for (const int size : sizes)
        require(size >= 1 && size <= most_units, name, size, "every layer 1 .. 65536");
}

void require_values_only(const ExampleShape& shape) {
    require(shape.values >= 1, "values", shape.values, "at least 1 for this network");
    require(shape.categories.empty(), "categories", static_cast<double>(shape.categories.size()),
            "none: categorical fields need the click network");
}

struct Validate {
    const ExampleShape& shape;

    void operator()(const LogisticRegression&) const { require_values_only(shape); }
    void operator()(const MultilayerPerceptron& network) const {
        require_values_only(shape);
        require_layers("hidden", network.hidden);
    }
    void operator()(const ConvolutionalNetwork& network) const {
        require_values_only(shape);
        require_layers("channels", network.channels);
        require_layers("hidden", network.hidden);
        require(!network.channels.empty(), "channels", 0.0, "at least one convolution");
        require(network.groups >= 1, "groups", network.groups, ">= 1");
        require(shape.image != ImageShape{}, "image", 0.0, "examples that are images");
        const auto pools = network.channels.size() / 2;
        const int side = std::min(shape.image.height, shape.image.width);
        require(pools < 31 && (side >> pools) >= 1, "image", side,
                "sides of at least 2 to the number of poolings");
    }
    void operator()(const ClickNetwork& network) const {
        require_layers("hidden", network.hidden);
        require(network.embedding >= 1 && network.embedding <= most_units, "embedding",
                network.embedding, "1 .. 65536");
        require(shape.values >= 1 || !shape.categories.empty(), "values", shape.values,
                "at least one value or categorical field");
        for (const std::int32_t count : shape.categories)
            require(count >= 1, "categories", count, "at least 1 in every field");
        require(logit_count(shape) == 1, "classes", shape.classes, "2 for the click network");
    }
};

std::string then(const std::vector<int>& hidden) {
    return hidden.empty() ? std::string() : fmt::format(", hidden {}", fmt::join(hidden, "-"));
}

struct Describe {
    std::string operator()(const LogisticRegression&) const { return "logistic regression"; }
    std::string operator()(const MultilayerPerceptron& network) const {
        return fmt::format("multilayer perceptron{}", then(network.hidden));
    }
    std::string operator()(const ConvolutionalNetwork& network) const {
        return fmt::format("convolutional network {}, at most {} groups{}",
                           fmt::join(network.channels, "-"), network.groups, then(network.hidden));
    }
    std::string operator()(const ClickNetwork& network) const {
        return fmt::format("click network, embedding {}{}", network.embedding,
                           then(network.hidden));
    }
};

}  // namespace

std::string describe(const Architecture& architecture) {
    return std::visit(Describe{}, architecture);
}

void validate(const Architecture& architecture, const ExampleShape& shape) {
    require(shape.classes >= 2 && shape.classes <= most_units, "classes", shape.classes,
            "2 .. 65536");
    std::visit(Validate{shape}, architecture);
}

int logit_count(const ExampleShape& shape) {
    return shape.classes == 2 && shape.image == ImageShape{} ? 1 : shape.classes;
}

}  // namespace assay
