#include "verify/oracles/integer_order_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "verify/oracles/integer_order_power.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/oracles/published_weights.hpp"

namespace assay::verify {

namespace {

constexpr double most_multisets = 1e5;
constexpr double most_entries = 3e5;

/// Of at most alpha elements: C(B+alpha+1, alpha).
double number_of_multisets(double alpha, double B) {
    return std::exp(std::lgamma(B + alpha + 2) - std::lgamma(alpha + 1) - std::lgamma(B + 2));
}

/// The sum (17) over n_1 <= .. <= n_alpha, each with the number of its orderings.
class Multisets {
public:
    Multisets(const Point& point, long p)
        : alpha_(point.integer("alpha")),
          B_(point.integer("B")),
          weights_(copy_weights(B_, point.integer("D"), B_, p)),
          sum_(0.0, p) {
        const Interval e_c = exp(Interval(4.0, p) / square(Interval(point["sigma"], p)));
        // e^{c^2 n S}: n times the sum before it is at most (alpha-1) B^2.
        const long most = (alpha_ - 1) * B_ * B_;
        if (static_cast<double>(most) > most_entries) throw Unaffordable();
        powers_.emplace_back(1.0, p);
        for (long i = 0; i < most; ++i) powers_.push_back(powers_.back() * e_c);
    }

    Interval sum() {
        extend(0, 0, 0, 0, Interval(1.0, sum_.bits()));
        return sum_;
    }

private:
    /// `product` has `length` factors; the last `repeats` of them are equal to `least`.
    void extend(long length, long least, long repeats, long total, const Interval& product) {
        if (length == alpha_) {
            sum_ += product;
            return;
        }
        for (long n = least; n <= B_; ++n) {
            const long times = n == least ? repeats + 1 : 1;
            // Orderings: alpha!/(prod of factorials) grows by (length+1)/times.
            Interval next = product * weights_[static_cast<std::size_t>(n)];
            next *= powers_[static_cast<std::size_t>(n * total)];
            next *= whole(length + 1);
            next /= whole(times);
            extend(length + 1, n, times, total + n, next);
        }
    }

    long alpha_;
    long B_;
    std::vector<Interval> weights_;
    std::vector<Interval> powers_;
    Interval sum_;
};

bool few_multisets(const Point& point) {
    return is_integer(point["alpha"]) && point["alpha"] >= 2 && point["B"] <= 2000 &&
           number_of_multisets(point["alpha"], point["B"]) <= most_multisets &&
           (point["alpha"] - 1) * point["B"] * point["B"] <= most_entries;
}

bool integer_order(const Point& point) {
    return is_integer(point["alpha"]) && point["alpha"] >= 2;
}

}  // namespace

Interval mixture_by_multisets(const Point& point, long bits) {
    return nonnegative(refined(bits, [&](long p) {
        return log(Multisets(point, p).sum()) / Interval::integer(point.integer("alpha") - 1, p);
    }));
}

Interval mixture_by_power(const Point& point, long bits) {
    widen_exponents();
    try {
        const MixturePower power_sum(point.integer("alpha"), point["sigma"], point.integer("B"),
                                     point.integer("D"));
        return nonnegative(refined(bits, [&](long p) {
            return power_sum.log_moment(p) / Interval::integer(point.integer("alpha") - 1, p);
        }));
    } catch (const Unaffordable&) {
        return nonnegative(Interval::whole_line(bits));
    }
}

std::vector<Oracle> integer_order_mixture_oracles() {
    constexpr auto nested = "nested sum (17)";
    constexpr auto power = "power of the weighted generating polynomial";
    return {
        {"exact.fixed_size_with_replacement", power, mixture_by_power, integer_order},
        {"exact.fixed_size_with_replacement", nested, mixture_by_multisets, few_multisets},
        {"birrell2024.thm_3_7", power, mixture_by_power, integer_order},
        {"birrell2024.thm_3_7", nested, mixture_by_multisets, few_multisets},
    };
}

}  // namespace assay::verify
