#include "assay/monte_carlo/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/normal_quantile.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/numeric/trapezoid.hpp"

namespace assay {

namespace {

constexpr real u = unit_roundoff;
constexpr std::int64_t most = 1'000'000'000'000;

void check(std::int64_t count, std::int64_t k) {
    if (count < 1 || count > most)
        throw DomainError("R", std::to_string(count), fmt::format("1 .. {}", most));
    if (k < 1 || k > count)
        throw DomainError("k", std::to_string(k), fmt::format("1 .. {}", count));
}

real harmonic_sum(std::int64_t from, std::int64_t to) {
    real sum = 0.0L;
    for (std::int64_t j = to; j >= from; --j) sum += 1.0L / static_cast<real>(j);
    return sum;
}

/// 1/(2n) - 1/(12 n^2) + 1/(120 n^4) - 1/(252 n^6) of Euler and Maclaurin's H_n - log n - gamma;
/// the next term, 1/(240 n^8), bounds the error.
real harmonic_correction(real n) {
    const real w = 1.0L / (n * n);
    return 0.5L / n - w * (1.0L / 12.0L - w * (1.0L / 120.0L - w / 252.0L));
}

/// Density of the k-th largest of `count` normals, up to a constant.
struct Density {
    real below;  // count - k
    real above;  // k - 1

