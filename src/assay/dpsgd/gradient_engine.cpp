#include "assay/dpsgd/gradient_engine.hpp"

#include <algorithm>
#include <cmath>

#include "assay/dpsgd/clipping.hpp"
#include "assay/dpsgd/network_pass.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

using Eigen::Index;

constexpr std::size_t bytes_at_once = std::size_t{128} << 20U;

template <class Real>
Index examples_at_once(const Model<Real>& model, PassKind kind) {
    const auto fit = static_cast<Index>(bytes_at_once / bytes_per_example(model, kind));
    return std::clamp<Index>(fit, 8, 4096);
}

/// Matrix products take this many columns at a time.
constexpr Index group = 4;

/// Cuts examples into parts, which the network and their number decide alone: few where a layer is
/// one matrix product, so that it pays; an even number of them, of whole groups and as equal as can
/// be, so that two threads have the same to do.
template <class Real, class Run>
void for_each_part(Workers& workers, const Model<Real>& model, Index examples, const Run& run) {
    const bool has_images = std::holds_alternative<Convolution>(model.stages()[0].layer);
    const Index least = has_images ? 1 : 8 * group;
    const Index size = std::clamp<Index>((examples + 15) / 16, least, 128);
    const Index parts = (examples + 2 * size - 1) / (2 * size) * 2;
    const Index groups = (examples + group - 1) / group;
    const auto start = [&](Index part) {
        return std::min(examples, groups * part / parts * group);
    };
    workers.for_each(parts, [&](Index part) {
        const Index first = start(part);
        const Index count = start(part + 1) - first;
        if (count > 0) run(Columns{first, count});
    });
}

/// One chunk of a batch: all of its examples are held at once.
template <class Real>
class Chunk {
public:
    Chunk(const Model<Real>& model, const Dataset& data, std::span<const std::uint32_t> indices,
          std::optional<double> clip_norm, Workspace<Real>& workspace)
        : model_(model),
          data_(data),
          indices_(indices),
          clip_norm_(clip_norm),
          kind_(clip_norm ? PassKind::clipped_gradients : PassKind::gradients),
          workspace_(workspace),
          losses_(indices.size()),
          squared_norms_(indices.size(), 0.0L),
          clippings_(indices.size()) {}

    void run(Workers& workers, GradientSum<Real>& result) {
        const auto examples = static_cast<Index>(indices_.size());
        make_room(model_, kind_, examples, workspace_);
        for_each_part(workers, model_, examples, [&](Columns columns) { pass(columns); });
        const std::vector<SumPiece> pieces = sum_pieces(model_);
        // Every other piece, then the rest: both halves of the work have about as much of a layer.
        const std::size_t half = pieces.size() / 2;
        workers.for_each(static_cast<Index>(pieces.size()), [&](Index task) {
            const auto i = static_cast<std::size_t>(task);
            const SumPiece piece = pieces[i < half ? 2 * i + 1 : 2 * (i - half)];
            add_piece(model_, kind_, piece, examples, workspace_, std::span(result.sum),
                      workspace_.scratch.local());
        });
        for (std::size_t i = 0; i < indices_.size(); ++i) count(i, result);
        result.live_bytes = std::max(result.live_bytes, live_bytes(result));
    }

private:
    [[nodiscard]] std::size_t live_bytes(const GradientSum<Real>& result) const {
        return assay::live_bytes(workspace_) + result.sum.capacity() * sizeof(Real) +
               losses_.capacity() * sizeof(ExampleLoss) +
               squared_norms_.capacity() * sizeof(long double) +
               clippings_.capacity() * sizeof(Clipping);
    }
    /// Forward, backward and clipping of a part.
    void pass(Columns columns) {
        const auto first = static_cast<std::size_t>(columns.first);
        const auto size = static_cast<std::size_t>(columns.count);
        const auto indices = indices_.subspan(first, size);
        std::vector<std::int32_t> labels;
        labels.reserve(size);
        for (const std::uint32_t index : indices) labels.push_back(data_.labels[index]);
        std::vector<Real>& scratch = workspace_.scratch.local();
        run_forward(model_, data_, indices, columns, workspace_, scratch);
        run_backward<Real>(model_, kind_, labels, columns, workspace_,
                           std::span(losses_).subspan(first, size),
                           std::span(squared_norms_).subspan(first, size), scratch);
        for (std::size_t i = first; i < first + size; ++i) clip_example(i);
    }
    void clip_example(std::size_t i) {
        Clipping& clipping = clippings_[i];
        if (clip_norm_)
            clipping = clip(squared_norms_[i], *clip_norm_, clipping_budget<Real>);
        else if (!std::isfinite(losses_[i].loss))
            clipping = {.factor = 0.0L, .refused = true};
        if (clipping.factor < 1.0L)
            scale_example(model_, kind_, static_cast<Index>(i), clipping.factor, workspace_);
    }
    void count(std::size_t i, GradientSum<Real>& result) const {
        result.loss += losses_[i].loss;
        result.correct += losses_[i].correct ? 1 : 0;
        result.clipped += clippings_[i].clipped ? 1 : 0;
        result.refused += clippings_[i].refused ? 1 : 0;
        result.largest_norm = std::max(result.largest_norm, clippings_[i].norm);
    }

