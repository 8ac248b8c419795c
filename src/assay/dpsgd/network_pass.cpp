#include "assay/dpsgd/network_pass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

using Eigen::Index;

template <class... Calls>
struct Overloaded : Calls... {
    using Calls::operator()...;
};
template <class... Calls>
Overloaded(Calls...) -> Overloaded<Calls...>;

Index output_size(const Stage& stage) {
    return std::visit([](const auto& layer) { return layer.output_size(); }, stage.layer);
}

Index parameter_count(const Stage& stage) {
    return std::visit([](const auto& layer) { return layer.parameter_count(); }, stage.layer);
}

/// Numbers that are held for each example of a stage: its gradient, or none.
Index held_size(const Stage& stage, PassKind kind) {
    if (kind == PassKind::forward) return 0;
    if (std::holds_alternative<GroupNorm>(stage.layer)) return parameter_count(stage);
    const auto* convolution = std::get_if<Convolution>(&stage.layer);
    return convolution != nullptr && kind == PassKind::clipped_gradients &&
                   convolution->holds_gradients()
               ? parameter_count(stage)
               : 0;
}

template <class Real>
Real* column(Matrix<Real>& matrix, Index i) {
    return matrix.data() + i * matrix.rows();
}

template <class Real>
const Real* column(const Matrix<Real>& matrix, Index i) {
    return matrix.data() + i * matrix.rows();
}

template <class Real>
std::span<Real> column_span(Matrix<Real>& matrix, Index i) {
    return {column(matrix, i), static_cast<std::size_t>(matrix.rows())};
}

template <class Real>
LayerInput<Real> input(const Workspace<Real>& workspace, std::size_t stage, std::size_t fields,
                       Columns columns) {
    return {column(workspace.activations[stage], columns.first),
            workspace.categories.data() + static_cast<std::size_t>(columns.first) * fields,
            columns.count};
}

/// max(0, x); a NaN stays one.
template <class Real>
ASSAY_INLINE void rectify_all(Real* x, Index count) {
    for (Index i = 0; i < count; ++i) x[i] = x[i] < Real(0) ? Real(0) : x[i];
}
ASSAY_VECTOR_CLONES void rectify(float* x, Index count) {
    rectify_all(x, count);
}
ASSAY_VECTOR_CLONES void rectify(double* x, Index count) {
    rectify_all(x, count);
}

/// The gradient goes through where ReLU did.
template <class Real>
ASSAY_INLINE void mask_all(const Real* activation, Real* gradient, Index count) {
    for (Index i = 0; i < count; ++i) gradient[i] = activation[i] > Real(0) ? gradient[i] : Real(0);
}
ASSAY_VECTOR_CLONES void mask(const float* activation, float* gradient, Index count) {
    mask_all(activation, gradient, count);
}
ASSAY_VECTOR_CLONES void mask(const double* activation, double* gradient, Index count) {
    mask_all(activation, gradient, count);
}

/// The values of an example as its first layer wants them: an image by position, then by channel.
template <class Real>
void copy_values(const Stage& first, std::span<const float> values, Real* out) {
    const auto* convolution = std::get_if<Convolution>(&first.layer);
    const Index channels = convolution == nullptr ? 1 : convolution->inputs;
    const Index positions = static_cast<Index>(values.size()) / channels;
    for (Index c = 0; c < channels; ++c)
        for (Index p = 0; p < positions; ++p)
            out[p * channels + c] =
                static_cast<Real>(values[static_cast<std::size_t>(c * positions + p)]);
}

template <class Real>
void grow(Matrix<Real>& matrix, Index rows, Index columns) {
    if (matrix.rows() != rows || matrix.cols() < columns) matrix.resize(rows, columns);
}

}  // namespace

template <class Real>
void require_examples(const Model<Real>& model, const Dataset& data,
                      std::span<const std::uint32_t> indices) {
    if (!(model.shape() == data.shape))
        throw DomainError("shape", fmt::format("examples of {}", data.name),
                          "that of the examples which the model was made for");
    for (const std::uint32_t index : indices)
        require(index < data.size(), "indices", index, "below the number of examples");
}

template <class Real>
std::size_t bytes_per_example(const Model<Real>& model, PassKind kind) {
    Index numbers = model.shape().values;
    for (const Stage& stage : model.stages())
        numbers +=
            (kind == PassKind::forward ? 1 : 2) * output_size(stage) + held_size(stage, kind);
    return static_cast<std::size_t>(numbers) * sizeof(Real) +
           model.shape().categories.size() * sizeof(std::int32_t);
}

