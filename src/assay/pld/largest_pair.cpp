#include "assay/pld/largest_pair.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

#include "assay/numeric/interruption.hpp"
#include "assay/numeric/normal_quantile.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/pld/normal_mass.hpp"

namespace assay {

namespace {

constexpr real outermost = 12.7L;  // deviations: e^{-80}

real log_add(real a, real b) {
    const real high = std::max(a, b);
    return high + std::log1p(std::exp(std::min(a, b) - high));
}

}  // namespace

LargestPair::LargestPair(real c, std::int64_t batches)
    : c_(c), others_(static_cast<real>(batches - 1)) {
    lowest_ = low(outermost);
    highest_ = high(outermost);
    // Of both: the smaller mean lies further down, the larger one further up.
    outside_ =
        1.01L * (std::exp(others_ * log_normal_cdf(lowest_) + log_normal_cdf(lowest_ - 0.5L * c_)) +
                 others_ * normal_tail(highest_) + normal_tail(highest_ - c_));
    constexpr int places = 500;
    for (int i = 0; i <= places; ++i) {
        const real at = lowest_ + (highest_ - lowest_) * static_cast<real>(i) / places;
        table_.push_back({at, log_ratio(at)});
    }
}

/// log of the density at this mean over phi(a) Phi(a)^(T-1), where log Phi(a) is `log_cdf`.
real LargestPair::log_factor(real shift, real a, real log_cdf) const {
    return log_add(shift * (a - 0.5L * shift),
                   std::log(others_) + log_normal_cdf(a - shift) - log_cdf);
}

real LargestPair::log_ratio(real a) const {
    const real log_cdf = log_normal_cdf(a);
    return log_factor(c_, a, log_cdf) - log_factor(0.5L * c_, a, log_cdf);
}

real LargestPair::quantile(real loss) const {
    if (loss <= table_.front().loss) return lowest_;
    if (loss >= table_.back().loss) return highest_;
    const auto above =
        std::upper_bound(table_.begin(), table_.end(), loss,
                         [](real value, const Place& place) { return value < place.loss; });
    Place low = *(above - 1);
    Place high = *above;
    const auto is_root = [&](real rest) {
        return std::fabs(rest) <= 0x1p-56L * (1.0L + std::fabs(loss));
    };
    // Secants from where the cubic through four places has its root, as long as they are inside.
    const auto first = table_.begin() + std::clamp<std::ptrdiff_t>(above - table_.begin() - 2, 0,
                                                                   std::ssize(table_) - 4);
    real at = 0.0L;
    for (auto i = first; i != first + 4; ++i) {
        real weight = 1.0L;
        for (auto j = first; j != first + 4; ++j)
            if (j != i) weight *= (loss - j->loss) / (i->loss - j->loss);
        at += weight * i->at;
    }
    real slope = (high.loss - low.loss) / (high.at - low.at);
    real last = at;
    real last_rest = 0.0L;
    for (int i = 0; i < 8 && low.at <= at && at <= high.at; ++i) {
        const real rest = log_ratio(at) - loss;
        if (is_root(rest)) return at;
        if (at != last) slope = (rest - last_rest) / (at - last);
        last = at;
        last_rest = rest;
        at -= rest / slope;
    }
    // The end that stays with half its distance (the Illinois rule).
    real low_rest = low.loss - loss;
    real high_rest = high.loss - loss;
    for (int i = 0; i < 100 && high.at - low.at > 0x1p-60L * (1.0L + std::fabs(low.at)); ++i) {
        at = std::clamp(low.at - low_rest * (high.at - low.at) / (high_rest - low_rest), low.at,
                        high.at);
        const real rest = log_ratio(at) - loss;
        if (is_root(rest)) return at;
        if (rest < 0.0L) {
            low.at = at;
            low_rest = rest;
            high_rest *= 0.5L;
        } else {
            high.at = at;
            high_rest = rest;
            low_rest *= 0.5L;
        }
    }
    return low.at;
}

PairMass LargestPair::mass(real a, real b) const {
    PairMass sum;
    a = std::max(a, lowest_);
    b = std::min(b, highest_);
    if (!(a < b)) return sum;
    // On an ellipse of parameter 8 about a panel the density grows by less than e^3.
    const real bend = others_ + 1.0L;
    const real inverse_mills =
        std::exp(-0.5L * a * a - log_normal_cdf(a)) * 0.398942280401432677939946059934381868L;
    const real slope = std::fabs(a) + std::fabs(b) + 2.0L * c_ + 2.0L + others_ * inverse_mills;
    const real half = std::min(0.36L / std::sqrt(bend), 0.25L / slope);
    constexpr real root = 0.398942280401432677939946059934381868L;
    const auto add = [&](real at, real weight) {
        const real log_cdf = log_normal_cdf(at);
        const real common = others_ * log_cdf - 0.5L * at * at;
        sum.under_p += weight * root * std::exp(common + log_factor(c_, at, log_cdf));
        sum.under_q += weight * root * std::exp(common + log_factor(0.5L * c_, at, log_cdf));
    };
    // On the ellipse of parameter 8 * 23 of so short a panel it grows as little: four nodes.
    if (b - a <= 2.0L / 23.0L * half) {
        const ShortRule rule(a, b);
        for (std::size_t i = 0; i < 4; ++i) add(rule.node[i], rule.weight[i]);
        return sum;
    }
    const real panels = std::ceil((b - a) / (2.0L * half));
    constexpr real work_of_panel = 12000.0L;
    constexpr real most_counted = 1e18L;
    allow_interruption(static_cast<std::uint64_t>(std::min(work_of_panel * panels, most_counted)));
    const real radius = 0.5L * (b - a) / panels;
    using Rule = boost::math::quadrature::gauss<real, 10>;
    real i = 0.0L;
    while (i < panels) {
        const real middle = a + radius * (2.0L * i + 1.0L);
        for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
            for (const real sign : {-1.0L, 1.0L})
                add(middle + sign * radius * Rule::abscissa()[k], radius * Rule::weights()[k]);
        i += 1.0L;
    }
    return sum;
}

real LargestPair::low(real deviations) const {
    const real least = -0.5L * deviations * deviations;
    const auto log_mass = [&](real a) {
        return others_ * log_normal_cdf(a) + log_normal_cdf(a - 0.5L * c_);
    };
    real bottom = -1.0L;
    while (log_mass(bottom) > least) bottom *= 2.0L;
    real top = 1.0L;
    while (log_mass(top) < least) top *= 2.0L;
    for (int i = 0; i < 40; ++i) {
        const real middle = 0.5L * (bottom + top);
        (log_mass(middle) < least ? bottom : top) = middle;
    }
    return bottom;
}

real LargestPair::high(real deviations) const {
    return std::max(c_ + deviations,
                    std::sqrt(deviations * deviations + 2.0L * std::log(others_ + 1.0L)));
}

}  // namespace assay
