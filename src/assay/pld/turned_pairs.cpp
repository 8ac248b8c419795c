#include "assay/pld/turned_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/fft.hpp"
#include "assay/pld/convolve.hpp"
#include "assay/pld/hockey_stick.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr std::size_t most_points = std::size_t{1} << 22U;

/// The table's points, such that all blocks take seconds.
constexpr std::size_t most_points_of_blocks = std::size_t{1} << 26U;

std::size_t most_points_for(std::int64_t blocks) {
    return std::min(most_points,
                    std::bit_floor(most_points_of_blocks / static_cast<std::size_t>(blocks)));
}

/// Of the distribution of a block: one that tells little at most of its steps takes many points.
constexpr double most_products_of_cells = 1e9;

PldResolution resolution_for(const CompositionPlan& plan, double precision) {
    PldResolution resolution;
    resolution.spacing = std::clamp(std::sqrt(0.5 * precision), 1e-3, 0.04);
    resolution.step =
        short_step(std::clamp(plan.scale() * std::sqrt(precision / plan.factors()), 1e-9, 0.1));
    while (resolution.step < 0.1 && plan.products_of_cells(resolution) > most_products_of_cells)
        resolution.step = short_step(1.3 * resolution.step);
    return resolution;
}

/// The atoms of a lower distribution, less what rounding and wrapping round may have added to any
/// of them.
RatioAtoms atoms_of(const PrivacyLossPmf& distribution) {
    RatioAtoms atoms;
    atoms.direction = Direction::lower;
    double largest = 0.0;
    for (std::size_t i = 0; i < distribution.masses.size(); ++i) {
        const double mass = distribution.masses[i] - distribution.rounding - distribution.aliased;
        if (!(mass > 0.0)) continue;
        const double loss = distribution.loss(i);
        const double q = mass * std::exp(distribution.log_scale - distribution.tilt * loss);
        const double p = q * std::exp(loss);
        if (q < least_mass || p < least_mass) continue;
        largest = std::max(largest, std::fabs(loss));
        atoms.under_q.push_back(q);
        atoms.under_p.push_back(p);
    }
    atoms.mass_error =
        distribution.mass_error +
        (8.0 * (std::fabs(distribution.log_scale) + 2.0 * std::fabs(distribution.tilt) * largest) +
         16.0) *
            u;
    atoms.loss_error = distribution.loss_error + (6.0 * largest + 16.0) * u;
    return atoms;
}

/// A block of steps: the kernel of v -> E v(y + L) under one of its distributions.
struct Kernel {
    std::vector<double> masses;  // tilted
    std::int64_t first = 0;      // added to the index: masses[0] reaches index + first
    double norm = 0.0;
    double square = 0.0;
    double mass_error = 0.0;
    double loss_error = 0.0;
};

/// Of the distribution as played (P, upward losses) or turned (Q, losses reversed).
Kernel kernel_of(const LossBlocks& blocks, const LossGrid& grid, double rate, bool turned) {
    // Tilted so that the kernel's own masses keep their digits.
    const PrivacyLossPmf distribution =
        convolve(blocks.parts(), turned ? -rate : 1.0 + rate, most_points);
    const PrivacyLossPmf placed =
        discretise_at(atoms_of(distribution), distribution.adjacency, grid, 0.0);
    Kernel kernel;
    kernel.mass_error = placed.mass_error;
    kernel.loss_error = placed.loss_error;
    const std::size_t n = placed.masses.size();
    kernel.masses.resize(n);
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double loss = placed.loss(i);
        largest = std::max(largest, std::fabs(loss));
        const double value =
            placed.masses[i] * std::exp(turned ? -rate * loss : (1.0 + rate) * loss);
        kernel.masses[turned ? n - 1 - i : i] = value;
        kernel.norm += value;
        kernel.square += value * value;
    }
    kernel.first = turned ? -(placed.first + static_cast<std::int64_t>(n) - 1) : placed.first;
    kernel.mass_error += (4.0 * (1.0 + rate) * largest + 16.0) * u;
    return kernel;
}

