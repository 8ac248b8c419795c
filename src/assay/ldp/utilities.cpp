#include "assay/ldp/utilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/vector_clones.hpp"
#include "assay/numeric/vector_log.hpp"

// theta falls, S = {the k most probable}, n = K - k, P and Q the probabilities of S and of the
// rest; q1 = e^-eps1, q2 = e^-eps2; p = g(y | y) on S, r = g(y | x) for y off S and x in S,
// u = g(y | y) and v = g(y | x) for y and x off S, d = u - v, b = rP + vQ. The marginal is h = p w
// with w = q1 + (1 - q1) theta on S (the same w for every k) and h = b + d theta off S. Written in
// q1, q2 <= 1 nothing overflows, and sums have terms of one sign wherever that can be had.

namespace assay {

namespace {

constexpr std::size_t lanes = 4;

constexpr std::size_t padded(std::size_t count) {
    return (count + lanes - 1) / lanes * lanes;
}

/// sums[k] = sum over y = k, .., K-1 of term(k, theta[y]), `lanes` sizes at a time.
template <class Term>
ASSAY_INLINE void sum_outside(std::span<const double> theta, std::span<double> sums,
                              const Term& term) {
    const std::size_t count = theta.size();
    for (std::size_t k = 0; k < count; k += lanes) {
        double sum[lanes] = {};
        const std::size_t full = std::min(k + lanes - 1, count);
        for (std::size_t y = k; y < full; ++y)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const double added = term(k + lane, theta[y]);
                sum[lane] += k + lane <= y ? added : 0.0;
            }
        for (std::size_t y = full; y < count; ++y)
            for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += term(k + lane, theta[y]);
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[k + lane] = sum[lane];
    }
}

/// h ln h off S.
struct EntropyTerm {
    const double* b;
    const double* d;
    ASSAY_INLINE double operator()(std::size_t k, double theta) const {
        const double h = b[k] + d[k] * theta;
        return h * vector_log(h);
    }
};

/// sum_x g(y | x)^2 theta_x^2 / h_y off S, `others` being what it is without u^2 - v^2.
struct SquareTerm {
    const double* b;
    const double* d;
    const double* others;
    const double* u2_minus_v2;
    ASSAY_INLINE double operator()(std::size_t k, double theta) const {
        return (others[k] + u2_minus_v2[k] * (theta * theta)) / (b[k] + d[k] * theta);
    }
};

ASSAY_VECTOR_CLONES
void entropy_outside(std::span<const double> theta, const EntropyTerm& term,
                     std::span<double> sums) {
    sum_outside(theta, sums, EntropyTerm(term));
}

ASSAY_VECTOR_CLONES
void squares_outside(std::span<const double> theta, const SquareTerm& term,
                     std::span<double> sums) {
    sum_outside(theta, sums, SquareTerm(term));
}

/// terms[y] = w ln w.
ASSAY_VECTOR_CLONES
void entropy_inside(std::span<const double> theta, double q1, double one_minus_q1, double* terms) {
    for (std::size_t y = 0; y < theta.size(); ++y) {
        const double w = q1 + one_minus_q1 * theta[y];
        terms[y] = w * vector_log(w);
    }
}

/// The first y >= first of a falling theta with scale theta[y] <= level; theta.size() if none.
std::size_t first_below(std::span<const double> theta, std::size_t first, double scale,
                        double level) {
    std::size_t length = theta.size() - first;
    while (length > 1) {
        const std::size_t half = length / 2;
        first += half * static_cast<std::size_t>(scale * theta[first + half - 1] > level);
        length -= half;
    }
    return first + static_cast<std::size_t>(length == 1 && scale * theta[first] > level);
}

constexpr std::array<std::string_view, all_utilities.size()> names{
    "fisher-information", "entropy",        "posterior-total-variation", "marginal-total-variation",
    "mean-squared-error", "honest-response"};

}  // namespace

std::string_view to_string(Utility utility) {
    return names[static_cast<std::size_t>(utility)];
}

Utility utility_from_string(std::string_view name) {
    for (const Utility utility : all_utilities)
        if (to_string(utility) == name) return utility;
    throw DomainError("utility", std::string(name),
                      "fisher-information, entropy, posterior-total-variation, "
                      "marginal-total-variation, mean-squared-error or honest-response");
}

