#include "assay/dpsgd/network_pass.hpp"

#include <algorithm>
#include <deque>

#include "test_support/network_test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// A number in a program that is run backward by hand: scalar reverse mode, nothing else.
class Tape {
public:
    struct Node {
        double value;
        std::vector<std::pair<std::size_t, double>> parents;  // with the partial derivatives
    };
    using Id = std::size_t;

    Id number(double value) { return add({value, {}}); }
    Id plus(Id a, Id b) { return add({at(a) + at(b), {{a, 1.0}, {b, 1.0}}}); }
    Id minus(Id a, Id b) { return add({at(a) - at(b), {{a, 1.0}, {b, -1.0}}}); }
    Id times(Id a, Id b) { return add({at(a) * at(b), {{a, at(b)}, {b, at(a)}}}); }
    Id over(Id a, double b) { return add({at(a) / b, {{a, 1.0 / b}}}); }
    Id root(Id a) {
        const double r = std::sqrt(at(a));
        return add({r, {{a, 0.5 / r}}});
    }
    Id inverse(Id a) { return add({1.0 / at(a), {{a, -1.0 / (at(a) * at(a))}}}); }
    Id exponential(Id a) { return add({std::exp(at(a)), {{a, std::exp(at(a))}}}); }
    Id logarithm(Id a) { return add({std::log(at(a)), {{a, 1.0 / at(a)}}}); }
    Id larger(Id a, Id b) { return at(b) > at(a) ? b : a; }
    Id rectified(Id a) { return at(a) > 0.0 ? a : number(0.0); }
    [[nodiscard]] double at(Id a) const { return nodes_[a].value; }

    /// Derivatives of one number by all.
    [[nodiscard]] std::vector<double> derivatives(Id of) const {
        std::vector<double> d(nodes_.size(), 0.0);
        d[of] = 1.0;
        for (Id id = of + 1; id-- > 0;)
            for (const auto& [parent, partial] : nodes_[id].parents) d[parent] += partial * d[id];
        return d;
    }

private:
    Id add(Node node) {
        nodes_.push_back(std::move(node));
        return nodes_.size() - 1;
    }
    std::deque<Node> nodes_;
};

using Ids = std::vector<Tape::Id>;

/// Every network of the architectures by the formulas of the textbooks, one number at a time; an
/// image is kept as channel, row, column.
struct PlainNetwork {
    Tape& tape;
    const ExampleShape& shape;
    const Ids& parameters;
    std::span<const std::int32_t> categories;
    Ids values;
    std::size_t used = 0;  // parameters

    Tape::Id take(std::size_t k) const { return parameters[used + k]; }

