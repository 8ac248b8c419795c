#include "verify/space.hpp"

#include <Random123/philox.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::verify {

namespace {

constexpr int most_attempts = 1000;

/// FNV-1a, so that a row's points do not depend on which rows stand before it.
std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return value;
}

double log_uniform(double low, double high, double u) {
    return low * std::pow(high / low, u);
}

double clipped(const Dimension& d, double value) {
    value = std::clamp(value, d.low, d.high);
    return d.integer ? std::clamp(std::round(value), std::ceil(d.low), std::floor(d.high)) : value;
}

double draw_coordinate(const Dimension& d, Draws& draws) {
    const double u = draws.uniform();
    switch (d.distribution) {
        case Scale::logarithmic: return clipped(d, log_uniform(d.low, d.high, u));
        case Scale::above_one: return clipped(d, 1.0 + log_uniform(d.low - 1.0, d.high - 1.0, u));
        case Scale::probability:
            return draws.uniform() < 0.5
                       ? clipped(d, log_uniform(d.low, d.high, u))
                       : clipped(d, 1.0 - log_uniform(1.0 - d.high, 1.0 - d.low, u));
        default: return clipped(d, d.low + (d.high - d.low) * u);
    }
}

/// The coordinate on the scale on which it is drawn evenly, and back.
double scale_of(const Dimension& d, double value) {
    switch (d.distribution) {
        case Scale::logarithmic: return std::log(value);
        case Scale::above_one: return std::log(value - 1.0);
        case Scale::probability: return std::log(value) - std::log1p(-value);
        default: return value;
    }
}

double from_scale(const Dimension& d, double scaled) {
    switch (d.distribution) {
        case Scale::logarithmic: return std::exp(scaled);
        case Scale::above_one: return 1.0 + std::exp(scaled);
        case Scale::probability: return 1.0 / (1.0 + std::exp(-scaled));
        default: return scaled;
    }
}

double number(std::string_view text, std::string_view word) {
    const std::optional<double> value = number_from_text(text);
    if (!value || !std::isfinite(*value))
        throw Error(fmt::format("'{}' in the region '{}' is no number", text, word));
    return *value;
}

void restrict_one(Dimension& d, std::string_view range, std::string_view word) {
    const std::size_t colon = range.find(':');
    const double low = number(range.substr(0, colon), word);
    const double high = colon == range.npos ? low : number(range.substr(colon + 1), word);
    if (low > high) throw Error(fmt::format("the region '{}' is empty", word));
    d.low = low;
    d.high = high;
    d.corners.clear();
    d.distribution = low > 0.0 && high / low > 10.0 ? Scale::logarithmic : Scale::linear;
}

}  // namespace

Draws::Draws(std::uint64_t seed, std::string_view name, std::uint64_t index)
    : key_{seed, hash(name)}, counter_{index, 0, 0, 0} {}

double Draws::uniform() {
    if (left_ == 0) {
        const r123::Philox4x64 generator;
        const auto block = generator({{counter_[0], counter_[1], 0, 0}}, {{key_[0], key_[1]}});
        std::copy(block.begin(), block.end(), block_);
        ++counter_[1];
        left_ = 4;
    }
    return (static_cast<double>(block_[--left_] >> 12U) + 0.5) * 0x1p-52;
}

double Draws::normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::size_t Draws::below(std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(uniform() * static_cast<double>(count)));
}

Point draw(const Space& space, std::uint64_t seed, std::string_view name, std::uint64_t index) {
    Draws draws(seed, name, index);
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        Point point;
        const bool at_corners = index % Space::corner_period == 0;
        for (const Dimension& d : space.dimensions) {
            const bool corner = draws.uniform() < (at_corners ? 0.75 : 0.1) && !d.corners.empty();
            point.set(d.name, corner ? d.corners[draws.below(d.corners.size())]
                                     : draw_coordinate(d, draws));
        }
        if (!space.admits || space.admits(point)) return point;
    }
    throw Error(fmt::format("no admitted point in {} draws for {}", most_attempts, name));
}

std::vector<Point> grid(const Space& space, std::size_t count) {
    std::size_t product = 1;
    for (const Dimension& d : space.dimensions)
        product *= std::max<std::size_t>(1, d.corners.size());
    std::vector<Point> points;
    // A stride that shares no factor with the product visits every coordinate's corners evenly.
    std::size_t stride = std::max<std::size_t>(1, product / std::max<std::size_t>(1, count));
    while (std::gcd(stride, product) != 1) ++stride;
    std::size_t position = 0;
    for (std::size_t i = 0; i < std::min(product, 4 * count) && points.size() < count; ++i) {
        std::size_t rest = position;
        Point point;
        for (const Dimension& d : space.dimensions) {
            if (d.corners.empty()) return points;  // no grid where a coordinate has no corners
            point.set(d.name, d.corners[rest % d.corners.size()]);
            rest /= d.corners.size();
        }
        if (!space.admits || space.admits(point)) points.push_back(point);
        position = (position + stride) % product;
    }
    return points;
}

Space restricted(Space space, std::string_view region) {
    constexpr std::string_view separators = " ,;";
    while (true) {
        const std::size_t begin = region.find_first_not_of(separators);
        if (begin == region.npos) return space;
        region.remove_prefix(begin);
        const std::string_view word = region.substr(0, region.find_first_of(separators));
        region.remove_prefix(word.size());
        const std::size_t equals = word.find('=');
        const std::string_view name = word.substr(0, equals);
        const auto at = std::find_if(space.dimensions.begin(), space.dimensions.end(),
                                     [&](const Dimension& d) { return d.name == name; });
        if (equals == word.npos || at == space.dimensions.end()) {
            std::string names;
            for (const Dimension& d : space.dimensions) names += " " + d.name;
            throw Error(fmt::format("'{}' is not of the form name=low:high with a name of:{}", word,
                                    names));
        }
        restrict_one(*at, word.substr(equals + 1), word);
    }
}

double perturbed(const Dimension& d, double value, double scale, Draws& draws) {
    if (d.low == d.high) return d.low;
    const double low = scale_of(d, d.low);
    const double high = scale_of(d, d.high);
    const double moved = scale_of(d, value) + scale * (high - low) * draws.normal();
    const double next = clipped(d, from_scale(d, std::clamp(moved, low, high)));
    if (!d.integer || next != value) return next;
    return clipped(d, value + (draws.uniform() < 0.5 ? -1.0 : 1.0));
}

}  // namespace assay::verify
