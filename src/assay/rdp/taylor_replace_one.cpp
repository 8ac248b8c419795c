#include "assay/rdp/taylor_replace_one.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/rdp/replace_one_factors.hpp"
#include "assay/rdp/taylor_moments.hpp"

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int longest_triangle = 512;

enum class Family { fixed_size, poisson_as_printed, poisson_repaired };

std::size_t index(int k) {
    return static_cast<std::size_t>(k);
}

void check(double order, double sigma, int m, double q) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "alpha > 1 and finite");
    require(sigma > 0.0 && std::isfinite(sigma), "sigma", sigma, "sigma > 0 and finite");
    require(m >= 3 && m <= 1000, "m", m, "an integer, 3 <= m <= 1000");
    require(q >= 0.0 && q < 1.0, "q", q, "0 <= q < 1");
}

int even_above(int k) {
    return k + (k & 1);
}

bool is_supported(double order, double sigma, int m) {
    return order < 500000.0 &&
           TaylorMoments::is_supported(TaylorMoments::shift_squared(sigma),
                                       even_above(static_cast<int>(std::ceil(order)) + m));
}

/// What one bound is asked for.
struct Setting {
    double sigma;
    int m;
    real q;
    Family family;
    double largest_order;

    [[nodiscard]] int highest() const {
        return even_above(static_cast<int>(std::ceil(largest_order)) + m);
    }
    [[nodiscard]] bool is_halved() const { return family != Family::fixed_size; }
    /// c^2 of F~ and E~: 4/sigma^2, or the quarter of it where sigma -> 2 sigma.
    [[nodiscard]] real shift_squared() const {
        const real full = TaylorMoments::shift_squared(sigma);
        return is_halved() ? full / 4.0L : full;
    }
    [[nodiscard]] TaylorMoments moments() const {
        return TaylorMoments::of_shift_squared(shift_squared(), highest());
    }
};

/// Whether every product below fits into `real`: q^l B~_{m+l} alpha^k, factorials, (1-q)^{-alpha}.
bool fits_real(const Setting& setting, const TaylorMoments& moments) {
    const auto k = static_cast<real>(moments.highest());
    // t^{j/2} <= B~_j, t = M_2, and B~_j is log-convex with B~_0 = 1.
    // The repaired family reads moments at 4 c^2 as well: B~_j <= 2 e^{4 c^2 j (j-1)/2} there.
    const real wider =
        setting.family == Family::poisson_repaired ? 2.0L * setting.shift_squared() * k * k : 0.0L;
    const real moment = std::fabs(moments.moment(moments.highest()).log()) +
                        k * std::fabs(moments.moment(2).log()) + wider;
    const real rest = k * (std::fabs(std::log(setting.q)) + std::log(k) + 2.0L) +
                      2.0L * k * std::fabs(std::log1p(-setting.q));
    return moment + 2.0L * rest + 100.0L < 10000.0L;
}

real as(real, const ScaledReal& x) {
    return x.value();
}
ScaledReal as(const ScaledReal&, const ScaledReal& x) {
    return x;
}
real exp_as(real, real x) {
    return std::exp(x);
}
ScaledReal exp_as(const ScaledReal&, real x) {
    return ScaledReal::exp_of(x);
}
bool is_zero(real x) {
    return x == 0.0L;
}
bool is_zero(const ScaledReal& x) {
    return x.is_zero();
}

/// Everything about (91) and (98) that depends on sigma, m and q only; Number is `real` where
/// fits_real, ScaledReal elsewhere.
template <class Number>
class ReplaceOneBound {
public:
    ReplaceOneBound(const Setting& setting, const TaylorMoments& moments)
        : m_(setting.m),
          q_(setting.q),
          moment_error_(moments.relative_error()),
          log_complement_(std::log1p(-setting.q)),
          sums_(index(moments.highest()) + 1),
          known_(index(moments.highest()) + 1, 0),
          factors_(setting.m) {
        const int highest = moments.highest();
        for (int j = 0; j < highest; ++j)
            bounds_.push_back(as(Number(), moments.absolute_moment_bound(j)));
        bounds_.push_back(as(Number(), moments.moment(highest)));

        for (int k = 0; k <= m_; ++k)
            first_.push_back(bounds_[index(k)] * ((k & 1) == 0 ? 4.0L : 3.0L));
        const real c2 = TaylorMoments::shift_squared(setting.sigma);
        if (setting.family == Family::poisson_repaired) {
            const auto full = TaylorMoments::of_shift_squared(c2, even_above(m_));
            moment_error_ = std::max(moment_error_, full.relative_error());
            for (int k = 0; k <= m_; ++k)
                first_[index(k)] = as(Number(), full.absolute_moment_bound(k)) * 2.0L +
                                   bounds_[index(k)] * ((k & 1) == 0 ? 2.0L : 1.0L);
        }
        // e^{c2} - e^{c2/2} = e^{c2/2} expm1(c2/2); e^{c2/4} - e^{-c2/4} = e^{-c2/4} expm1(c2/2).
        second_ = as(Number(), ScaledReal::exp_of(setting.is_halved() ? -c2 / 4.0L : c2 / 2.0L) *
                                   scaled_expm1(c2 / 2.0L)) *
                  (q_ * q_);
        second_error_ = (8.0L * c2 + 64.0L) * unit_roundoff;

        coefficients_.assign(1, Number(1.0L));
        binomials_.assign(1, 1.0L);
        complements_.assign(1, Number(1.0L));
        for (int k = 1; k <= m_; ++k) {
            coefficients_.push_back(coefficients_.back() * (q_ / static_cast<real>(k)));
            binomials_.push_back(binomials_.back() * static_cast<real>(m_ - k + 1) /
                                 static_cast<real>(k));
            complements_.push_back(complements_.back() * (1.0L - q_));
        }
    }