SubsetUtilities::SubsetUtilities(const RestrictedResponse& mechanism) : mechanism_(mechanism) {
    validate(mechanism);
    categories_ = static_cast<std::size_t>(mechanism.categories);
    distributions_.reserve(categories_ + 1);
    for (int size = 0; size <= mechanism.categories; ++size)
        distributions_.push_back(response_distribution(mechanism, size));
    for (Table* table : {&p_, &r_, &u_, &v_, &d_, &v_minus_r_, &one_minus_d_, &p_log_p_,
                         &other_inside_, &u2_minus_v2_, &fisher_constant_, &fisher_inside_,
                         &fisher_outside_, &fisher_smallest_, &b_, &others_, &value_})
        table->resize(padded(categories_));
    for (Table* table : {&inside_, &outside_, &prefix_, &suffix_}) table->resize(categories_ + 1);
    for (std::size_t k = 0; k < categories_; ++k) tabulate(k);
    // Sizes of padding: the marginal must not be zero.
    std::fill(b_.begin() + static_cast<std::ptrdiff_t>(categories_), b_.end(), 1.0);
}

void SubsetUtilities::tabulate(std::size_t size) {
    const double k = static_cast<double>(size);
    const double n = static_cast<double>(categories_ - size);
    const double eps1 = mechanism_.budget_share * mechanism_.epsilon;
    const double eps2 = complement_epsilon(mechanism_, static_cast<int>(size));
    const double q1 = std::exp(-eps1);
    const double q2 = std::exp(-eps2);
    const ResponseDistribution& distribution = distributions_[size];
    const double z2 = 1.0 + (n - 1.0) * q2;  // Z2 / e^eps2
    const double p = distribution.honest_inside;
    p_[size] = p;
    other_inside_[size] = distribution.other_inside;
    r_[size] = distribution.outside_from_inside;
    u_[size] = distribution.honest_outside;
    v_[size] = distribution.other_outside;
    d_[size] = p * -std::expm1(-eps2) / z2;
    v_minus_r_[size] =
        p * (q2 * -std::expm1(eps2 - eps1) + (n - 1.0) * q2 * -std::expm1(-eps1)) / (n * z2);
    one_minus_d_[size] = k * distribution.other_inside + n * distribution.other_outside;
    p_log_p_[size] = -p * std::log1p(k * q1);
    u2_minus_v2_[size] = d_[size] * (distribution.honest_outside + distribution.other_outside);

    // U1: with G^-1 = (beta off the diagonal, beta + alpha on it) in the rows of S, (gamma in the
    // columns of S; delta2, and delta1 + delta2 on the diagonal) in the others, aydin2024's
    // tr F^-1 is sum_y h_y sum_i (G^-1)_iy^2 - sum_i theta_i^2 over all i but the smallest.
    // The squares come by what y is: of S, off S, the smallest.
    const double on_s = size == 0 ? 0.0 : 1.0 / std::expm1(eps1);  // -beta
    const double off_s = n == 1.0 ? 0.0 : 1.0 / std::expm1(eps2);
    const double ratio = size == 0 ? 0.0 : k * q1 * on_s / n;  // k / (n e1 (e1 - 1))
    const double z1 = 1.0 + k * q1;                            // Z1 / e^eps1
    const double alpha_beta = 1.0 + k * on_s;
    const double gamma = on_s / n;
    const double delta2 = ratio - z1 * off_s;
    const double delta12 = ratio + z1 * (1.0 + (n - 1.0) * off_s);
    const double square_inside =
        size == 0 ? 0.0
                  : (k - 1.0) * on_s * on_s + alpha_beta * alpha_beta + (n - 1.0) * gamma * gamma;
    const double square_smallest = k * on_s * on_s + (n - 1.0) * delta2 * delta2;
    const double square_outside =
        n == 1.0 ? 0.0 : k * on_s * on_s + (n - 2.0) * delta2 * delta2 + delta12 * delta12;
    if (!std::isfinite(square_inside) || !std::isfinite(square_outside) ||
        !std::isfinite(square_smallest)) {
        fisher_constant_[size] = std::numeric_limits<double>::infinity();
        return;
    }
    // H_S = k p q1 + p (1 - q1) P, h_smallest = rP + v(Q - theta) + u theta, and the rest.
    fisher_constant_[size] = square_inside * k * distribution.other_inside;
    fisher_inside_[size] =
        square_inside * p * -std::expm1(-eps1) +
        (square_outside * (n - 1.0) + square_smallest) * distribution.outside_from_inside;
    fisher_outside_[size] = square_outside * ((n - 1.0) * distribution.other_outside + d_[size]) +
                            square_smallest * distribution.other_outside;
    fisher_smallest_[size] = square_outside * (n - 1.0) * distribution.other_outside +
                             square_smallest * distribution.honest_outside;
}

