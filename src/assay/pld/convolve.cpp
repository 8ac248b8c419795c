#include "assay/pld/convolve.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/fft.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/vector_clones.hpp"
#include "assay/pld/grid_exponential.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Exponentials of half a window stay in the range of `real`.
constexpr double longest_window = 18000.0;

/// So many frequencies are multiplied at a time, in arrays that stay in the cache.
constexpr std::size_t lanes = 128;
using Lanes = std::array<double, lanes>;

/// Values of a spectrum, and bounds of their sizes.
struct Spectrum {
    Lanes re;
    Lanes im;
    Lanes size;
};

/// A product of spectra so far; a bound of its size, and of its error divided by that.
struct Running {
    Spectrum value;
    Lanes share;
};

ASSAY_INLINE void multiply(Spectrum& x, const Spectrum& y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const double re = x.re[i] * y.re[i] - x.im[i] * y.im[i];
        x.im[i] = x.re[i] * y.im[i] + x.im[i] * y.re[i];
        x.re[i] = re;
        x.size[i] *= y.size[i];
    }
}

/// product *= x^repetitions by repeated squaring: repetitions - 1 roundings of the power, counted
/// with multiplicity. |y| <= size where y is the exact spectrum: |x^n - y^n| <= n error size^(n-1).
ASSAY_VECTOR_CLONES void multiply_power(Running& product, Spectrum& x, double error,
                                        std::int64_t repetitions, std::size_t count) {
    const auto times = static_cast<double>(repetitions);
    for (std::size_t i = 0; i < count; ++i) {
        x.size[i] = std::sqrt(x.re[i] * x.re[i] + x.im[i] * x.im[i]) + error;
        product.share[i] += times * error / x.size[i];
    }
    Spectrum power;
    std::copy_n(x.re.begin(), count, power.re.begin());
    std::copy_n(x.im.begin(), count, power.im.begin());
    std::copy_n(x.size.begin(), count, power.size.begin());
    for (std::int64_t bit =
             std::int64_t(std::bit_floor(static_cast<std::uint64_t>(repetitions))) / 2;
         bit > 0; bit /= 2) {
        multiply(power, power, count);
        if ((repetitions & bit) != 0) multiply(power, x, count);
    }
    multiply(product.value, power, count);
}

/// One factor's masses, tilted, normalised and wrapped round.
struct Folded {
    double log_scale = 0.0;
    double norm = 0.0;  // at least their sum
    double relative_error = 0.0;
};

Folded fold(const PrivacyLossPmf& pmf, double tilt, std::vector<double>& out) {
    Folded folded;
    const RepeatedLoss once{&pmf, 1};
    folded.log_scale = log_moment(std::span(&once, 1), tilt);
    // n is a power of 2: the mask is the remainder, for negative indices too.
    const std::size_t mask = out.size() - 1;
    const auto start = static_cast<std::size_t>(pmf.first);
    const std::size_t last = pmf.masses.size() - 1;
    const double first = tilt * pmf.loss(0) - folded.log_scale;
    for_each_exponential(first, tilt * pmf.step, pmf.masses.size(), [&](std::size_t i, double e) {
        const double mass = pmf.masses[i] > 0.0 ? pmf.masses[i] * e : 0.0;
        out[(start + i) & mask] += mass;
        folded.norm += mass;
    });
    const double largest =
        std::fabs(tilt) * std::max(std::fabs(pmf.loss(0)), std::fabs(pmf.loss(last))) +
        std::fabs(folded.log_scale);
    const double size = static_cast<double>(out.size());
    const double terms = static_cast<double>(pmf.masses.size());
    const double wraps = terms / size;
    folded.norm *= 1.0 + (terms + 8.0) * u;
    // The exponential and its arguments, the sums of what wraps round.
    folded.relative_error = (8.0 * largest + 16.0 + wraps) * u;
    return folded;
}

/// Product of the spectra, in place of `re`, `im`; returns the bound of its error, summed over
/// frequencies and divided by their number, together with that of the way back.
class Product {
public:
    explicit Product(std::size_t size)
        : fft_(size), re_(size, 1.0), im_(size, 0.0), bound_(size, 1.0), share_(size, 0.0) {}

