#include "assay/epochs/geometric_sum.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

constexpr double unit = 0x1p-53;
struct Operands {
    const double* mass;  // of the larger summand
    const double* moment;
    std::array<const double*, WindowParts::most> window_mass;  // of the smaller one
    std::array<const double*, WindowParts::most> window_moment;
    double* out_mass;
    double* out_moment;
    double factor;
};

template <std::size_t parts>
ASSAY_INLINE void add_window(std::size_t count, const Operands& p) {
    const double* __restrict mass = p.mass;
    const double* __restrict moment = p.moment;
    const double* __restrict mass_0 = p.window_mass[0];
    const double* __restrict mass_1 = p.window_mass[parts > 1 ? 1 : 0];
    const double* __restrict mass_2 = p.window_mass[parts > 2 ? 2 : 0];
    const double* __restrict moment_0 = p.window_moment[0];
    const double* __restrict moment_1 = p.window_moment[parts > 1 ? 1 : 0];
    const double* __restrict moment_2 = p.window_moment[parts > 2 ? 2 : 0];
    double* __restrict out_mass = p.out_mass;
    double* __restrict out_moment = p.out_moment;
    const double factor = p.factor;
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) {
        double a = mass_0[i];
        double b = moment_0[i];
        if constexpr (parts > 1) {
            a += mass_1[i];
            b += moment_1[i];
        }
        if constexpr (parts > 2) {
            a += mass_2[i];
            b += moment_2[i];
        }
        a *= factor;
        b *= factor;
        out_mass[i] += mass[i] * a;
        out_moment[i] += moment[i] * a + mass[i] * b;
    }
}

ASSAY_VECTOR_CLONES
void add_windows(std::size_t parts, std::size_t count, const Operands& p) {
    switch (parts) {
        case 1: add_window<1>(count, p); break;
        case 2: add_window<2>(count, p); break;
        case 3: add_window<3>(count, p); break;
        default: break;
    }
}

MassMoment total(const GeometricGridDistribution& distribution) {
    long double mass = distribution.low.mass;
    long double moment = distribution.low.moment;
    for (std::size_t i = 0; i < distribution.mass.size(); ++i) {
        mass += distribution.mass[i];
        moment += distribution.moment[i];
    }
    return {static_cast<double>(mass), static_cast<double>(moment)};
}

MassMoment product(const MassMoment& a, const MassMoment& b) {
    return {a.mass * b.mass, a.moment * b.mass + a.mass * b.moment};
}

}  // namespace

GeometricSums::GeometricSums(ConvexSide side, double step, double log_floor, double log_top)
    : side_(side) {
    require(step > 0.0 && step <= 0.25, "step", step, "0 < step <= 1/4");
    // The smallest d whose offset is at most o: e^{-hd} < e^{h(o+1)} - 1. The left side has to be
    // away from the right one, so that rounding cannot decide.
    const auto distance = [](long double h, std::int64_t offset) {
        return -std::log(std::expm1(h * static_cast<long double>(offset + 1))) / h;
    };
    for (long double h = step;; h *= 1.0L + 1e-8L) {
        const auto last = static_cast<std::int64_t>(std::floor(std::log(2.0L) / h));
        bool clear = true;
        for (std::int64_t o = 0; o < last && clear; ++o) {
            const long double d = distance(h, o);
            clear = std::abs(d - std::round(d)) > 1e-9L;
        }
        if (!clear || std::log(2.0L) / h - static_cast<long double>(last) < 1e-9L) continue;
        step_ = static_cast<double>(h);
        diagonal_offset_ = last;
        std::int64_t beyond = 0;  // distances from here on have offsets already met
        for (std::int64_t o = last; o >= 0; --o) {
            const std::int64_t begin = beyond;
            const std::int64_t end =
                o == 0 ? begin : static_cast<std::int64_t>(std::floor(distance(h, o - 1))) + 1;
            if (o == 0)
                far_ = begin;
            else if (end > begin)
                windows_.push_back({o, begin, end - begin});
            beyond = end;
        }
        break;
    }
    top_ = static_cast<std::int64_t>(std::ceil(log_top / step_));
    floor_ = std::min(static_cast<std::int64_t>(std::floor(log_floor / step_)), top_ - 1);
    for (std::int64_t i = floor_; i <= top_; ++i)
        points_.push_back(std::exp(step_ * static_cast<double>(i)));
    // A cell's additions: those of every pass, for either order of the summands; 48 more for the
    // tables of windows, the parts of a pass, products, far pairs, diagonal and low parts. And what
    // rounding the exponents does to the points.
    const double reach = step_ * static_cast<double>(std::max(std::abs(floor_), std::abs(top_)));
    std::int64_t passes = 0;
    for (const Window& window : windows_) passes += passes_of(window.width) + 1;
    term_error_ = (static_cast<double>(2 * passes + 48) + 4.0 * reach) * unit;
}

