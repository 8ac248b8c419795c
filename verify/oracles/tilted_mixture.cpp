#include "verify/oracles/tilted_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace assay::verify::lemma {

namespace {

struct Node {
    Interval weight;  // W^{theta+1} phi, up to the factor 1/sqrt(2 pi)
    Interval loss;
};

/// x widened by 2^-bits of `size`.
Interval widened(const Interval& x, const Interval& size, long bits) {
    const Interval slack = size * std::ldexp(1.0, static_cast<int>(-bits));
    return Interval::between(x - slack, x + slack);
}

std::vector<Node> nodes(double c, double q, double tilt, double step, long working) {
    const Interval shift(c, working);
    const Interval weight(q, working);
    // Beyond these the integrands are below 2^-bits of their integrals.
    const double reach = 2.0 + std::sqrt(1.4 * static_cast<double>(working));
    const double last = (tilt + 1.0) * c + reach;
    std::vector<Node> all;
    for (double k = std::floor(-reach / step); k * step <= last; ++k) {
        const Interval z = Interval(step, working) * k;
        const Interval loss = log1p(weight * expm1(shift * z - square(shift) / 2.0));
        all.push_back({exp((Interval(tilt, working) + 1.0) * loss - square(z) / 2.0), loss});
    }
    return all;
}

}  // namespace

TiltedSum mixture_steps(double c, double q, long T, double tilt, long bits) {
    const long working = bits + 64;
    const double height = std::min(2.0, 0.5 * std::numbers::pi / c);
    const double step =
        2.0 * std::numbers::pi * height / (0.7 * static_cast<double>(bits) + 40.0 + tilt);
    const std::vector<Node> all = nodes(c, q, tilt, step, working);
    Interval total(0.0, working);
    for (const Node& node : all) total += node.weight;
    // A sum of weight f(L) over the total; the analytic continuation of f is not larger than
    // (|L| + 4)^4 nearby.
    const auto mean_of = [&](auto f) {
        Interval sum(0.0, working);
        Interval size(0.0, working);
        for (const Node& node : all) {
            sum += node.weight * f(node.loss);
            size += node.weight * power(abs(node.loss) + 4.0, 4);
        }
        return widened(sum / total, size / total, bits);
    };
    const Interval mean = mean_of([](const Interval& loss) { return loss; });
    const Interval variance = mean_of([&](const Interval& loss) { return square(loss - mean); });
    const Interval fourth =
        mean_of([&](const Interval& loss) { return square(square(loss - mean)); });
    const Interval steps = Interval::integer(T, working);
    const Interval log_mgf =
        log(widened(total, total, bits) * step / sqrt(Interval::pi(working) * 2.0));
    const Interval constant = Interval(56.0, working) / 100.0;
    return {Interval(tilt, working), steps * log_mgf, steps * mean, steps * variance,
            constant * sqrt(fourth / variance) / sqrt(steps * variance)};
}

}  // namespace assay::verify::lemma
