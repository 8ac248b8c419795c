#include "assay/dpsgd/reference_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "assay/dpsgd/clipping.hpp"
#include "assay/dpsgd/network_pass.hpp"

namespace assay {

namespace {

/// Writes the gradient of one example.
template <class Real>
ExampleLoss gradient_of(const Model<Real>& model, const Dataset& data, std::uint32_t index,
                        Workspace<Real>& workspace, std::span<Real> gradient) {
    constexpr Columns only{0, 1};
    std::vector<Real>& scratch = workspace.scratch.local();
    ExampleLoss loss;
    std::fill(gradient.begin(), gradient.end(), Real(0));
    run_forward(model, data, std::span(&index, 1), only, workspace, scratch);
    run_backward<Real>(model, PassKind::gradients, std::span(&data.labels[index], 1), only,
                       workspace, std::span(&loss, 1), {}, scratch);
    for (const SumPiece piece : sum_pieces(model))
        add_piece(model, PassKind::gradients, piece, 1, workspace, gradient, scratch);
    return loss;
}

}  // namespace

template <class Real>
void reference_clipped_sum(const Model<Real>& model, const Dataset& data,
                           std::span<const std::uint32_t> indices, std::optional<double> clip_norm,
                           GradientSum<Real>& result) {
    require_examples(model, data, indices);
    if (clip_norm) require_clip_norm(*clip_norm);
    const auto parameters = static_cast<std::size_t>(model.parameter_count());
    Workspace<Real> workspace;
    make_room(model, PassKind::gradients, 1, workspace);
    std::vector<Real> gradients(indices.size() * parameters);
    const auto gradient = [&](std::size_t i) {
        return std::span(gradients).subspan(i * parameters, parameters);
    };
    std::vector<ExampleLoss> losses;
    losses.reserve(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
        losses.push_back(gradient_of(model, data, indices[i], workspace, gradient(i)));

    result = {.sum = std::vector<Real>(parameters, Real(0)),
              .examples = static_cast<std::int64_t>(indices.size())};
    for (std::size_t i = 0; i < indices.size(); ++i) {
        Clipping clipping;
        if (clip_norm)
            clipping = clip(squared_norm(std::span<const Real>(gradient(i))), *clip_norm,
                            clipping_budget<Real>);
        else if (!std::isfinite(losses[i].loss))
            clipping = {.factor = 0.0L, .refused = true};
        if (clipping.factor < 1.0L) scale_down(gradient(i), clipping.factor);
        for (std::size_t k = 0; k < parameters; ++k) result.sum[k] += gradient(i)[k];
        result.loss += losses[i].loss;
        result.correct += losses[i].correct ? 1 : 0;
        result.clipped += clipping.clipped ? 1 : 0;
        result.refused += clipping.refused ? 1 : 0;
        result.largest_norm = std::max(result.largest_norm, clipping.norm);
    }
    result.live_bytes = (gradients.capacity() + result.sum.capacity()) * sizeof(Real) +
                        losses.capacity() * sizeof(ExampleLoss) + live_bytes(workspace);
}

template void reference_clipped_sum(const Model<float>&, const Dataset&,
                                    std::span<const std::uint32_t>, std::optional<double>,
                                    GradientSum<float>&);
template void reference_clipped_sum(const Model<double>&, const Dataset&,
                                    std::span<const std::uint32_t>, std::optional<double>,
                                    GradientSum<double>&);

}  // namespace assay
