#include "verify/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/number_text.hpp"

namespace assay::verify {

namespace {

std::size_t length_of(double value) {
    return fmt::format("{}", value).size();
}

double rounded_to(double value, int digits) {
    return read_decimal(fmt::format("{:.{}e}", value, digits - 1)).value();
}

}  // namespace

std::vector<double> simpler_values(const Dimension& dimension, double value) {
    std::vector<double> candidates;
    const auto offer = [&](double candidate) {
        const bool inside = dimension.low <= candidate && candidate <= dimension.high;
        const bool simpler = length_of(candidate) < length_of(value) ||
                             (dimension.integer && std::abs(candidate) < std::abs(value));
        if (inside && simpler && (!dimension.integer || candidate == std::floor(candidate)) &&
            std::find(candidates.begin(), candidates.end(), candidate) == candidates.end())
            candidates.push_back(candidate);
    };
    if (dimension.integer) {
        for (double step = value - dimension.low; step >= 1.0; step = std::floor(step / 2.0))
            offer(value - step);
        return candidates;
    }
    for (const double simple : {1.0, 2.0, 0.5, 3.0, 10.0, 0.1}) offer(simple);
    for (int digits = 1; digits <= 15; ++digits) {
        const double near = rounded_to(value, digits);
        offer(near);
        const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - digits + 1);
        offer(rounded_to(near + unit, digits));
        offer(rounded_to(near - unit, digits));
        if (value < 1.0) offer(1.0 - rounded_to(1.0 - value, digits));
    }
    return candidates;
}

Trial shrunk(const Check& check, Trial violation, int attempts) {
    bool gave_way = true;
    while (gave_way && attempts > 0) {
        gave_way = false;
        for (const Dimension& dimension : check.space.dimensions) {
            for (const double value : simpler_values(dimension, violation.point[dimension.name])) {
                if (attempts-- <= 0) return violation;
                Point candidate = violation.point;
                candidate.set(dimension.name, value);
                if (check.space.admits && !check.space.admits(candidate)) continue;
                Trial trial = judge(check, candidate);
                if (trial.verdict != Verdict::violated) continue;
                violation = std::move(trial);
                gave_way = true;
                break;
            }
        }
    }
    return violation;
}

}  // namespace assay::verify
