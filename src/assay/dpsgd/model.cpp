#include "assay/dpsgd/model.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/random_streams.hpp"

namespace assay {

namespace {

/// Puts the layers of a network one after the other.
class Stages {
public:
    explicit Stages(const ExampleShape& shape) : shape_(shape) {}

    std::vector<Stage> operator()(const LogisticRegression&) { return affine(shape_.values, {}); }
    std::vector<Stage> operator()(const MultilayerPerceptron& network) {
        return affine(shape_.values, network.hidden);
    }
    std::vector<Stage> operator()(const ClickNetwork& network) {
        const Embedding embedding{shape_.values, network.embedding, shape_.categories};
        add(embedding, false);
        return affine(embedding.output_size(), network.hidden);
    }
    std::vector<Stage> operator()(const ConvolutionalNetwork& network) {
        Eigen::Index height = shape_.image.height;
        Eigen::Index width = shape_.image.width;
        Eigen::Index channels = shape_.image.channels;
        for (std::size_t i = 0; i < network.channels.size(); ++i) {
            const bool is_second = i % 2 == 1;
            const Eigen::Index outputs = network.channels[i];
            add(Convolution{height, width, channels, outputs}, !is_second);
            channels = outputs;
            if (!is_second) continue;
            Eigen::Index groups = std::min<Eigen::Index>(network.groups, channels);
            while (channels % groups != 0) --groups;
            add(GroupNorm{height * width, channels, groups}, true);
            add(MaxPool{height, width, channels}, false);
            height /= 2;
            width /= 2;
        }
        return affine(height * width * channels, network.hidden);
    }

private:
    template <class L>
    void add(const L& layer, bool relu) {
        stages_.push_back({layer, relu, parameters_});
        parameters_ += static_cast<std::size_t>(layer.parameter_count());
    }
    std::vector<Stage> affine(Eigen::Index inputs, const std::vector<int>& hidden) {
        for (const int units : hidden) {
            add(Dense{inputs, units}, true);
            inputs = units;
        }
        add(Dense{inputs, logit_count(shape_)}, false);
        return stages_;
    }

    const ExampleShape& shape_;
    std::vector<Stage> stages_;
    std::size_t parameters_ = 0;
};

/// Writes the initial parameters of a layer, which are 0 before.
template <class Real>
struct Initialise {
    Real* parameters;
    bool relu;
    RandomStream stream;

    void normal(Eigen::Index count, double deviation) {
        std::generate_n(parameters, count,
                        [&] { return static_cast<Real>(deviation * stream.normal()); });
    }
    [[nodiscard]] double deviation(Eigen::Index inputs) const {
        return std::sqrt((relu ? 2.0 : 1.0) / static_cast<double>(inputs));
    }

    void operator()(const Dense& layer) {
        normal(layer.inputs * layer.outputs, deviation(layer.inputs));
    }
    void operator()(const Convolution& layer) {
        // Group normalisation comes between the second of a pair and its ReLU: any scale serves.
        normal(9 * layer.inputs * layer.outputs, deviation(9 * layer.inputs));
    }
    void operator()(const GroupNorm& layer) { std::fill_n(parameters, layer.channels, Real(1)); }
    void operator()(const MaxPool&) {}
    void operator()(const Embedding& layer) {
        normal(layer.parameter_count(), 1.0 / std::sqrt(static_cast<double>(layer.dimension)));
    }
};

}  // namespace

template <class Real>
Model<Real>::Model(const Architecture& architecture, const ExampleShape& shape, std::uint64_t seed)
    : architecture_(architecture), shape_(shape) {
    validate(architecture, shape);
    stages_ = std::visit(Stages(shape_), architecture);
    const Stage& last = stages_.back();
    parameters_.assign(
        last.first_parameter + static_cast<std::size_t>(std::visit(
                                   [](const auto& l) { return l.parameter_count(); }, last.layer)),
        Real(0));
    for (std::size_t i = 0; i < stages_.size(); ++i)
        std::visit(
            Initialise<Real>{parameters_.data() + stages_[i].first_parameter, stages_[i].relu,
                             RandomStream(seed, Purpose::model_initialisation, i)},
            stages_[i].layer);
}

template class Model<float>;
template class Model<double>;

}  // namespace assay