    void affine(std::size_t outputs, bool rectify) {
        Ids out;
        for (std::size_t j = 0; j < outputs; ++j) {
            Tape::Id sum = take(values.size() * outputs + j);
            for (std::size_t k = 0; k < values.size(); ++k)
                sum = tape.plus(sum, tape.times(take(k * outputs + j), values[k]));
            out.push_back(rectify ? tape.rectified(sum) : sum);
        }
        used += (values.size() + 1) * outputs;
        values = out;
    }
    void all_affine(const std::vector<int>& hidden) {
        for (const int units : hidden) affine(static_cast<std::size_t>(units), true);
        affine(static_cast<std::size_t>(logit_count(shape)), false);
    }
    void operator()(const LogisticRegression&) { all_affine({}); }
    void operator()(const MultilayerPerceptron& network) { all_affine(network.hidden); }
    void operator()(const ClickNetwork& network) {
        const auto size = static_cast<std::size_t>(network.embedding);
        for (std::size_t field = 0; field < categories.size(); ++field) {
            const auto row = static_cast<std::size_t>(categories[field]);
            for (std::size_t k = 0; k < size; ++k) values.push_back(take(row * size + k));
            used += static_cast<std::size_t>(shape.categories[field]) * size;
        }
        all_affine(network.hidden);
    }
    void operator()(const ConvolutionalNetwork& network) {
        int height = shape.image.height;
        int width = shape.image.width;
        int channels = shape.image.channels;
        const auto at = [&](int c, int y, int x) {
            return static_cast<std::size_t>((c * height + y) * width + x);
        };
        for (std::size_t layer = 0; layer < network.channels.size(); ++layer) {
            const int outputs = network.channels[layer];
            Ids out;
            for (int o = 0; o < outputs; ++o)
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        Tape::Id sum = take(static_cast<std::size_t>(9 * channels * outputs + o));
                        for (int c = 0; c < channels; ++c)
                            for (int tap = 0; tap < 9; ++tap) {
                                const int from_y = y + tap / 3 - 1;
                                const int from_x = x + tap % 3 - 1;
                                if (from_y < 0 || from_y >= height) continue;
                                if (from_x < 0 || from_x >= width) continue;
                                const int weight = (tap * channels + c) * outputs + o;
                                sum = tape.plus(sum,
                                                tape.times(take(static_cast<std::size_t>(weight)),
                                                           values[at(c, from_y, from_x)]));
                            }
                        out.push_back(layer % 2 == 0 ? tape.rectified(sum) : sum);
                    }
            used += static_cast<std::size_t>((9 * channels + 1) * outputs);
            values = out;
            channels = outputs;
            if (layer % 2 == 0) continue;
            int groups = std::min(network.groups, channels);
            while (channels % groups != 0) --groups;
            const std::size_t size = values.size() / static_cast<std::size_t>(groups);
            const std::size_t area = static_cast<std::size_t>(height * width);
            for (std::size_t first = 0; first < values.size(); first += size) {
                Tape::Id mean = tape.number(0.0);
                Tape::Id variance = tape.number(1e-5);
                const auto count = static_cast<double>(size);
                for (std::size_t k = first; k < first + size; ++k)
                    mean = tape.plus(mean, tape.over(values[k], count));
                for (std::size_t k = first; k < first + size; ++k) {
                    const Tape::Id off = tape.minus(values[k], mean);
                    variance = tape.plus(variance, tape.over(tape.times(off, off), count));
                }
                const Tape::Id scale = tape.inverse(tape.root(variance));
                for (std::size_t k = first; k < first + size; ++k) {
                    const Tape::Id z = tape.times(tape.minus(values[k], mean), scale);
                    const std::size_t c = k / area;
                    values[k] = tape.rectified(tape.plus(
                        tape.times(z, take(c)), take(static_cast<std::size_t>(channels) + c)));
                }
            }
            used += static_cast<std::size_t>(2 * channels);
            out.clear();
            for (int c = 0; c < channels; ++c)
                for (int y = 0; y + 1 < height; y += 2)
                    for (int x = 0; x + 1 < width; x += 2)
                        out.push_back(tape.larger(
                            tape.larger(values[at(c, y, x)], values[at(c, y, x + 1)]),
                            tape.larger(values[at(c, y + 1, x)], values[at(c, y + 1, x + 1)])));
            values = out;
            height /= 2;
            width /= 2;
        }
        // The affine layers take an image by position, then by channel.
        Ids flat;
        for (int position = 0; position < height * width; ++position)
            for (int c = 0; c < channels; ++c)
                flat.push_back(values[static_cast<std::size_t>(c * height * width + position)]);
        values = flat;
        all_affine(network.hidden);
    }
    Tape::Id loss(std::size_t label) {
        // One logit is the difference of two, the other of which is 0.
        if (values.size() == 1) values.insert(values.begin(), tape.number(0.0));
        Tape::Id sum = tape.number(0.0);
        for (const Tape::Id z : values) sum = tape.plus(sum, tape.exponential(z));
        return tape.minus(tape.logarithm(sum), values[label]);
    }
};

struct Plain {
    double loss;
    std::vector<double> gradient;
};

Plain plain_gradient(const Model<double>& model, const Dataset& data, std::uint32_t index) {
    Tape tape;
    Ids parameters;
    for (const double parameter : model.parameters()) parameters.push_back(tape.number(parameter));
    Ids values;
    for (const float value : data.values_of(index)) values.push_back(tape.number(value));
    PlainNetwork network{tape, model.shape(), parameters, data.categories_of(index), values};
    std::visit(network, model.architecture());
    const Tape::Id loss = network.loss(static_cast<std::size_t>(data.labels[index]));
    std::vector<double> gradient = tape.derivatives(loss);
    gradient.resize(parameters.size());  // the parameters were first
    return {tape.at(loss), gradient};
}

}  // namespace