    /// remainder_sum(n) for all n <= largest at once: it is sum_l C(n,l) w_l with
    /// w_l = q^l B~_{m+l} / C(m+l,l), the n-th row of a Pascal triangle.
    void share_sums(int largest) {
        if (largest > longest_triangle) return;
        std::vector<Number> row;
        Number weight(1.0L);
        for (int l = 0; l <= largest; ++l) {
            row.push_back(weight * bounds_[index(m_ + l)]);
            weight = weight * (q_ * static_cast<real>(l + 1) / static_cast<real>(m_ + l + 1));
        }
        for (int n = 0; n <= largest; ++n) {
            sums_[index(n)] = row[0];
            known_[index(n)] = 1;
            for (std::size_t l = 0; l + 1 < row.size(); ++l) row[l] += row[l + 1];
            row.pop_back();
        }
    }

    /// Everything inside the logarithm of (91), less one.
    PositiveNumber excess(double order) {
        const real alpha = order;
        factors_.prepare(alpha);
        Number sum = second_ * alpha;
        real error = second_error_;
        Number power(alpha);
        for (int k = 3; k < m_; ++k) {
            power = power * alpha;
            // F~_k / ((alpha-1) alpha^{k-1}) = first_k + B~_k sum_j C(k,j) abs(g_j - 1).
            const ReplaceOneFactors::Spread s = factors_.spread(k);
            sum += coefficients_[index(k)] * power * (first_[index(k)] + bounds_[index(k)] * s.sum);
            // first_k >= B~_k, so the spread's error counts against 1 + spread.
            error = std::max(error, 1.01L * s.error / (1.0L + s.sum) + moment_error_);
        }
        sum += coefficients_[index(m_)] * (power * alpha) * remainder_bracket(order);
        error = std::max(error, remainder_error(order));
        return {ScaledReal(1.0L) * (sum * (alpha - 1.0L)),
                error + static_cast<real>(8 * m_ + 32) * unit_roundoff};
    }

    /// E~, (90).
    PositiveNumber remainder(double order) {
        const real alpha = order;
        factors_.prepare(alpha);
        Number result = coefficients_[index(m_)] * (alpha - 1.0L) * remainder_bracket(order);
        for (int k = 1; k < m_; ++k) result = result * alpha;
        return {ScaledReal(1.0L) * result,
                remainder_error(order) + static_cast<real>(8 * m_ + 32) * unit_roundoff};
    }

private:
    /// E~ / ((q^m/m!) (alpha-1) alpha^{m-1}).
    Number remainder_bracket(double order) {
        const real alpha = order;
        const int ceiling = static_cast<int>(std::ceil(order));
        Number sum(0.0L);
        for (int j = 0; j <= m_; ++j) {
            const Number g =
                complements_[index(j)] * (std::fabs(factors_.ratio(m_, j)) * binomials_[index(j)]);
            if (is_zero(g)) continue;
            if (order > j) {
                sum += (bounds_[index(m_)] + remainder_sum(ceiling - j)) * g;
            } else {
                // (1-q)^{-(alpha+m-j-1)} (1-q)^{alpha-j} over the common (1-q)^{-(alpha+m-1)}.
                sum += bounds_[index(m_)] * g *
                       exp_as(Number(), (alpha - static_cast<real>(j)) * log_complement_);
            }
        }
        return sum * exp_as(Number(), -(alpha + static_cast<real>(m_ - 1)) * log_complement_);
    }

    /// Bound on the log error of remainder_bracket: 4 roundings a factor of the sums and one an
    /// addition, 4m in g_j, 4m in binomials and powers of 1-q; log(1-q) and the products with it
    /// 18, the exponentials twice.
    [[nodiscard]] real remainder_error(double order) const {
        const auto longest = static_cast<real>(order) + 1.0L + static_cast<real>(m_);
        const real exponent = std::fabs(longest * log_complement_);
        const real roundings =
            9.0L * longest + 12.0L * static_cast<real>(m_) + 96.0L + 40.0L * exponent;
        return 1.01L * roundings * unit_roundoff + moment_error_;
    }

