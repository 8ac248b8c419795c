#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assay/datasets/dataset.hpp"
#include "assay/dpsgd/loss.hpp"
#include "assay/dpsgd/model.hpp"
#include "assay/dpsgd/workspace.hpp"

namespace assay {

/// What is wanted of a pass besides the outputs.
enum class PassKind { forward, gradients, clipped_gradients };

/// Neighbouring columns of a workspace.
struct Columns {
    Eigen::Index first = 0;
    Eigen::Index count = 0;
};

/// Refuses data of another shape than the model's and indices beyond the data.
///   Throws     DomainError (shape, indices)
template <class Real>
void require_examples(const Model<Real>& model, const Dataset& data,
                      std::span<const std::uint32_t> indices);

/// Bytes of a workspace for one example.
template <class Real>
[[nodiscard]] std::size_t bytes_per_example(const Model<Real>& model, PassKind kind);

/// Room for so many examples; it grows and is kept.
template <class Real>
void make_room(const Model<Real>& model, PassKind kind, Eigen::Index examples,
               Workspace<Real>& workspace);

/// Puts these examples into the columns and runs the layers forward.
///   Throws     nothing once there is room; several threads may work on columns of their own
template <class Real>
void run_forward(const Model<Real>& model, const Dataset& data,
                 std::span<const std::uint32_t> indices, Columns columns,
                 Workspace<Real>& workspace, std::vector<Real>& scratch);

/// After run_forward: losses, then the layers backward. With `clipped_gradients` also adds to
/// squared_norms[i] that of column first + i.
template <class Real>
void run_backward(const Model<Real>& model, PassKind kind, std::span<const std::int32_t> labels,
                  Columns columns, Workspace<Real>& workspace, std::span<ExampleLoss> losses,
                  std::span<long double> squared_norms, std::vector<Real>& scratch);

/// Multiplies what an example of the workspace adds to the sum by a factor in [0, 1]; 0 removes
/// whatever stands there.
template <class Real>
void scale_example(const Model<Real>& model, PassKind kind, Eigen::Index column, long double factor,
                   Workspace<Real>& workspace);

/// A part of the parameters whose sum of gradients is one piece of work.
struct SumPiece {
    std::size_t stage = 0;
    Eigen::Index piece = 0;
};
template <class Real>
[[nodiscard]] std::vector<SumPiece> sum_pieces(const Model<Real>& model);

/// Adds the gradients of the first `examples` columns to this piece of the sum.
template <class Real>
void add_piece(const Model<Real>& model, PassKind kind, SumPiece piece, Eigen::Index examples,
               const Workspace<Real>& workspace, std::span<Real> sum, std::vector<Real>& scratch);

}  // namespace assay
