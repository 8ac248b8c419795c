#pragma once
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "assay/numeric/enclosure.hpp"
#include "assay/numeric/errors.hpp"

/// Independent truth for the unit tests, in 50 decimal digits. Nothing here shares a formula with
/// the library: divergences are summed from the unreduced integrand P^a Q^(1-a) phi, in the open.
namespace assay::test_support {

template <unsigned Digits>
using Decimals = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>,
                                               boost::multiprecision::et_off>;
using Wide = Decimals<50>;
/// Where 50 digits cancel.
using Wider = Decimals<100>;

/// How often randomised tests repeat, from the environment variable ASSAY_TEST_EFFORT (default 1).
inline int effort() {
    const char* text = std::getenv("ASSAY_TEST_EFFORT");
    const int value = text == nullptr ? 1 : std::atoi(text);
    return value < 1 ? 1 : value;
}

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

inline std::string digits(const Wide& x) {
    return x.str(20);
}

/// Enclosure that holds `truth`, with relative width at most `width`. `printed` widens the truth
/// by the precision to which it was written down (relative), for values copied as decimals.
class Encloses : public Catch::MatcherBase<Enclosure> {
public:
    explicit Encloses(Wide truth, double width = 1e-11, double printed = 0.0)
        : truth_(std::move(truth)), width_(width), printed_(printed) {}

    [[nodiscard]] bool match(const Enclosure& e) const override {
        const Wide slack = abs(truth_) * printed_;
        if (!(e.lower <= e.upper)) return false;
        const bool sound = Wide(e.lower) <= truth_ + slack && truth_ - slack <= Wide(e.upper);
        return sound && Wide(e.upper) - Wide(e.lower) <= abs(truth_) * width_;
    }
    [[nodiscard]] std::string describe() const override {
        std::ostringstream text;
        text << "encloses " << digits(truth_) << " with relative width <= " << width_;
        return text.str();
    }

private:
    Wide truth_;
    double width_;
    double printed_;
};

/// For decimals of 25 digits or more at decimal parameters, which the library reads as doubles.
inline Encloses encloses_printed(const char* decimals, double width = 1e-11) {
    return Encloses(Wide(decimals), width, 1e-13);
}

inline Wide wide_pi() {
    return boost::math::constants::pi<Wide>();
}

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
inline double wide_step(double nats, double rate, double sector, double power) {
    double best = 0.0;
    for (int i = 1; i < 60; ++i) {
        const double y = std::min(0.95 * std::numbers::pi / std::max(rate, 1e-9), 40.0) * i / 60.0;
        const double growth = 0.5 * y * y - power * std::log(std::cos(0.5 * sector * y));
        best = std::max(best, 2.0 * std::numbers::pi * y / (nats + growth));
    }
    return best;
}

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

inline Wide pair_moment(const Wide& order, const Wide& q, const Wide& x, const Wide& y,
                        double nats = 118.0) {
    return pair_moment_in<Wide>(order, q, x, y, nats);
}

/// E[V^a] (power = a) or E[V^(1-a)], V = sum_n Bin(n; B, 1/D) e^{ncz - n^2 c^2/2}.
inline Wide binomial_moment(const Wide& power, int batch, double dataset, const Wide& shift,
                            double nats = 118.0) {
    const auto a = static_cast<double>(power);
    const auto c = static_cast<double>(shift);
    const double step =
        wide_step(nats, c, a > 0.0 ? 0.0 : c, a > 0.0 ? 0.0 : -a * static_cast<double>(batch));
    const double reach = std::sqrt(2.0 * nats) + 1.0;
    std::vector<Wide> weights;  // a_n e^{-n^2 c^2/2}
    const Wide p = 1 / Wide(dataset);
    Wide weight = pow(1 - p, batch);
    for (int n = 0; n <= batch; ++n) {
        weights.push_back(weight * exp(-shift * shift * n * n / 2));
        weight *= p / (1 - p) * (batch - n) / (n + 1);
    }
    const double far = a * batch * c;
    return trapezoid(Wide(std::min(0.0, far) - reach), Wide(std::max(0.0, far) + reach), Wide(step),
                     [&](const Wide& z) {
                         const Wide e = exp(shift * z);
                         Wide v = 0;
                         for (std::size_t n = weights.size(); n-- > 0;) v = v * e + weights[n];
                         return Wide(exp(power * log(v)) * normal_density(z));
                     });
}

/// E[(1-q + q X)^a] at integer a: sum_k C(a,k) (1-q)^(a-k) q^k e^{k(k-1) c^2/2}.
inline Wide integer_moment(int order, const Wide& q, const Wide& shift) {
    Wide sum = 0;
    Wide weight = pow(1 - q, order);
    for (int k = 0; k <= order; ++k) {
        sum += weight * exp(shift * shift * k * (k - 1) / 2);
        weight *= q / (1 - q) * (order - k) / (k + 1);
    }
    return sum;
}

inline Wide divergence(const Wide& moment, const Wide& order) {
    return log(moment) / (order - 1);
}

/// P(Z > z) for a standard normal Z.
inline Wide normal_tail_wide(const Wide& z) {
    return erfc(z / sqrt(Wide(2))) / 2;
}

}  // namespace assay::test_support

template <>
struct Catch::StringMaker<assay::Enclosure> {
    static std::string convert(const assay::Enclosure& e) {
        std::ostringstream text;
        text.precision(17);
        text << '[' << e.lower << ", " << e.upper << ']';
        return text.str();
    }
};