TEST_CASE("losses and gradients are those of a scalar program run backward", "[dpsgd]") {
    Random random(31);
    CAPTURE(random.seed());
    for (const SmallNetwork& network : small_networks()) {
        const Dataset data = random_examples(network.shape, 4, random);
        const Model<double> model = random_model<double>(network, random);
        const auto indices = all_indices(4);
        Workspace<double> workspace;
        std::vector<double> scratch;
        std::vector<ExampleLoss> losses(4);
        std::vector<long double> squared(4, 0.0L);
        constexpr PassKind kind = PassKind::clipped_gradients;
        make_room(model, kind, 4, workspace);
        run_forward(model, data, indices, {0, 4}, workspace, scratch);
        run_backward<double>(model, kind, data.labels, {0, 4}, workspace, losses, squared, scratch);
        std::vector<double> sum(model.parameters().size(), 0.0);
        for (const SumPiece piece : sum_pieces(model))
            add_piece(model, kind, piece, 4, workspace, std::span(sum), scratch);

        std::vector<double> expected(sum.size(), 0.0);
        CAPTURE(network.name);
        for (const std::uint32_t i : indices) {
            const Plain plain = plain_gradient(model, data, i);
            double norm = 0.0;
            for (std::size_t k = 0; k < sum.size(); ++k) {
                expected[k] += plain.gradient[k];
                norm += plain.gradient[k] * plain.gradient[k];
            }
            CHECK(losses[i].loss == Approx(plain.loss).epsilon(1e-12));
            CHECK(static_cast<double>(squared[i]) == Approx(norm).epsilon(1e-11));
        }
        for (std::size_t k = 0; k < sum.size(); ++k) {
            CAPTURE(k);
            CHECK(sum[k] == Approx(expected[k]).margin(1e-12));
        }
    }
}

TEST_CASE("an example that is scaled by 0 leaves the sum of the others, to the bit", "[dpsgd]") {
    Random random(32);
    for (const SmallNetwork& network : small_networks()) {
        const Dataset data = random_examples(network.shape, 2, random);
        const Model<float> model = random_model<float>(network, random);
        constexpr PassKind kind = PassKind::clipped_gradients;
        const auto sum_of_first = [&](bool with_second) {
            const Eigen::Index count = with_second ? 2 : 1;
            const auto indices = all_indices(static_cast<int>(count));
            Workspace<float> workspace;
            std::vector<float> scratch;
            std::vector<ExampleLoss> losses(2);
            std::vector<long double> squared(2, 0.0L);
            make_room(model, kind, count, workspace);
            run_forward(model, data, indices, {0, count}, workspace, scratch);
            run_backward<float>(model, kind, data.labels, {0, count}, workspace, losses, squared,
                                scratch);
            if (with_second) scale_example(model, kind, 1, 0.0L, workspace);
            std::vector<float> sum(model.parameters().size(), 0.0F);
            for (const SumPiece piece : sum_pieces(model))
                add_piece(model, kind, piece, count, workspace, std::span(sum), scratch);
            return sum;
        };
        CAPTURE(network.name);
        CHECK(sum_of_first(true) == sum_of_first(false));
    }
}

TEST_CASE("what an example takes grows with what is asked for", "[dpsgd]") {
    const ExampleShape digits{{1, 8, 8}, 64, {}, 10};
    const Model<float> model(MultilayerPerceptron{{20}}, digits, 1);
    CHECK(bytes_per_example(model, PassKind::forward) == 4 * (64 + 20 + 10));
    CHECK(bytes_per_example(model, PassKind::gradients) == 4 * (64 + 2 * 20 + 2 * 10));
    CHECK(bytes_per_example(model, PassKind::clipped_gradients) == 4 * (64 + 2 * 20 + 2 * 10));
    const Model<float> images(ConvolutionalNetwork{{4, 4}, 2, {}}, digits, 1);
    CHECK(bytes_per_example(images, PassKind::clipped_gradients) -
              bytes_per_example(images, PassKind::gradients) ==
          4 * ((9 + 1) * 4 + (36 + 1) * 4));
}