void SubsetUtilities::accumulate(std::span<const double> falling) {
    if (falling.size() != categories_)
        throw DomainError("probabilities", fmt::format("{} values", falling.size()),
                          fmt::format("one a category, {}", categories_));
    bool falls = true;
    for (std::size_t y = 1; y < categories_; ++y) falls &= falling[y - 1] >= falling[y];
    falls &= falling.front() <= 2.0 && falling.back() >= 0.0;
    if (!falls)
        throw DomainError("probabilities", "an order that does not fall, or a negative number",
                          "probabilities, the largest first");
    double sum = 0.0;
    double back = 0.0;
    outside_[categories_] = outside_[categories_ - 1] = 0.0;
    for (std::size_t y = 0; y < categories_ - 1; ++y) {
        const std::size_t z = categories_ - 2 - y;
        inside_[y] = sum;
        sum += falling[y];
        outside_[z] = back += falling[z];
    }
    inside_[categories_ - 1] = sum;
    inside_[categories_] = sum += falling.back();
    require(std::fabs(sum - 1.0) <= sum_tolerance, "probabilities", sum, "a sum of 1");
}

void SubsetUtilities::marginal_outside(double smallest) {
    for (std::size_t k = 0; k < categories_; ++k)
        b_[k] = r_[k] * inside_[k] + v_[k] * (outside_[k] + smallest);
}

void SubsetUtilities::fisher_information(std::span<const double> falling) {
    double squares = 0.0;
    for (std::size_t y = 0; y + 1 < categories_; ++y) squares += falling[y] * falling[y];
    const double smallest = falling.back();
    for (std::size_t k = 0; k < categories_; ++k)
        value_[k] = squares - (fisher_constant_[k] + fisher_inside_[k] * inside_[k] +
                               fisher_outside_[k] * outside_[k] + fisher_smallest_[k] * smallest);
}

void SubsetUtilities::entropy(std::span<const double> falling) {
    const double eps1 = mechanism_.budget_share * mechanism_.epsilon;
    const double q1 = std::exp(-eps1);
    const double one_minus_q1 = -std::expm1(-eps1);
    marginal_outside(falling.back());
    entropy_outside(falling, {.b = b_.data(), .d = d_.data()}, value_);
    entropy_inside(falling, q1, one_minus_q1, prefix_.data());
    double sum = 0.0;
    for (std::size_t k = 0; k < categories_; ++k) {
        const double weights = static_cast<double>(k) * q1 + one_minus_q1 * inside_[k];
        value_[k] += p_[k] * sum + p_log_p_[k] * weights;
        sum += prefix_[k];
    }
}

void SubsetUtilities::posterior_total_variation(std::span<const double> falling) {
    // Off S: theta_y (u - h_y), and what another x of the same kind adds where its g(y | x)
    // exceeds h_y: (Q - theta_y) (c - d theta_y)^+ with c = P (v - r) for x off S, or
    // P (c - d theta_y)^+ with c = Q (r - v) for x in S.
    const double one_minus_q1 = -std::expm1(-mechanism_.budget_share * mechanism_.epsilon);
    prefix_[0] = 0.0;
    suffix_[categories_] = 0.0;
    for (std::size_t y = 0; y < categories_; ++y) {
        const std::size_t z = categories_ - 1 - y;
        prefix_[y + 1] = prefix_[y] + falling[y] * (1.0 - falling[y]);
        suffix_[z] = suffix_[z + 1] + falling[z] * falling[z];
    }
    const double whole = prefix_[categories_];
    for (std::size_t k = 0; k < categories_; ++k) {
        const double in = inside_[k];
        const double out = outside_[k] + falling.back();
        const double excess = v_minus_r_[k];
        const double d = d_[k];
        const double level = excess > 0.0 ? excess * in : -excess * out;
        const std::size_t m = first_below(falling, k, d, level);
        const double count = static_cast<double>(categories_ - m);
        const double rest = m == categories_ ? 0.0 : outside_[m] + falling.back();
        const double others =
            excess > 0.0 ? out * (level * count - d * rest) - (level * rest - d * suffix_[m])
                         : in * (level * count - d * rest);
        value_[k] = p_[k] * one_minus_q1 * prefix_[k] + d * (whole - prefix_[k]) +
                    excess * in * out + others;
    }
}

