#include "verify/oracles/published_moments.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify {

namespace {

constexpr double most_table_work = 1e9;  // nanoseconds, roughly
constexpr long few_bits = 64;            // of mere bounds
constexpr double most_sum_work = 2e8;    // orders times bits: about 0.5 s

/// The terms l <= last of (44) add up to at most C(k,last) E_last / (1-r): one step down divides
/// C(k,l) by at least (k-last+1)/last, and E by at least e^{c^2 (last-1)/2} on average, since
/// E_last / E_{last-i} = e^{c^2 i (2 last - i - 1)/2} and i <= last. True when r <= 1/2; the
/// doubles are off by less than the slack of 1e-9.
bool rest_is_geometric(long k, long last, double c_squared_low) {
    const double steps = static_cast<double>(last) / static_cast<double>(k - last + 1);
    return steps * std::exp(-0.5 * c_squared_low * static_cast<double>(last - 1)) < 0.5 - 1e-9;
}

}  // namespace

Interval fixed_size_shift_squared(double sigma, long p) {
    return Interval(4.0, p) / square(Interval(sigma, p));
}

std::vector<Interval> lognormal_moments(const Interval& c_squared, long top) {
    const long p = c_squared.bits();
    if (static_cast<double>(top) * static_cast<double>(p + 200) > most_sum_work)
        throw Unaffordable();
    const Interval e_c_squared = exp(c_squared);
    std::vector<Interval> values;
    values.reserve(static_cast<std::size_t>(top) + 1);
    values.emplace_back(1.0, p);
    Interval ratio(1.0, p);  // E_{l+1} / E_l = e^{c^2 l}
    for (long l = 0; l < top; ++l) {
        values.push_back(values.back() * ratio);
        ratio *= e_c_squared;
    }
    return values;
}

Interval alternating_sum(const std::vector<Interval>& exponentials, long k, double c_squared_low) {
    const auto e = [&](long l) -> const Interval& {
        return exponentials[static_cast<std::size_t>(l)];
    };
    const long p = e(k).bits();
    Interval sum = e(k);
    Interval binomial(1.0, p);  // C(k, l)
    const Interval negligible = power(Interval(2.0, p), -p) * e(k);
    for (long l = k - 1; l >= 0; --l) {
        binomial *= whole(l + 1);
        binomial /= whole(k - l);
        const Interval term = binomial * e(l);
        if (rest_is_geometric(k, l, c_squared_low) && certainly_below(term, negligible)) {
            const Interval rest = 2.0 * term;
            return sum + hull(-rest, rest);
        }
        if ((k - l) % 2 == 0)
            sum += term;
        else
            sum -= term;
    }
    return sum;
}

Moments::Moments(const Interval& c_squared, std::vector<bool> matters)
    : c_squared_low_(c_squared.lower_double()),
      c_squared_high_(c_squared.upper_double()),
      matters_(std::move(matters)),
      exponentials_(lognormal_moments(c_squared, static_cast<long>(matters_.size()) - 1)),
      moments_(matters_.size()),
      final_(matters_.size()),
      odd_bounds_(matters_.size()) {
    long last = static_cast<long>(matters_.size()) - 1;
    while (last > 1 && (!matters_[static_cast<std::size_t>(last)] || sum_is_short(last))) --last;
    const double orders = static_cast<double>(last);
    if (orders * orders * (150.0 + static_cast<double>(c_squared.bits()) / 8) > most_table_work)
        throw Unaffordable();
    fill_table(last);
}

Moments::Moments(const Interval& c_squared, long top)
    : Moments(c_squared, std::vector<bool>(static_cast<std::size_t>(top) + 1, true)) {}

/// Not more than about k/16 terms are needed.
bool Moments::sum_is_short(long k) const {
    const long skipped = std::min(k, k / 16 + 4);
    return rest_is_geometric(k, k - skipped, 0.9 * c_squared_low_);
}

void Moments::fill_table(long last) {
    std::vector<Interval> differences(exponentials_.begin(), exponentials_.begin() + last + 1);
    for (long k = 0; k <= last; ++k) {
        // Now differences[l] is the k-th difference of E at l-k.
        if (k > 0)
            for (long l = last; l >= k; --l)
                differences[static_cast<std::size_t>(l)] -=
                    differences[static_cast<std::size_t>(l - 1)];
        moments_[static_cast<std::size_t>(k)] = differences[static_cast<std::size_t>(k)];
    }
    moments_[0] = Interval(1.0, exponentials_[0].bits());
    if (moments_.size() > 1) moments_[1] = Interval(0.0, exponentials_[0].bits());  // E[X] = 1
}