    [[nodiscard]] real log_at(real z) const {
        return below * log_normal_cdf(z) + above * log_normal_tail(z) - 0.5L * z * z;
    }
    /// Absolute error of log_at, and of its difference from another one no larger.
    [[nodiscard]] real error(real z) const {
        const real each = (3.0L * z * z + 100.0L) * u;
        return each * (below * std::fabs(log_normal_cdf(z)) +
                       above * (1.0L + std::fabs(log_normal_tail(z))) + z * z + 1.0L);
    }
};

struct Sums {
    real mass = 0.0L;        // sum f
    real moment = 0.0L;      // sum (z - center) f
    real spread = 0.0L;      // sum |z - center| f
    real left_out = 0.0L;    // of mass, beyond the last node
    real far_moment = 0.0L;  // of spread, beyond the last node
    real error = 0.0L;       // largest relative error of a term
};

/// Nodes (first + i) step, i = 0, 1, .. or 0, -1, .. outward until what follows is negligible: f is
/// log-concave, so the terms fall at least geometrically, ratio r.
void add_side(const Density& f, std::int64_t first, std::int64_t direction, real step, Sums& sums) {
    const real center = static_cast<real>(first) * step;
    const real top = f.log_at(center);
    const real top_error = f.error(center);
    real previous = 1.0L;
    for (std::int64_t i = direction > 0 ? 0 : 1;; ++i) {
        if (i % 1024 == 0) allow_interruption();
        const real offset = static_cast<real>(direction * i) * step;
        const real z = static_cast<real>(first + direction * i) * step;
        const real term = std::exp(f.log_at(z) - top);
        sums.mass += term;
        sums.moment += offset * term;
        sums.spread += std::fabs(offset) * term;
        sums.error = std::max(sums.error, f.error(z) + top_error + 80.0L * u);
        const real ratio = term / previous;
        previous = term;
        if (i < 2 || ratio >= 0.999999L + 8.0L * sums.error) {
            if (term > 0.0L) continue;
        }
        const real gap = 1.0L - std::min(ratio, 1.0L - 1e-9L);
        const real mass = term / gap;
        const real spread = mass * (std::fabs(offset) + step / gap);
        if (spread > 1e-16L && term > 0.0L) continue;
        sums.left_out += 2.0L * mass;
        sums.far_moment += 2.0L * spread;
        return;
    }
}

std::vector<std::int64_t> pieces(
    std::initializer_list<std::pair<std::int64_t, std::int64_t>> runs) {
    std::vector<std::int64_t> orders;
    std::int64_t last = 0;
    for (const auto& [step, end] : runs)
        while (last < end) orders.push_back(last += step);
    return orders;
}

}  // namespace

Enclosure mean_log_uniform_order(std::int64_t count, std::int64_t k) {
    check(count, k);
    constexpr std::int64_t direct = 1000;
    const std::int64_t rest = count - k;
    if (k <= direct) {
        const real sum = harmonic_sum(rest + 1, count);
        return enclose(-sum, 2.0L * static_cast<real>(k + 2) * u * sum);
    }
    // H_count - H_rest: the terms below 100 one by one, the others by their expansion.
    const std::int64_t start = std::max<std::int64_t>(rest, 100);
    const auto a = static_cast<real>(start);
    const auto b = static_cast<real>(count);
    const real sum = (start > rest ? harmonic_sum(rest + 1, start) : 0.0L) +
                     std::log1p((b - a) / a) + harmonic_correction(b) - harmonic_correction(a);
    return enclose(-sum, sum * 512.0L * u + 2.0L / (240.0L * std::pow(a, 8.0L)));
}

Enclosure mean_normal_order(std::int64_t count, std::int64_t k) {
    check(count, k);
    if (2 * k == count + 1) return exactly(0.0);
    if (2 * k > count + 1) {  // the k-th smallest, mirrored
        const Enclosure mirrored = mean_normal_order(count, count + 1 - k);
        return {-mirrored.upper, -mirrored.lower};
    }
    const auto n = static_cast<real>(count);
    const Density f{static_cast<real>(count - k), static_cast<real>(k - 1)};
    // |f(x + iy)| <= e^{n y^2/2} f(x); in w = sqrt(n) z the growth is e^{v^2/2}.
    const TrapezoidRule rule = TrapezoidRule::for_accuracy(40.0L, 10.0L, 0.0L, 0.0L);
    int exponent = 0;
    const real significand = std::frexp(rule.step / std::sqrt(n), &exponent);
    const real step = std::ldexp(std::floor(significand * 1024.0L), exponent - 10);
    const auto first =
        static_cast<std::int64_t>(normal_upper_quantile(static_cast<real>(k) / (n + 1.0L)) / step);

    Sums sums;
    add_side(f, first, 1, step, sums);
    add_side(f, first, -1, step, sums);
    const real mean = sums.moment / sums.mass;
    // Weights off by a relative e move a weighted mean by at most 2 e times the spread; the rule's
    // errors are relative to N = 1 for the mass and N <= 32 for the moment.
    const real error = 3.0L * sums.error * sums.spread / sums.mass +
                       1.01L * rule.relative_error * (32.0L + std::fabs(mean)) +
                       (sums.far_moment + std::fabs(mean) * sums.left_out) / sums.mass;
    const real center = static_cast<real>(first) * step;
    return enclose(center + mean, 1.01L * error + 8.0L * u * (std::fabs(center) + 1.0L));
}

namespace {

void require_gap(std::int64_t before, std::int64_t after) {
    if (after - before > largest_order_gap)
        throw DomainError(
            "orders", fmt::format("nothing between {} and {}", before, after),
            fmt::format("gaps of at most {} up to the last of them, and from there to "
                        "the number of batches",
                        largest_order_gap));
}

}  // namespace

void validate_orders(std::span<const std::int64_t> orders, std::int64_t count, bool starts_at_one) {
    if (orders.empty()) throw DomainError("orders", "an empty list", "at least one order");
    if (starts_at_one && orders.front() != 1)
        throw DomainError("orders", std::to_string(orders.front()),
                          "a list that starts at 1: the upper bound (4) needs the largest");
    if (count < 1)
        throw DomainError("orders", std::to_string(orders.front()),
                          "left out: with so few batches there are no coordinates to order");
    std::int64_t previous = 0;
    for (const std::int64_t k : orders) {
        if (k <= previous || k > count)
            throw DomainError("orders", std::to_string(k),
                              fmt::format("an increasing list within 1 .. {}", count));
        require_gap(previous, k);
        previous = k;
    }
    require_gap(previous, count + 1);
}

const std::vector<OrderList>& paper_order_lists() {
    static const std::vector<OrderList> lists{
        {"fig2_36133", 36133, pieces({{1, 500}, {10, 1000}, {100, 19'900}})},
        {"fig2_4517", 4517, pieces({{1, 500}, {10, 1000}, {50, 2950}})},
        {"fig2_12497", 12497, pieces({{1, 500}, {10, 1000}, {100, 6900}})},
        {"fig2_1563", 1563, pieces({{1, 500}, {10, 990}})},
        {"fig4_100000", 100'000, pieces({{1, 400}, {10, 1000}, {100, 10'000}, {1000, 50'000}})},
        {"fig4_1000000", 1'000'000,
         pieces({{1, 300}, {10, 1000}, {100, 10'000}, {1000, 100'000}, {10'000, 500'000}})}};
    return lists;
}

const OrderList& paper_order_list(std::string_view name) {
    std::string names;
    for (const OrderList& list : paper_order_lists()) {
        if (list.name == name) return list;
        names += names.empty() ? std::string(list.name) : ", " + std::string(list.name);
    }
    throw DomainError("orders", std::string(name), names);
}

}  // namespace assay