/// Blocks of one size, as played and turned, in one transform.
class BlockStep {
public:
    BlockStep(const Kernel& played, const Kernel& turned, const Fft& fft)
        : fft_(fft), re_(fft.size(), 0.0), im_(fft.size(), 0.0) {
        lay(played, re_);
        lay(turned, im_);
        norm_ = (played.norm + turned.norm) * (1.0 + 0x1p-30);
        root_ = std::sqrt(played.square + turned.square) * (1.0 + 0x1p-30);
        fft_.forward(re_, im_);
        mass_error = std::max(played.mass_error, turned.mass_error);
        loss_error = std::max(played.loss_error, turned.loss_error);
    }

    /// values <- max(played, turned), less all errors; only the first `count` are meant.
    void apply(std::vector<double>& values, std::vector<double>& work, std::size_t count) const {
        double sum = 0.0;
        double square = 0.0;
        for (const double value : values) {
            sum += value;
            square += value * value;
        }
        std::fill(work.begin(), work.end(), 0.0);
        fft_.forward(values, work);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double re = values[i] * re_[i] - work[i] * im_[i];
            work[i] = values[i] * im_[i] + work[i] * re_[i];
            values[i] = re;
        }
        fft_.backward(values, work);
        const double error = 3.0 * fft_.relative_error() *
                             (norm_ * std::sqrt(square) + root_ * sum) * (1.0 + 0x1p-20);
        const auto n = static_cast<double>(fft_.size());
        for (std::size_t i = 0; i < count; ++i)
            values[i] = std::max(0.0, std::max(values[i], work[i]) / n - error);
    }

    double mass_error = 0.0;
    double loss_error = 0.0;

private:
    /// out[i] = sum_k kernel_k values[i + first + k]: the kernel stands at -(first + k).
    void lay(const Kernel& kernel, std::vector<double>& out) const {
        const std::size_t mask = fft_.size() - 1;
        for (std::size_t k = 0; k < kernel.masses.size(); ++k)
            out[static_cast<std::size_t>(-(kernel.first + static_cast<std::int64_t>(k))) & mask] +=
                kernel.masses[k];
    }

    const Fft& fft_;
    std::vector<double> re_;
    std::vector<double> im_;
    double norm_ = 0.0;
    double root_ = 0.0;
};

/// The farthest index that a kernel reaches.
std::int64_t reach(const Kernel& kernel) {
    return std::max(std::abs(kernel.first),
                    std::abs(kernel.first + static_cast<std::int64_t>(kernel.masses.size())));
}

}  // namespace