template <class Real>
void make_room(const Model<Real>& model, PassKind kind, Index examples,
               Workspace<Real>& workspace) {
    const auto& stages = model.stages();
    const std::size_t layers = stages.size();
    workspace.activations.resize(layers + 1);
    workspace.gradients.resize(layers + 1);
    workspace.held.resize(layers);
    grow(workspace.activations[0], model.shape().values, examples);
    for (std::size_t l = 0; l < layers; ++l) {
        grow(workspace.activations[l + 1], output_size(stages[l]), examples);
        if (kind == PassKind::forward) continue;
        grow(workspace.gradients[l + 1], output_size(stages[l]), examples);
        const Index held = held_size(stages[l], kind);
        if (held > 0) grow(workspace.held[l], held, examples);
    }
    const std::size_t categories =
        static_cast<std::size_t>(examples) * model.shape().categories.size();
    workspace.categories.resize(std::max(workspace.categories.size(), categories));
}

template <class Real>
void run_forward(const Model<Real>& model, const Dataset& data,
                 std::span<const std::uint32_t> indices, Columns columns,
                 Workspace<Real>& workspace, std::vector<Real>& scratch) {
    const auto& stages = model.stages();
    const std::size_t fields = model.shape().categories.size();
    for (Index i = 0; i < columns.count; ++i) {
        const std::int64_t example = indices[static_cast<std::size_t>(i)];
        copy_values(stages[0], data.values_of(example),
                    column(workspace.activations[0], columns.first + i));
        const auto categories = data.categories_of(example);
        std::copy(categories.begin(), categories.end(),
                  workspace.categories.begin() + (columns.first + i) * static_cast<Index>(fields));
    }
    for (std::size_t l = 0; l < stages.size(); ++l) {
        const LayerInput<Real> in = input(workspace, l, fields, columns);
        const Real* parameters = model.parameters().data() + stages[l].first_parameter;
        Real* out = column(workspace.activations[l + 1], columns.first);
        std::visit(Overloaded{[&](const Convolution& layer) {
                                  layer.forward(parameters, in, out, scratch);
                              },
                              [&](const MaxPool& layer) { layer.forward(in, out); },
                              [&](const auto& layer) { layer.forward(parameters, in, out); }},
                   stages[l].layer);
        if (stages[l].relu) rectify(out, output_size(stages[l]) * columns.count);
    }
}

template <class Real>
void run_backward(const Model<Real>& model, PassKind kind, std::span<const std::int32_t> labels,
                  Columns columns, Workspace<Real>& workspace, std::span<ExampleLoss> losses,
                  std::span<long double> squared_norms, std::vector<Real>& scratch) {
    const auto& stages = model.stages();
    const std::size_t fields = model.shape().categories.size();
    const bool wants_norms = kind == PassKind::clipped_gradients;
    const std::size_t layers = stages.size();
    for (Index i = 0; i < columns.count; ++i) {
        const auto logits = column_span(workspace.activations[layers], columns.first + i);
        const auto gradient = column_span(workspace.gradients[layers], columns.first + i);
        std::copy(logits.begin(), logits.end(), gradient.begin());
        losses[static_cast<std::size_t>(i)] =
            replace_by_gradient(gradient, labels[static_cast<std::size_t>(i)]);
    }
    for (std::size_t l = layers; l-- > 0;) {
        const LayerInput<Real> in = input(workspace, l, fields, columns);
        const Real* parameters = model.parameters().data() + stages[l].first_parameter;
        Real* d = column(workspace.gradients[l + 1], columns.first);
        Real* in_gradients = l == 0 ? nullptr : column(workspace.gradients[l], columns.first);
        const bool is_held = held_size(stages[l], kind) > 0;
        Real* held = is_held ? column(workspace.held[l], columns.first) : nullptr;
        if (stages[l].relu)
            mask(column(workspace.activations[l + 1], columns.first), d,
                 output_size(stages[l]) * columns.count);
        std::visit(Overloaded{[&](const Dense& layer) {
                                  if (wants_norms)
                                      layer.add_squared_norms(in, d, squared_norms.data());
                                  if (l > 0) layer.backward(parameters, in, d, in_gradients);
                              },
                              [&](const Convolution& layer) {
                                  if (is_held)
                                      layer.example_gradients(in, d, held, scratch);
                                  else if (wants_norms)
                                      layer.add_squared_norms(in, d, squared_norms.data(), scratch);
                                  if (l > 0)
                                      layer.backward(parameters, in, d, in_gradients, scratch);
                              },
                              [&](const GroupNorm& layer) {
                                  layer.backward(parameters, in, d, in_gradients, held);
                              },
                              [&](const MaxPool& layer) { layer.backward(in, d, in_gradients); },
                              [&](const Embedding& layer) {
                                  if (wants_norms)
                                      layer.add_squared_norms(in, d, squared_norms.data());
                              }},
                   stages[l].layer);
        for (Index i = 0; is_held && wants_norms && i < columns.count; ++i)
            squared_norms[static_cast<std::size_t>(i)] += squared_norm(
                std::span<const Real>(column_span(workspace.held[l], columns.first + i)));
    }
}