    /// Two real factors in one transform.
    void multiply(std::vector<double>& first, double first_norm, std::int64_t first_count,
                  std::vector<double>& second, double second_norm, std::int64_t second_count) {
        fft_.forward(first, second);
        // (z(f) + conj z(-f))/2 and (z(f) - conj z(-f))/2i: both within the transform's error.
        const double error =
            (fft_.relative_error() + 2.0 * u) * (first_norm + second_norm) * (1.0 + 8.0 * u);
        const auto at = [&](std::size_t from, std::size_t count, bool is_own_opposite) {
            Running product;
            Spectrum a;
            Spectrum b;
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t i = from + k;
                const std::size_t j = Fft::opposite(i);
                product.value.re[k] = re_[i];
                product.value.im[k] = im_[i];
                product.value.size[k] = bound_[i];
                product.share[k] = share_[i];
                a.re[k] = 0.5 * (first[i] + first[j]);
                a.im[k] = 0.5 * (second[i] - second[j]);
                b.re[k] = 0.5 * (second[i] + second[j]);
                b.im[k] = 0.5 * (first[j] - first[i]);
            }
            multiply_power(product, a, error, first_count, count);
            if (second_count > 0) multiply_power(product, b, error, second_count, count);
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t i = from + k;
                const std::size_t j = Fft::opposite(i);
                re_[i] = re_[j] = product.value.re[k];
                im_[i] = product.value.im[k];
                im_[j] = is_own_opposite ? product.value.im[k] : -product.value.im[k];
                bound_[i] = bound_[j] = product.value.size[k];
                share_[i] = share_[j] = product.share[k];
            }
        };
        at(0, 2, true);
        // Opposites lie in the two halves of each stretch [start, 2 start).
        for (std::size_t start = 2; start < fft_.size(); start *= 2) {
            allow_interruption(20 * start);
            const std::size_t half = start / 2;
            for (std::size_t done = 0; done < half; done += lanes)
                at(start + done, std::min(lanes, half - done), false);
        }
        roundings_ += static_cast<double>(first_count + second_count);
    }

    /// The masses in natural order, and the bound of the error of each.
    double finish(std::vector<double>& masses) {
        double sum = 0.0;
        const double each = (2.4 * roundings_ + 4.0) * u + fft_.relative_error();
        for (std::size_t i = 0; i < fft_.size(); ++i) sum += bound_[i] * (share_[i] + each);
        fft_.backward(re_, im_);
        const auto n = static_cast<double>(fft_.size());
        masses = std::move(re_);
        for (double& mass : masses) mass /= n;  // exact: a power of 2
        // This bound's own rounding: 5 count u of a power, one addition a frequency.
        return sum / n * (1.0 + (8.0 * roundings_ + n + 64.0) * u);
    }

private:
    Fft fft_;
    std::vector<double> re_;
    std::vector<double> im_;
    std::vector<double> bound_;
    std::vector<double> share_;
    double roundings_ = 0.0;
};

/// Mass at infinity, or at ratio 0, of a product: I + p I' for two factors with the finite mass p
/// of the first, under P or under Q, which rounding may have made larger than 1 - I.
class Escaped {
public:
    explicit Escaped(double order) : order_(order) {}
    void add(const RepeatedLoss& part, double mass) {
        const auto count = static_cast<double>(part.count);
        const RepeatedLoss once{part.pmf, 1};
        sum_ += count * mass;
        log_growth_ +=
            count * std::max(0.0, log_moment_above(std::span(&once, 1), order_)) + 8.0 * u;
    }
    [[nodiscard]] double mass() const {
        if (sum_ == 0.0) return 0.0;
        return std::min(1.0, widen_up(sum_ * std::exp(log_growth_ * (1.0 + 8.0 * u)), 4));
    }

private:
    double order_;  // 1 under P, 0 under Q
    double sum_ = 0.0;
    double log_growth_ = 0.0;
};

double sum_above(double a, double b) {
    return a + b == 0.0 ? 0.0 : widen_up(a + b, 1);
}

/// e^{log_mass}, upward; 0 for -inf, where nothing is.
double mass_above(double log_mass) {
    if (log_mass == -infinity) return 0.0;
    return widen_up(std::exp(std::min(0.0, log_mass * (1.0 - 4.0 * u))), 4);
}

/// Where moments overflow: no mass is in its place, and all of it may be at either end.
PrivacyLossPmf of_nothing_known(PrivacyLossPmf result) {
    result.masses.assign(4, 0.0);
    result.rounding = infinity;
    if (result.direction == Direction::upper)
        result.infinity_mass = result.null_mass = result.below_p = result.above_q = 1.0;
    else
        result.aliased = 1.0;
    return result;
}

}  // namespace