/// |X-1|^k <= max(X,1)^k <= X^k + 1, so |M_k| <= E_k + 1 <= 2 E_k. With X = e^y also
/// |X-1| <= |y| max(X,1), and E[|y|^k X^k] = E_k E|y+kc^2|^k, y normal with mean -c^2/2 and
/// variance c^2: by Minkowski and E z^k <= k^{k/2} for even k, M_k <= 2 E_k (c^2 k + c sqrt(k))^k.
Interval Moments::bounds(long k) const {
    const Interval largest = 2.0 * exponentials_[static_cast<std::size_t>(k)];
    if (k == 0 || k % 2 == 1) return hull(-largest, largest);
    const Interval order = Interval::integer(k, few_bits);
    const Interval c_squared =
        Interval::between(Interval(c_squared_low_, few_bits), Interval(c_squared_high_, few_bits));
    const Interval deviation = c_squared * order + sqrt(c_squared * order);
    return Interval::between(Interval(0.0, few_bits), min(largest, largest * power(deviation, k)));
}

const Interval& Moments::moment(long k) const {
    const auto index = static_cast<std::size_t>(k);
    std::optional<Interval>& known = moments_.at(index);
    if (known && (final_[index] || k < 2)) return *known;
    if (!known && matters_[index] && sum_is_short(k))
        known = alternating_sum(exponentials_, k, c_squared_low_);
    const Interval outer = bounds(k);
    if (!known)
        known = outer;
    else if (k % 2 == 0)  // where the digits did not suffice the bounds are better
        known = nonnegative(Interval::between(*known, min(*known, outer)));
    final_[index] = true;
    return *known;
}

const Interval& Moments::absolute_bound(long j) const {
    if (j % 2 == 0) return moment(j);
    std::optional<Interval>& known = odd_bounds_.at(static_cast<std::size_t>(j));
    if (!known) known = sqrt(moment(j - 1) * moment(j + 1));
    return *known;
}

namespace {

/// M_k by its own sum.
Interval single_moment(double sigma, long k, long p) {
    if (k == 0) return Interval(1.0, p);
    if (k == 1) return Interval(0.0, p);
    if (static_cast<double>(k) * static_cast<double>(p + 200) > most_sum_work) throw Unaffordable();
    const Interval c_squared = fixed_size_shift_squared(sigma, p);
    return alternating_sum(lognormal_moments(c_squared, k), k, c_squared.lower_double());
}

Interval log_m(const Point& point, long bits) {
    const double sigma = point["sigma"];
    const long k = point.integer("k");
    return refined(bits, [&](long p) { return log(single_moment(sigma, k, p)); });
}

Interval log_b_tilde(const Point& point, long bits) {
    const double sigma = point["sigma"];
    const long j = point.integer("j");
    return refined(bits, [&](long p) {
        if (j % 2 == 0) return log(single_moment(sigma, j, p));
        return (log(single_moment(sigma, j - 1, p)) + log(single_moment(sigma, j + 1, p))) / 2.0;
    });
}

/// E|X-1|^j for odd j: X > 1 iff z > c/2, and weighting by X^l moves z to N(lc, 1), so
///   E|X-1|^j = sum_l (-1)^{j-l} C(j,l) E_l (P(N(lc,1) > c/2) - P(N(lc,1) < c/2))
/// and the bracket is 1 - 2 Phi(c/2 - lc).
Interval absolute_moment(double sigma, long j, long p) {
    if (static_cast<double>(j) * static_cast<double>(p + 200) * 20 > most_sum_work)
        throw Unaffordable();
    const Interval c_squared = fixed_size_shift_squared(sigma, p);
    const std::vector<Interval> exponentials = lognormal_moments(c_squared, j);
    const Interval c = Interval(2.0, p) / sigma;
    Interval sum(0.0, p);
    Interval binomial(1.0, p);
    for (long l = j; l >= 0; --l) {
        const Interval x = (static_cast<double>(l) - 0.5) * c;
        const Interval term =
            binomial * exponentials[static_cast<std::size_t>(l)] * (1.0 - 2.0 * normal_cdf(-x));
        if ((j - l) % 2 == 0)
            sum += term;
        else
            sum -= term;
        binomial *= whole(l);
        binomial /= whole(j - l + 1);
    }
    return sum;
}

Interval log_absolute_moment(const Point& point, long bits) {
    const double sigma = point["sigma"];
    const long j = point.integer("j");
    return refined(bits, [&](long p) { return log(absolute_moment(sigma, j, p)); });
}

}  // namespace

std::vector<Oracle> published_moment_oracles() {
    return {
        {"birrell2024.log_M", "alternating sum (44)", log_m},
        {"birrell2024.log_B_tilde", "alternating sums (44)", log_b_tilde},
        {"exact.log_absolute_moment", "alternating sum of normal probabilities",
         log_absolute_moment, [](const Point& point) { return point.integer("j") % 2 == 1; }},
    };
}

}  // namespace assay::verify