template <class Real>
void scale_example(const Model<Real>& model, PassKind kind, Index i, long double factor,
                   Workspace<Real>& workspace) {
    for (std::size_t l = 0; l < model.stages().size(); ++l) {
        if (held_size(model.stages()[l], kind) > 0)
            scale_down(column_span(workspace.held[l], i), factor);
        else
            scale_down(column_span(workspace.gradients[l + 1], i), factor);
        if (factor == 0.0L) scale_down(column_span(workspace.activations[l], i), factor);
    }
}

template <class Real>
std::vector<SumPiece> sum_pieces(const Model<Real>& model) {
    std::vector<SumPiece> pieces;
    for (std::size_t l = 0; l < model.stages().size(); ++l) {
        const Index count = std::visit(Overloaded{[](const MaxPool&) { return Index(0); },
                                                  [](const GroupNorm&) { return Index(1); },
                                                  [](const auto& layer) { return layer.pieces(); }},
                                       model.stages()[l].layer);
        for (Index piece = 0; piece < count; ++piece) pieces.push_back({l, piece});
    }
    return pieces;
}

template <class Real>
void add_piece(const Model<Real>& model, PassKind kind, SumPiece piece, Index examples,
               const Workspace<Real>& workspace, std::span<Real> sum, std::vector<Real>& scratch) {
    const Stage& stage = model.stages()[piece.stage];
    Real* own = sum.data() + stage.first_parameter;
    if (held_size(stage, kind) > 0) {
        const Matrix<Real>& held = workspace.held[piece.stage];
        const Index pieces = std::holds_alternative<Convolution>(stage.layer) ? 3 : 1;
        const Index first = held.rows() * piece.piece / pieces;
        const Index last = held.rows() * (piece.piece + 1) / pieces;
        for (Index i = 0; i < examples; ++i)
            for (Index k = first; k < last; ++k) own[k] += column(held, i)[k];
        return;
    }
    const LayerInput<Real> in =
        input(workspace, piece.stage, model.shape().categories.size(), {0, examples});
    const Real* d = workspace.gradients[piece.stage + 1].data();
    std::visit(Overloaded{[&](const Convolution& layer) {
                              layer.add_gradients(piece.piece, in, d, own, scratch);
                          },
                          [&](const GroupNorm&) {}, [&](const MaxPool&) {},
                          [&](const auto& layer) { layer.add_gradients(piece.piece, in, d, own); }},
               stage.layer);
}

#define ASSAY_INSTANTIATE(Real)                                                                    \
    template void require_examples(const Model<Real>&, const Dataset&,                             \
                                   std::span<const std::uint32_t>);                                \
    template std::size_t bytes_per_example(const Model<Real>&, PassKind);                          \
    template void make_room(const Model<Real>&, PassKind, Index, Workspace<Real>&);                \
    template void run_forward(const Model<Real>&, const Dataset&, std::span<const std::uint32_t>,  \
                              Columns, Workspace<Real>&, std::vector<Real>&);                      \
    template void run_backward(const Model<Real>&, PassKind, std::span<const std::int32_t>,        \
                               Columns, Workspace<Real>&, std::span<ExampleLoss>,                  \
                               std::span<long double>, std::vector<Real>&);                        \
    template void scale_example(const Model<Real>&, PassKind, Index, long double,                  \
                                Workspace<Real>&);                                                 \
    template std::vector<SumPiece> sum_pieces(const Model<Real>&);                                 \
    template void add_piece(const Model<Real>&, PassKind, SumPiece, Index, const Workspace<Real>&, \
                            std::span<Real>, std::vector<Real>&);
ASSAY_INSTANTIATE(float)
ASSAY_INSTANTIATE(double)
#undef ASSAY_INSTANTIATE

}  // namespace assay