GeometricGridDistribution GeometricSums::lognormal(double noise_multiplier) const {
    const LognormalCells cells(noise_multiplier);
    Cells grid{floor_, {}, {}};
    const auto count = static_cast<std::size_t>(top_ - grid.first);
    grid.mass.resize(count);
    grid.moment.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        allow_interruption(500);
        const double left = step_ * static_cast<double>(grid.first + static_cast<std::int64_t>(i));
        const double right =
            step_ * static_cast<double>(grid.first + static_cast<std::int64_t>(i) + 1);
        const LognormalCells::Cell cell = cells.between(left, right);
        grid.mass[i] = cell.mass;
        grid.moment[i] = points_[i] * (cell.mass + cell.excess);
    }
    const double first = step_ * static_cast<double>(grid.first);
    const double last = step_ * static_cast<double>(top_);
    const MassMoment low = cells.below(first);
    // Cells that have any mass reach this far at most.
    const double score =
        std::min(std::max(std::abs(cells.score(first)), std::abs(cells.score(last))),
                 LognormalCells::farthest + step_ * noise_multiplier);
    const double error = cells.rounding(score) + term_error_;
    GeometricGridDistribution distribution = settled(grid, count, error);
    const MassMoment top = cells.above(last);
    distribution.top.mass += top.mass;
    distribution.top.moment += top.moment;
    distribution.low = low;
    distribution.rounding = {error, 2.0 * error};
    if (side_ == ConvexSide::above) spread_low(distribution);
    return distribution;
}

GeometricGridDistribution GeometricSums::settled(const Cells& cells, std::size_t kept,
                                                 double error) const {
    GeometricGridDistribution distribution;
    distribution.first = cells.first;
    for (std::size_t i = kept; i < cells.mass.size(); ++i) {
        distribution.top.mass += cells.mass[i];
        distribution.top.moment += cells.moment[i];
    }
    if (side_ == ConvexSide::below) {
        const auto end = static_cast<std::ptrdiff_t>(kept);
        distribution.mass.assign(cells.mass.begin(), cells.mass.begin() + end);
        distribution.moment.assign(cells.moment.begin(), cells.moment.begin() + end);
        return distribution;
    }
    // Mass at the right end: (barycentre/left - 1)/(ratio - 1) of the cell. Both shares get what
    // rounding may have taken from them.
    const double span = std::expm1(step_);
    const double slack = 2.5 * error * (1.0 + 1.0 / span);
    distribution.mass.assign(kept, 0.0);
    distribution.moment.assign(kept, 0.0);
    for (std::size_t i = 0; i < kept; ++i) {
        const double left = point(cells.first + static_cast<std::int64_t>(i));
        const double mass = cells.mass[i];
        const double right = std::clamp((cells.moment[i] / left - mass) / span, 0.0, mass);
        distribution.mass[i] += (mass - right) + slack * mass;
        const double share = right + slack * mass;
        if (i + 1 < kept) {
            distribution.mass[i + 1] += share;
        } else {
            distribution.top.mass += share;
            distribution.top.moment += share * point(top_) * (1.0 + 4.0 * unit);
        }
    }
    for (std::size_t i = 0; i < kept; ++i)
        distribution.moment[i] =
            distribution.mass[i] * point(cells.first + static_cast<std::int64_t>(i));
    return distribution;
}