    const Model<Real>& model_;
    const Dataset& data_;
    std::span<const std::uint32_t> indices_;
    std::optional<double> clip_norm_;
    PassKind kind_;
    Workspace<Real>& workspace_;
    std::vector<ExampleLoss> losses_;
    std::vector<long double> squared_norms_;
    std::vector<Clipping> clippings_;
};

}  // namespace

template <class Real>
GradientEngine<Real>::GradientEngine(int threads)
    : workers_((require(threads >= 1, "threads", threads, ">= 1"), threads)) {}

template <class Real>
void GradientEngine<Real>::clipped_sum(const Model<Real>& model, const Dataset& data,
                                       std::span<const std::uint32_t> indices,
                                       std::optional<double> clip_norm, GradientSum<Real>& result) {
    require_examples(model, data, indices);
    if (clip_norm) require_clip_norm(*clip_norm);
    std::vector<Real> sum = std::move(result.sum);
    sum.assign(static_cast<std::size_t>(model.parameter_count()), Real(0));
    result = {.sum = std::move(sum), .examples = static_cast<std::int64_t>(indices.size())};
    result.live_bytes = live_bytes(workspace_) + result.sum.capacity() * sizeof(Real);
    const PassKind kind = clip_norm ? PassKind::clipped_gradients : PassKind::gradients;
    const auto at_once = static_cast<std::size_t>(examples_at_once(model, kind));
    for (std::size_t first = 0; first < indices.size(); first += at_once) {
        allow_interruption();
        const auto part = indices.subspan(first, std::min(at_once, indices.size() - first));
        Chunk<Real>(model, data, part, clip_norm, workspace_).run(workers_, result);
    }
}

template <class Real>
std::vector<Real> predict(const Model<Real>& model, const Dataset& data,
                          std::span<const std::uint32_t> indices, int threads) {
    require(threads >= 1, "threads", threads, ">= 1");
    require_examples(model, data, indices);
    Workers workers(threads);
    Workspace<Real> workspace;
    const auto at_once = static_cast<std::size_t>(examples_at_once(model, PassKind::forward));
    std::vector<Real> logits;
    logits.reserve(indices.size() * static_cast<std::size_t>(model.logits()));
    for (std::size_t first = 0; first < indices.size(); first += at_once) {
        allow_interruption();
        const auto chunk = indices.subspan(first, std::min(at_once, indices.size() - first));
        const auto examples = static_cast<Index>(chunk.size());
        make_room(model, PassKind::forward, examples, workspace);
        for_each_part(workers, model, examples, [&](Columns columns) {
            run_forward(model, data,
                        chunk.subspan(static_cast<std::size_t>(columns.first),
                                      static_cast<std::size_t>(columns.count)),
                        columns, workspace, workspace.scratch.local());
        });
        const Matrix<Real>& out = workspace.activations.back();
        logits.insert(logits.end(), out.data(), out.data() + examples * out.rows());
    }
    return logits;
}

#define ASSAY_INSTANTIATE(Real)                                            \
    template class GradientEngine<Real>;                                   \
    template std::vector<Real> predict(const Model<Real>&, const Dataset&, \
                                       std::span<const std::uint32_t>, int);
ASSAY_INSTANTIATE(float)
ASSAY_INSTANTIATE(double)
#undef ASSAY_INSTANTIATE

}  // namespace assay