    /// sum_l [n! m! / ((n-l)! (m+l)!)] q^l B~_{m+l}.
    const Number& remainder_sum(int n) {
        Number& sum = sums_[index(n)];
        if (known_[index(n)] != 0) return sum;
        allow_interruption(10 * static_cast<std::uint64_t>(n + 1));
        sum = Number(0.0L);
        Number weight(1.0L);
        for (int l = 0; l <= n; ++l) {
            sum += weight * bounds_[index(m_ + l)];
            weight = weight * (q_ * static_cast<real>(n - l) / static_cast<real>(m_ + l + 1));
        }
        known_[index(n)] = 1;
        return sum;
    }

    int m_;
    real q_;
    real moment_error_;
    real second_error_ = 0.0L;
    real log_complement_;
    Number second_{};                   // q^2 (e^{4/sigma^2} - e^{2/sigma^2})
    std::vector<Number> bounds_;        // B~_j
    std::vector<Number> first_;         // first family of (80)
    std::vector<Number> coefficients_;  // q^k / k!
    std::vector<real> binomials_;       // C(m,j)
    std::vector<Number> complements_;   // (1-q)^j
    std::vector<Number> sums_;          // remainder_sum(n) where known_
    std::vector<char> known_;
    ReplaceOneFactors factors_;
};

/// Calls use(bound) with the bound in the number type that suits it.
template <class Use>
auto with_bound(const Setting& setting, Use use) {
    const TaylorMoments moments = setting.moments();
    if (fits_real(setting, moments)) {
        ReplaceOneBound<real> bound(setting, moments);
        return use(bound);
    }
    ReplaceOneBound<ScaledReal> bound(setting, moments);
    return use(bound);
}

Enclosure one_order(double order, double sigma, int m, double q, Family family) {
    check(order, sigma, m, q);
    if (q == 0.0) return exactly(0.0);
    if (!is_supported(order, sigma, m)) return {0.0, infinity};
    return with_bound({sigma, m, q, family, order}, [&](auto& bound) {
        return log1p_over(bound.excess(order), static_cast<real>(order) - 1.0L);
    });
}

}  // namespace

Enclosure log_coefficient_bound(double order, double sigma, int k) {
    check(order, sigma, 3, 0.0);
    require(k >= 1 && k <= 1000, "k", k, "an integer, 1 <= k <= 1000");
    if (!TaylorMoments::is_supported(TaylorMoments::shift_squared(sigma), k + 1))
        return {-infinity, infinity};
    const TaylorMoments moments(sigma, even_above(k));
    const real alpha = order;
    ReplaceOneFactors factors(k);
    factors.prepare(alpha);
    const ReplaceOneFactors::Spread s = factors.spread(k);
    ScaledReal value =
        moments.absolute_moment_bound(k) * (((k & 1) == 0 ? 4.0L : 3.0L) + s.sum) * (alpha - 1.0L);
    for (int l = 1; l < k; ++l) value *= alpha;
    return log_enclosure({value, 1.01L * s.error / (1.0L + s.sum) + moments.relative_error() +
                                     static_cast<real>(2 * k + 16) * unit_roundoff});
}

Enclosure log_replace_one_remainder_bound(double order, double sigma, int m, double q) {
    check(order, sigma, m, q);
    if (q == 0.0) return exactly(-infinity);
    if (!is_supported(order, sigma, m)) return {-infinity, infinity};
    return with_bound({sigma, m, q, Family::fixed_size, order},
                      [&](auto& bound) { return log_enclosure(bound.remainder(order)); });
}

Enclosure theorem_3_4_rdp(double order, double sigma, int m, double q) {
    return one_order(order, sigma, m, q, Family::fixed_size);
}

Enclosure theorem_c_9_as_printed_rdp(double order, double sigma, int m, double q) {
    return one_order(order, sigma, m, q, Family::poisson_as_printed);
}

Enclosure theorem_c_9_repaired_rdp(double order, double sigma, int m, double q) {
    return one_order(order, sigma, m, q, Family::poisson_repaired);
}

std::vector<Enclosure> theorem_3_4_rdp(std::span<const double> orders, double sigma, int m,
                                       double q) {
    std::vector<Enclosure> result(orders.size(), exactly(0.0));
    double largest = 0.0;
    for (const double order : orders) {
        check(order, sigma, m, q);
        if (is_supported(order, sigma, m)) largest = std::max(largest, order);
    }
    if (q == 0.0 || orders.empty()) return result;
    if (largest == 0.0) return std::vector<Enclosure>(orders.size(), Enclosure{0.0, infinity});
    with_bound({sigma, m, q, Family::fixed_size, largest}, [&](auto& bound) {
        if (orders.size() > 8) bound.share_sums(static_cast<int>(std::ceil(largest)));
        for (std::size_t i = 0; i < orders.size(); ++i) {
            allow_interruption(1000);
            result[i] =
                is_supported(orders[i], sigma, m)
                    ? log1p_over(bound.excess(orders[i]), static_cast<real>(orders[i]) - 1.0L)
                    : Enclosure{0.0, infinity};
        }
    });
    return result;
}

}  // namespace assay