void GeometricSums::spread_low(GeometricGridDistribution& distribution) const {
    const double first = point(distribution.first);
    const double share = distribution.low.moment / first;
    const double slack = 2.0 * distribution.rounding.mass + 16.0 * unit;
    distribution.low = {
        std::max(0.0, distribution.low.mass - share) + slack * distribution.low.mass, 0.0};
    distribution.mass.front() += share * (1.0 + slack);
    distribution.moment.front() = distribution.mass.front() * first;
}

void GeometricSums::add_pairs(const GeometricGridDistribution& larger,
                              const GeometricGridDistribution& smaller, bool diagonal,
                              double factor, Cells& out) {
    // Pairs (i, i - d), d >= 0 (d >= 1 without the diagonal): i runs over the larger summand.
    const std::int64_t begin = std::max(larger.first, smaller.first);
    const auto count = static_cast<std::size_t>(top_ - begin);
    const std::int64_t reach = windows_.empty() ? 1 : windows_.back().first + windows_.back().width;
    // Both in the frame that starts at `begin`, with what the windows reach before it.
    const std::size_t frame = static_cast<std::size_t>(reach) + count;
    const auto add_up = [&](WindowSums& windows, const std::vector<double>& values) {
        const std::span<double> placed = windows.prepare(frame, reach);
        for (std::size_t i = 0; i < frame; ++i) {
            const std::int64_t j = begin - reach + static_cast<std::int64_t>(i) - smaller.first;
            placed[i] = j >= 0 ? values[static_cast<std::size_t>(j)] : 0.0;
        }
        windows.add_up();
    };
    add_up(window_mass_, smaller.mass);
    add_up(window_moment_, smaller.moment);
    const auto skip = static_cast<std::size_t>(begin - larger.first);
    const auto shift = static_cast<std::size_t>(begin - out.first);
    Operands p{};
    p.mass = larger.mass.data() + skip;
    p.moment = larger.moment.data() + skip;
    p.factor = factor;
    for (const Window& window : windows_) {
        allow_interruption(larger.mass.size());
        std::int64_t distance = window.first;
        std::int64_t width = window.width;
        if (!diagonal && distance == 0) {
            ++distance;
            --width;
        }
        const auto offset = shift + static_cast<std::size_t>(window.offset);
        p.out_mass = out.mass.data() + offset;
        p.out_moment = out.moment.data() + offset;
        for_each_pass(distance, width, [&](const WindowParts& parts) {
            for (std::size_t k = 0; k < parts.count; ++k) {
                const auto [level, to_last] = parts.part[k];
                p.window_mass[k] = window_mass_.ending_at(level) + (reach - to_last);
                p.window_moment[k] = window_moment_.ending_at(level) + (reach - to_last);
            }
            add_windows(parts.count, count, p);
        });
    }
    // Distances of offset 0: everything further below, as running sums.
    long double far_mass = 0.0L;
    long double far_moment = 0.0L;
    const std::int64_t far = std::max<std::int64_t>(far_, diagonal ? 0 : 1);
    std::int64_t next = 0;  // the first cell of the smaller summand that is not yet in the sums
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t last = begin + static_cast<std::int64_t>(i) - far - smaller.first;
        for (; next <= last && next < static_cast<std::int64_t>(smaller.mass.size()); ++next) {
            far_mass += smaller.mass[static_cast<std::size_t>(next)];
            far_moment += smaller.moment[static_cast<std::size_t>(next)];
        }
        const double a = factor * static_cast<double>(far_mass);
        const double b = factor * static_cast<double>(far_moment);
        out.mass[shift + i] += p.mass[i] * a;
        out.moment[shift + i] += p.moment[i] * a + p.mass[i] * b;
    }
}

