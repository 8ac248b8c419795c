#include "verify/oracles/integer_order_power.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/integer_order_refine.hpp"
#include "verify/oracles/published_weights.hpp"

namespace assay::verify {

namespace {

constexpr long few_bits = 64;          // of norms and bounds
constexpr double most_products = 4e9;  // times bits: about 2 s
constexpr double most_bounds = 4e5;

/// Coefficients 0..last of a b.
std::vector<Interval> product(const std::vector<Interval>& a, const std::vector<Interval>& b,
                              long last) {
    const std::size_t size = std::min(a.size() + b.size() - 1, static_cast<std::size_t>(last) + 1);
    std::vector<Interval> result(size, Interval(0.0, a[0].bits()));
    for (std::size_t i = 0; i < std::min(a.size(), size); ++i)
        for (std::size_t j = 0; j < std::min(b.size(), size - i); ++j) result[i + j] += a[i] * b[j];
    return result;
}

/// Coefficients 0..last of base^exponent, by squaring.
std::vector<Interval> polynomial_power(std::vector<Interval> base, long exponent, long last) {
    std::vector<Interval> result{Interval(1.0, base[0].bits())};
    for (;;) {
        if (exponent % 2 == 1) result = product(result, base, last);
        exponent /= 2;
        if (exponent == 0) return result;
        base = product(base, base, last);
    }
}

/// sum_i coefficients[i] e^{c^2 S^2/2}, S = origin + direction i.
Interval weighted_sum(const std::vector<Interval>& coefficients, long origin, long direction,
                      const Interval& c_squared) {
    const long p = c_squared.bits();
    Interval sum(0.0, p);
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const Interval s = Interval::integer(origin + direction * static_cast<long>(i), p);
        sum += coefficients[i] * exp(c_squared * square(s) / 2.0);
    }
    return sum;
}

}  // namespace

MixturePower::MixturePower(long alpha, double sigma, long B, long D)
    : alpha_(alpha), sigma_(sigma), B_(B), D_(D), norms_(copy_weights(B, D, B, few_bits)) {
    // e^{kappa n^2} with kappa = (alpha-1) c^2/2, by its ratio e^{kappa (2n+1)}.
    const Interval e_kappa =
        exp(Interval::integer(alpha - 1, few_bits) * c_squared(few_bits) / 2.0);
    const Interval e_2_kappa = square(e_kappa);
    Interval growth(1.0, few_bits);
    Interval ratio = e_kappa;
    for (Interval& norm : norms_) {
        norm *= growth;
        growth *= ratio;
        ratio *= e_2_kappa;
    }
}

Interval MixturePower::c_squared(long p) const {
    return Interval(4.0, p) / square(Interval(sigma_, p));
}

/// max(1, largest norm): a lower bound of ||V||, since V >= a_n X_n and E[V] = 1.
Interval MixturePower::smallest_norm() const {
    Interval largest(1.0, few_bits);
    for (const Interval& norm : norms_) largest = max(largest, norm);
    return largest;
}

MixturePower::Kept MixturePower::choose(long kept_bits) const {
    const Interval threshold = power(Interval(2.0, few_bits), -kept_bits) * smallest_norm();
    // The longest run of small norms is the gap between the two ends.
    long gap_begin = 0;
    long gap_end = 0;
    for (long begin = 0, n = 0; n <= B_; ++n) {
        if (!certainly_below(norms_[static_cast<std::size_t>(n)], threshold)) begin = n + 1;
        if (n + 1 - begin > gap_end - gap_begin) {
            gap_begin = begin;
            gap_end = n + 1;
        }
    }
    Kept kept{gap_begin, B_ + 1 - gap_end, Interval(0.0, few_bits)};
    if (gap_end == gap_begin) kept = {B_ + 1, 0, kept.left_out};
    for (long n = gap_begin; n < gap_end; ++n) kept.left_out += norms_[static_cast<std::size_t>(n)];
    return kept;
}

std::vector<Interval> MixturePower::polynomial(End end, long p) const {
    const Interval minus_half = c_squared(p) / -2.0;
    std::vector<Interval> coefficients;
    if (end.direction > 0) coefficients = copy_weights(B_, D_, end.count - 1, p);
    for (long j = 0; j < end.count; ++j) {
        const long n = end.direction > 0 ? j : B_ - j;
        if (end.direction < 0) coefficients.push_back(copy_weight(B_, D_, n, p));
        coefficients[static_cast<std::size_t>(j)] *=
            exp(minus_half * square(Interval::integer(n, p)));
    }
    return coefficients;
}