PrivacyLossPmf convolve(std::span<const RepeatedLoss> parts, double tilt, std::size_t most_points,
                        double widest) {
    require_composable(parts);
    require(std::isfinite(tilt), "tilt", tilt, "a finite number");
    PrivacyLossPmf result;
    const PrivacyLossPmf& model = *parts.front().pmf;
    result.direction = model.direction;
    result.adjacency = model.adjacency;
    result.step = model.step;
    result.tilt = tilt;

    // The window: all but e^-40 of the tilted distribution.
    const TiltedTails tails(parts, tilt);
    double lowest = 0.0;
    double highest = 0.0;
    double blur = 0.0;  // of the place of a point
    for (const RepeatedLoss& part : parts) {
        const auto count = static_cast<double>(part.count);
        result.offset += count * part.pmf->offset;
        const double rounding =
            2.0 * u * (std::fabs(count * part.pmf->offset) + std::fabs(result.offset));
        result.loss_error += rounding;
        result.mass_error += std::fabs(tilt) * rounding;
        lowest += count * part.pmf->loss(0);
        highest += count * part.pmf->loss(part.pmf->masses.size() - 1);
        blur += rounding + 4.0 * u * (std::fabs(lowest) + std::fabs(highest));
    }
    const double support_low = lowest;
    const double support_high = highest;
    lowest = std::max({lowest, tails.reach(40.0, false), -widest});
    highest = std::min({highest, tails.reach(40.0, true), widest});
    if (!std::isfinite(tails.centre())) return of_nothing_known(std::move(result));
    if (highest - lowest > longest_window) {
        const double middle = 0.5 * (lowest + highest);
        lowest = middle - 0.5 * longest_window;
        highest = middle + 0.5 * longest_window;
    }
    // Where all of the distribution lies beyond what a grid holds, the window is at that end.
    lowest = std::min(lowest, widest);
    highest = std::max(highest, lowest);
    const double wanted = (highest - lowest) / model.step + 4.0;
    const double most = static_cast<double>(std::min(most_points, std::size_t{1} << 26U));
    const auto size =
        wanted >= most ? static_cast<std::size_t>(most)
                       : std::bit_ceil(std::max<std::size_t>(4, static_cast<std::size_t>(wanted)));
    if (wanted > most) lowest = highest - (most - 4.0) * model.step;
    result.first = static_cast<std::int64_t>(std::floor((lowest - result.offset) / model.step)) - 1;
    const double window_low = result.loss(0);
    const double window_high = result.loss(size - 1);

    Product product(size);
    Escaped to_infinity(1.0);
    Escaped to_null(0.0);
    for (std::size_t i = 0; i < parts.size(); i += 2) {
        std::vector<double> first(size, 0.0);
        std::vector<double> second(size, 0.0);
        const bool paired = i + 1 < parts.size();
        const Folded a = fold(*parts[i].pmf, tilt, first);
        const Folded b = paired ? fold(*parts[i + 1].pmf, tilt, second) : Folded{};
        const std::int64_t second_count = paired ? parts[i + 1].count : 0;
        product.multiply(first, a.norm, parts[i].count, second, b.norm, second_count);
        const auto add = [&](const RepeatedLoss& part, const Folded& folded) {
            const PrivacyLossPmf& pmf = *part.pmf;
            const auto count = static_cast<double>(part.count);
            result.log_scale += count * folded.log_scale;
            to_infinity.add(part, pmf.infinity_mass);
            to_null.add(part, pmf.null_mass);
            result.mass_error +=
                count * (pmf.mass_error + folded.relative_error) +
                4.0 * u * (std::fabs(count * folded.log_scale) + std::fabs(result.log_scale));
            result.loss_error += count * pmf.loss_error;
        };
        add(parts[i], a);
        if (paired) add(parts[i + 1], b);
    }
    std::vector<double> cyclic;
    result.rounding = product.finish(cyclic);
    if (!std::isfinite(result.rounding)) result.rounding = infinity;  // powers that overflow
    result.masses.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t k = (static_cast<std::size_t>(result.first) + i) & (size - 1);
        result.masses[i] = std::max(0.0, cyclic[k]);
    }

    // Outside the window; nothing where it covers the support.
    const double above_from = window_high - blur - 4.0 * u * std::fabs(window_high);
    const double below_from = window_low + blur + 4.0 * u * std::fabs(window_low);
    const auto above = [&](double base) {
        return above_from >= support_high ? -infinity : tails.log_mass(base, above_from, true);
    };
    const auto below = [&](double base) {
        return below_from <= support_low ? -infinity : tails.log_mass(base, below_from, false);
    };
    if (result.direction == Direction::upper) {
        result.infinity_mass = sum_above(to_infinity.mass(), mass_above(above(1.0)));
        result.null_mass = sum_above(to_null.mass(), mass_above(below(0.0)));
        result.below_p = mass_above(below(1.0));
        result.above_q = mass_above(above(0.0));
    } else {
        result.aliased = sum_above(mass_above(above(tilt) - tails.centre()),
                                   mass_above(below(tilt) - tails.centre()));
    }
    return result;
}

}  // namespace assay