GeometricGridDistribution GeometricSums::sum(const GeometricGridDistribution& a,
                                             const GeometricGridDistribution& b) {
    const bool same = &a == &b;
    Cells& out = out_;
    out.first = std::min(a.first, b.first);
    const auto kept = static_cast<std::size_t>(top_ - out.first);
    out.mass.assign(kept + static_cast<std::size_t>(diagonal_offset_) + 1, 0.0);
    out.moment.assign(out.mass.size(), 0.0);
    if (same) {
        add_pairs(a, a, false, 2.0, out);
        for (std::size_t i = 0; i < a.mass.size(); ++i) {
            const std::size_t j = i + static_cast<std::size_t>(diagonal_offset_);
            out.mass[j] += a.mass[i] * a.mass[i];
            out.moment[j] += 2.0 * a.mass[i] * a.moment[i];
        }
    } else {
        add_pairs(a, b, true, 1.0, out);
        add_pairs(b, a, false, 1.0, out);
    }
    const auto add_low = [&](const GeometricGridDistribution& distribution, const MassMoment& low) {
        if (low.mass == 0.0) return;
        const auto shift = static_cast<std::size_t>(distribution.first - out.first);
        for (std::size_t i = 0; i < distribution.mass.size(); ++i) {
            out.mass[shift + i] += low.mass * distribution.mass[i];
            out.moment[shift + i] +=
                low.mass * distribution.moment[i] + low.moment * distribution.mass[i];
        }
    };
    add_low(a, b.low);
    add_low(b, a.low);
    const double error = term_error_;
    GeometricGridDistribution result = settled(out, kept, error);
    result.low = product(a.low, b.low);
    const MassMoment below_a = total(a);
    const MassMoment below_b = total(b);
    for (const MassMoment& part :
         {product(a.top, below_b), product(below_a, b.top), product(a.top, b.top)}) {
        result.top.mass += part.mass;
        result.top.moment += part.moment;
    }
    result.rounding.mass = a.rounding.mass + b.rounding.mass + error;
    result.rounding.position = std::max(a.rounding.position, b.rounding.position) + 2.0 * error;
    return result;
}

GeometricGridDistribution GeometricSums::trimmed(GeometricGridDistribution distribution,
                                                 double allowance, double emphasis,
                                                 double farthest) const {
    MassMoment merged = distribution.low;
    std::size_t cut = 0;
    while (cut + 1 < distribution.mass.size()) {
        const double moment = merged.moment + distribution.moment[cut];
        const double next = point(distribution.first + static_cast<std::int64_t>(cut) + 1);
        if (next > farthest || next * moment * emphasis > allowance) break;
        merged.mass += distribution.mass[cut];
        merged.moment = moment;
        ++cut;
    }
    if (cut == 0) return distribution;
    const auto gone = static_cast<std::ptrdiff_t>(cut);
    distribution.mass.erase(distribution.mass.begin(), distribution.mass.begin() + gone);
    distribution.moment.erase(distribution.moment.begin(), distribution.moment.begin() + gone);
    distribution.first += static_cast<std::int64_t>(cut);
    distribution.low = merged;
    if (side_ == ConvexSide::above) spread_low(distribution);
    distribution.rounding.mass += static_cast<double>(cut + 8) * unit;
    distribution.rounding.position += 2.0 * static_cast<double>(cut + 8) * unit;
    return distribution;
}

AtomicDistribution GeometricSums::atoms(const GeometricGridDistribution& distribution) const {
    AtomicDistribution atoms;
    if (distribution.low.mass > 0.0) {
        atoms.positions.push_back(distribution.low.moment / distribution.low.mass);
        atoms.masses.push_back(distribution.low.mass);
    }
    for (std::size_t i = 0; i < distribution.mass.size(); ++i) {
        if (!(distribution.mass[i] > 0.0)) continue;
        atoms.positions.push_back(distribution.moment[i] / distribution.mass[i]);
        atoms.masses.push_back(distribution.mass[i]);
    }
    atoms.above = distribution.top;
    return atoms;
}

}  // namespace assay