/// U_S for the sums S of one end, nearest first.
std::vector<Interval> MixturePower::bounds_by_sum(End end) const {
    const long draws = alpha_ * B_;
    const long last = alpha_ * (end.count - 1);
    if (static_cast<double>(last) > most_bounds) throw Unaffordable();
    const Interval others = Interval::integer(D_ - 1, few_bits);
    const Interval size = Interval::integer(D_, few_bits);
    const Interval half = c_squared(few_bits) / 2.0;
    Interval probability =
        end.direction > 0 ? power(others / size, draws) : power(1.0 / size, draws);
    std::vector<Interval> bounds;
    for (long i = 0; i <= last; ++i) {
        const Interval s = Interval::integer(end.direction > 0 ? i : draws - i, few_bits);
        const Interval squares = max(s, square(s) / Interval::integer(alpha_, few_bits));
        bounds.push_back(probability * exp(half * (square(s) - squares)));
        // One more success (or failure): (draws-i)/(i+1) times the odds.
        probability *= whole(draws - i);
        probability /= whole(i + 1);
        if (end.direction > 0)
            probability /= others;
        else
            probability *= others;
    }
    return bounds;
}

Interval MixturePower::moment_of_end(End end, long p, long kept_bits) const {
    const std::vector<Interval> bounds = bounds_by_sum(end);
    const Interval negligible =
        power(Interval(2.0, few_bits), -kept_bits) * power(smallest_norm(), alpha_);
    Interval left_out(0.0, few_bits);
    std::size_t size = bounds.size();
    while (size > 1) {
        const Interval more = left_out + bounds[size - 1];
        if (!certainly_below(more, negligible)) break;
        left_out = more;
        --size;
    }
    const double products =
        static_cast<double>(size) *
            static_cast<double>(std::min<std::size_t>(size, static_cast<std::size_t>(end.count))) +
        static_cast<double>(size) * static_cast<double>(size) * std::log2(alpha_);
    if (products * static_cast<double>(p + 300) > most_products) throw Unaffordable();
    const long origin = end.direction > 0 ? 0 : alpha_ * B_;
    const Interval sum =
        weighted_sum(polynomial_power(polynomial(end, p), alpha_, static_cast<long>(size) - 1),
                     origin, end.direction, c_squared(p));
    return Interval::between(sum, sum + left_out);
}

/// sum_h C(alpha,h) P_low^{alpha-h} P_high^h: h of the n_i are at the high end.
Interval MixturePower::moment_of_both(const Kept& kept, long p) const {
    const double alpha = static_cast<double>(alpha_);
    const double products =
        alpha * alpha * alpha / 6 * static_cast<double>(kept.lows) *
            static_cast<double>(kept.highs) +
        alpha * alpha * static_cast<double>(kept.lows * kept.lows + kept.highs * kept.highs);
    if (products * static_cast<double>(p + 300) > most_products) throw Unaffordable();
    // From n = B-highs+1 up, so that both polynomials are in x.
    std::vector<Interval> high = polynomial({-1, kept.highs}, p);
    std::reverse(high.begin(), high.end());
    const std::vector<Interval> low = polynomial({+1, kept.lows}, p);
    const auto powers_of = [&](const std::vector<Interval>& base) {
        std::vector<std::vector<Interval>> powers{{Interval(1.0, p)}};
        for (long k = 0; k < alpha_; ++k)
            powers.push_back(product(powers.back(), base, alpha_ * static_cast<long>(base.size())));
        return powers;
    };
    const auto low_powers = powers_of(low);
    const auto high_powers = powers_of(high);
    Interval sum(0.0, p);
    Interval binomial(1.0, p);  // C(alpha, h)
    for (long h = 0; h <= alpha_; ++h) {
        const auto& a = low_powers[static_cast<std::size_t>(alpha_ - h)];
        const auto& b = high_powers[static_cast<std::size_t>(h)];
        const long last = static_cast<long>(a.size() + b.size());
        sum += binomial *
               weighted_sum(product(a, b, last), h * (B_ - kept.highs + 1), 1, c_squared(p));
        binomial *= whole(alpha_ - h);
        binomial /= whole(h + 1);
    }
    return sum;
}

Interval MixturePower::log_moment(long p, long kept_bits) const {
    const Kept kept = choose(kept_bits);
    Interval moment(0.0, p);
    if (kept.highs == 0)
        moment = moment_of_end({+1, kept.lows}, p, kept_bits);
    else if (kept.lows == 0)
        moment = moment_of_end({-1, kept.highs}, p, kept_bits);
    else
        moment = moment_of_both(kept, p);
    // ||V_kept|| <= ||V|| <= ||V_kept|| + left_out.
    const Interval log_kept = log(moment);
    const Interval alpha = Interval::integer(alpha_, p);
    const Interval growth = log1p(kept.left_out * exp(-log_kept / alpha));
    return Interval::between(log_kept, log_kept + alpha * growth);
}

}  // namespace assay::verify