TurnedPairs::TurnedPairs(const RepeatedLossPair& pair, const std::vector<RepeatedLossPair>& others,
                         Adjacency adjacency, std::int64_t blocks, double epsilon, double delta,
                         double precision) {
    require(blocks >= 1 && blocks <= pair.steps, "blocks", static_cast<double>(blocks),
            "1 <= blocks <= steps");
    require(pair.pair.shape == DominatingPair::Shape::removal, "shape", 0.0, "removal");
    const std::int64_t small = pair.steps / blocks;
    const std::int64_t larger_blocks = pair.steps % blocks;
    const std::vector<RepeatedLossPair> all{pair};
    CompositionPlan whole(all, adjacency, precision);
    const double scale = whole.scale();
    const auto count = static_cast<double>(blocks);
    LossGrid grid{.step = short_step(scale * std::sqrt(3.0 * precision / count)),
                  .negligible = 1e-8 * delta / count};

    const auto blocks_of = [&](std::int64_t block_steps) {
        const std::vector<RepeatedLossPair> block{{pair.pair, block_steps}};
        CompositionPlan plan(block, adjacency, precision);
        plan.neglect(1e-8 * delta / count);
        return plan.blocks(Direction::lower, resolution_for(plan, precision));
    };
    const LossBlocks block = blocks_of(small);
    // The tilt of the whole composition's payoff.
    LossBlocks repeated = block;
    for (std::int64_t& times : repeated.counts) times *= blocks;
    const double rate = tilt_for(repeated.parts(), epsilon, PayoffSide::removal, 3.0) - 1.0;
    // Where the block is single steps, a larger one is one more of them.
    const bool steps_alone = block.counts == std::vector<std::int64_t>{small};
    LossBlocks larger = larger_blocks == 0 || steps_alone ? block : blocks_of(small + 1);
    if (steps_alone) ++larger.counts.front();
    const auto kernels_at = [&](const LossGrid& on) {
        std::vector<Kernel> kernels;
        for (const bool turned : {false, true})
            kernels.push_back(kernel_of(block, on, rate, turned));
        for (const bool turned : {false, true})
            if (larger_blocks > 0) kernels.push_back(kernel_of(larger, on, rate, turned));
        return kernels;
    };

    // The window of log(x/K): from well below -epsilon to well above 0.
    const double low = -epsilon - 8.0 * scale;
    const double high = 9.0 * scale + 2.0;
    std::vector<Kernel> kernels;
    std::int64_t pad = 1;
    std::size_t n = 0;
    std::size_t size = 0;
    for (;;) {
        step_ = grid.step;
        first_ = static_cast<std::int64_t>(std::floor(low / step_));
        n = static_cast<std::size_t>(std::ceil(high / step_)) + static_cast<std::size_t>(-first_);
        kernels = kernels_at(grid);
        pad = 1;
        for (const Kernel& kernel : kernels) {
            if (kernel.masses.empty()) return;
            pad = std::max(pad, reach(kernel) + 1);
        }
        size = std::bit_ceil(n + 2 * static_cast<std::size_t>(pad));
        if (size <= most_points_for(blocks)) break;
        grid.step = short_step(2.0 * grid.step);
    }
    const Fft fft(size);
    std::vector<BlockStep> steps;
    for (std::size_t i = 0; i < kernels.size(); i += 2)
        steps.emplace_back(kernels[i], kernels[i + 1], fft);

    // V_0(x)/x, times e^{-rate y}.
    const auto place = [&](std::size_t i) {
        return step_ * static_cast<double>(first_ + static_cast<std::int64_t>(i));
    };
    std::optional<HockeyStick> last;
    if (!others.empty()) {
        CompositionPlan rest(others, adjacency, precision);
        const LossBlocks distributions =
            rest.blocks(Direction::lower, resolution_for(rest, precision));
        last.emplace(convolve(distributions.parts(), 1.0 + rate, most_points));
    }
    std::vector<double> values(size, 0.0);
    std::vector<double> work(size, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const double y = place(i);
        const double value = last ? last->removal(-y) : std::max(0.0, -std::expm1(-y));
        values[i] = value * std::exp(-rate * y);
    }
    const double widest =
        std::max(std::fabs(place(0)), std::fabs(place(n + static_cast<std::size_t>(pad))));
    double mass_error = (8.0 * rate * widest + 32.0) * u;
    // V(x)/x does not fall: beyond the window it is at least what it is at the end.
    std::vector<double> beyond(static_cast<std::size_t>(pad));
    for (std::size_t i = 0; i < beyond.size(); ++i) {
        const double exponent = rate * step_ * static_cast<double>(i + 1);
        beyond[i] = std::exp(-exponent) * (1.0 - (4.0 * exponent + 16.0) * u);
    }
    for (std::int64_t j = 0; j < blocks; ++j) {
        const BlockStep& step = steps[j < larger_blocks ? 1 : 0];
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(n), values.end(), 0.0);
        for (std::size_t i = 0; i < beyond.size(); ++i) values[n + i] = values[n - 1] * beyond[i];
        step.apply(values, work, n);
        mass_error += step.mass_error;
        loss_error_ += step.loss_error;
    }
    values_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        values_[i] = values[i] * std::exp(rate * place(i) - (mass_error + loss_error_) * 1.001);
}

double TurnedPairs::at(std::int64_t index) const {
    const std::int64_t i = index - first_;
    if (i < 0 || values_.empty()) return 0.0;
    const auto k = std::min(static_cast<std::size_t>(i), values_.size() - 1);
    return std::clamp(widen_down(values_[k], 8), 0.0, 1.0);
}

double TurnedPairs::delta(double epsilon) const {
    if (values_.empty()) return 0.0;
    const double place = -(epsilon + loss_error_) / step_;
    return at(static_cast<std::int64_t>(std::floor(place - 4.0 * u * (std::fabs(place) + 1.0))));
}

double TurnedPairs::epsilon(double target) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const std::int64_t index = first_ + static_cast<std::int64_t>(i);
        if (index >= 0) break;
        if (at(index) > target)
            return std::max(
                0.0, widen_down(-step_ * static_cast<double>(index) - loss_error_ - 4.0 * u, 4));
    }
    return 0.0;
}

}  // namespace assay