void SubsetUtilities::marginal_total_variation(std::span<const double> falling) {
    marginal_outside(falling.back());
    const auto all = static_cast<double>(categories_);
    std::size_t above = 0;  // members with (k + 1) theta > 1
    for (std::size_t k = 0; k < categories_; ++k) {
        const auto size = static_cast<double>(k);
        while (above < k && (size + 1.0) * falling[above] > 1.0) ++above;
        const double inside = (size + 1.0) * (2.0 * inside_[above] - inside_[k]) +
                              (size - 2.0 * static_cast<double>(above));
        const std::size_t m = first_below(falling, k, one_minus_d_[k], b_[k]);
        const double rest = m == categories_ ? 0.0 : outside_[m] + falling.back();
        const double outside = one_minus_d_[k] * (outside_[k] + falling.back() - 2.0 * rest) +
                               b_[k] * (all - 2.0 * static_cast<double>(m) + size);
        value_[k] = 0.0 - 0.5 * std::max(0.0, other_inside_[k] * inside + outside);
    }
}

void SubsetUtilities::mean_squared_error(std::span<const double> falling) {
    const double eps1 = mechanism_.budget_share * mechanism_.epsilon;
    const double q1 = std::exp(-eps1);
    const double one_minus_q1 = -std::expm1(-eps1);
    const double one_minus_square = -std::expm1(-2.0 * eps1);
    suffix_[categories_] = 0.0;
    for (std::size_t z = categories_; z-- > 0;)
        suffix_[z] = suffix_[z + 1] + falling[z] * falling[z];
    const double squares = suffix_[0];
    marginal_outside(falling.back());
    for (std::size_t y = 0; y < categories_; ++y)
        prefix_[y] = (q1 * q1 * squares + one_minus_square * (falling[y] * falling[y])) /
                     (q1 + one_minus_q1 * falling[y]);
    double before = 0.0;
    for (std::size_t k = 0; k < categories_; ++k) {
        others_[k] = r_[k] * r_[k] * before + v_[k] * v_[k] * suffix_[k];
        before += falling[k] * falling[k];
    }
    squares_outside(falling,
                    {.b = b_.data(),
                     .d = d_.data(),
                     .others = others_.data(),
                     .u2_minus_v2 = u2_minus_v2_.data()},
                    value_);
    double sum = 0.0;
    for (std::size_t k = 0; k < categories_; ++k) {
        value_[k] += p_[k] * sum - 1.0;
        sum += prefix_[k];
    }
}

void SubsetUtilities::honest_response(std::span<const double> falling) {
    for (std::size_t k = 0; k < categories_; ++k)
        value_[k] = p_[k] * inside_[k] + u_[k] * (outside_[k] + falling.back());
}

void SubsetUtilities::compute(Utility utility, std::span<const double> falling) {
    accumulate(falling);
    switch (utility) {
        case Utility::fisher_information: return fisher_information(falling);
        case Utility::entropy: return entropy(falling);
        case Utility::posterior_total_variation: return posterior_total_variation(falling);
        case Utility::marginal_total_variation: return marginal_total_variation(falling);
        case Utility::mean_squared_error: return mean_squared_error(falling);
        case Utility::honest_response: return honest_response(falling);
    }
}

void SubsetUtilities::by_size(Utility utility, std::span<const double> falling,
                              std::span<double> values) {
    const auto first = static_cast<std::size_t>(smallest_subset(mechanism_));
    const auto last = static_cast<std::size_t>(largest_subset(mechanism_));
    if (values.size() != last - first + 1)
        throw DomainError("values", fmt::format("{} places", values.size()),
                          fmt::format("one a size, {}", last - first + 1));
    compute(utility, falling);
    std::copy_n(value_.begin() + static_cast<std::ptrdiff_t>(first), categories_ - first,
                values.begin());
    if (last == categories_) values.back() = value_[categories_ - 1];
}

int SubsetUtilities::best_size(Utility utility, std::span<const double> falling) {
    compute(utility, falling);
    const auto first = value_.begin() + smallest_subset(mechanism_);
    const auto last = value_.begin() + static_cast<std::ptrdiff_t>(categories_);
    const double best = *std::max_element(first, last);
    const double enough = best - near_tie * std::max(1.0, std::fabs(best));
    const auto found = std::find_if(first, last, [&](double value) { return value >= enough; });
    return static_cast<int>(found - value_.begin());
}

}  // namespace assay
