#pragma once
#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/scaled_real.hpp"

/// Independent truth for the unit tests, in 50 decimal digits. Nothing here shares a formula with
/// the library: divergences are summed from the unreduced integrand P^a Q^(1-a) phi, in the open.
namespace assay::test_support {

template <unsigned Digits>
using Decimals = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>,
                                               boost::multiprecision::et_off>;
using Wide = Decimals<50>;
/// Where 50 digits cancel.
using Digits100 = Decimals<100>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

[[nodiscard]] inline Wide wide(const ScaledReal& x) {
    return Wide(x.value());
}

/// How often randomised tests repeat, from the environment variable ASSAY_TEST_EFFORT (default 1).
[[nodiscard]] int effort();

/// The parameter that the call is refused for; empty when it is not.
template <class Call>
std::string refused(Call&& call) {
    try {
        static_cast<void>(call());
    } catch (const DomainError& error) {
        return error.parameter();
    }
    return "";
}

/// Reproducible draws; CAPTURE(random.seed()) where it is used.
class Random {
public:
    explicit Random(std::uint64_t seed) : seed_(seed), engine_(seed) {}

    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    double uniform(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
    }
    double log_uniform(double low, double high) {
        return std::exp(uniform(std::log(low), std::log(high)));
    }
    int integer(int low, int high) {
        return low + static_cast<int>(uniform(0.0, 1.0) * (high - low + 1));
    }

private:
    std::uint64_t seed_;
    std::mt19937_64 engine_;
};

[[nodiscard]] std::string digits(const Wide& x);

/// |value - exact| in units in the last place of the exact number.
[[nodiscard]] double error_in_ulp(double value, const Wide& exact);

/// Enclosure that holds `truth`, with relative width at most `width`. `printed` widens the truth
/// by the precision to which it was written down (relative), for values copied as decimals.
class Encloses : public Catch::MatcherBase<Enclosure> {
public:
    explicit Encloses(Wide truth, double width = 1e-11, double printed = 0.0);

    [[nodiscard]] bool match(const Enclosure& e) const override;
    [[nodiscard]] std::string describe() const override;

private:
    Wide truth_;
    double width_;
    double printed_;
};

/// Encloses the value up to the rounding of its decimals, with relative width at most `width`.
[[nodiscard]] bool agrees(const Enclosure& e, double value, double width = 1e-13);

[[nodiscard]] inline bool meet(const Enclosure& a, const Enclosure& b) {
    return a.lower <= b.upper && b.lower <= a.upper;
}

/// For decimals of 25 digits or more at decimal parameters, which the library reads as doubles.
[[nodiscard]] Encloses encloses_printed(const char* decimals, double width = 1e-11);

[[nodiscard]] Wide wide_pi();

template <class Real>
Real normal_density(const Real& z) {
    static const Real root = sqrt(2 * boost::math::constants::pi<Real>());
    return exp(-z * z / 2) / root;
}

/// h sum f(left + k h) over [left, right].
template <class Real, class F>
Real trapezoid(const Real& left, const Real& right, const Real& step, const F& f) {
    const auto count = static_cast<int>((right - left) / step) + 1;
    Real sum = 0;
    for (int k = 0; k < count; ++k) sum += f(left + step * k);
    return sum * step;
}

/// Step for about `nats` nats of relative accuracy when the integrand at height y is at most
/// e^(y^2/2) cos(sector y/2)^(-power) times itself, and analytic below pi / rate.
[[nodiscard]] double wide_step(double nats, double rate, double sector, double power);

/// E[P^a Q^(1-a)], P = 1-q + q e^{xz - x^2/2}, Q the same with y.
template <class Real>
Real pair_moment_in(const Real& order, const Real& q, const Real& x, const Real& y, double nats) {
    const auto a = static_cast<double>(order);
    const auto left_shift = static_cast<double>(x);
    const auto right_shift = static_cast<double>(y);
    const double rate = std::max(std::fabs(left_shift), std::fabs(right_shift));
    const double step = wide_step(nats, rate, std::fabs(right_shift), a - 1.0);
    const double reach = std::sqrt(2.0 * nats) + 1.0;
    // The slope of log(P^a Q^(1-a)) lies between the sums of its negative and positive parts.
    const double p_left = a * std::min(0.0, left_shift);
    const double p_right = a * std::max(0.0, left_shift);
    const double q_left = (a - 1.0) * std::min(0.0, -right_shift);
    const double q_right = (a - 1.0) * std::max(0.0, -right_shift);
    const Real beta = order - 1;
    return trapezoid(Real(p_left + q_left - reach), Real(p_right + q_right + reach), Real(step),
                     [&](const Real& z) -> Real {
                         const Real p = 1 - q + q * exp(x * (z - x / 2));
                         const Real r = y == 0 ? Real(1) : 1 - q + q * exp(y * (z - y / 2));
                         const Real log_ratio = y == 0 ? log(p) : log(p / r);
                         return p * exp(beta * log_ratio) * normal_density(z);
                     });
}

[[nodiscard]] Wide pair_moment(const Wide& order, const Wide& q, const Wide& x, const Wide& y,
                               double nats = 118.0);

/// E[V^a] (power = a) or E[V^(1-a)], V = sum_n Bin(n; B, 1/D) e^{ncz - n^2 c^2/2}.
[[nodiscard]] Wide binomial_moment(const Wide& power, int batch, double dataset, const Wide& shift,
                                   double nats = 118.0);

/// E[(1-q + q X)^a] at integer a: sum_k C(a,k) (1-q)^(a-k) q^k e^{k(k-1) c^2/2}.
[[nodiscard]] Wide integer_moment(int order, const Wide& q, const Wide& shift);

[[nodiscard]] Wide divergence(const Wide& moment, const Wide& order);

/// P(Z > z) for a standard normal Z.
[[nodiscard]] Wide normal_tail_wide(const Wide& z);

/// delta(epsilon) of `count` Gaussian steps, which are one of shift sqrt(count) / noise.
[[nodiscard]] Wide gaussian_delta_wide(const Wide& noise, const Wide& count, const Wide& epsilon);

/// delta(epsilon) of (1-q) N_0 + q N_shift against N_0, of which one passes e^epsilon where z does.
[[nodiscard]] Wide one_step_delta_wide(const Wide& q, const Wide& shift, const Wide& epsilon);

}  // namespace assay::test_support

template <>
struct Catch::StringMaker<assay::Enclosure> {
    static std::string convert(const assay::Enclosure& e);
};
