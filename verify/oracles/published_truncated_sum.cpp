#include "verify/oracles/published_truncated_sum.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>

#include "verify/oracles/integer_order_refine.hpp"
#include "verify/oracles/published_weights.hpp"

namespace assay::verify {

namespace {

constexpr double most_work = 8e8;  // about 2 s

/// F_{T,k}(c, d) for the d = c s that occur: s is the sum of the choices made above level k.
class Recursion {
public:
    Recursion(double sigma, long B, long D, std::span<const long> chosen, long p)
        : B_(B),
          chosen_(chosen.begin(), chosen.end()),
          weights_(copy_weights(B, D, B, p)),
          e_c_(exp(Interval(4.0, p) / square(Interval(sigma, p)))),
          rate_(1.0 / Interval::integer(D, p)) {}

    /// (124); each (k, s) once.
    const Interval& value(long k, long s) {
        const auto at = known_.find({k, s});
        if (at != known_.end()) return at->second;
        if (k == 2) return known_.emplace(std::pair(k, s), base(s)).first->second;
        const Interval e_d = power(e_c_, s);
        Interval sum(0.0, e_c_.bits());
        for (const long n : chosen_)
            sum += weights_[static_cast<std::size_t>(n)] * power(e_d, n) * value(k - 1, s + n);
        return known_.emplace(std::pair(k, s), std::move(sum)).first->second;
    }

private:
    /// (125) over all of {0..B}.
    [[nodiscard]] Interval base(long s) const {
        const Interval e_d = power(e_c_, s);
        Interval e_dn(1.0, e_c_.bits());  // e^{dn}
        Interval e_cn_d = e_d;            // e^{cn+d}
        Interval sum(0.0, e_c_.bits());
        for (long n = 0; n <= B_; ++n) {
            sum += weights_[static_cast<std::size_t>(n)] * e_dn *
                   power((1.0 - rate_) + rate_ * e_cn_d, B_);
            e_dn *= e_d;
            e_cn_d *= e_c_;
        }
        return sum;
    }

    long B_;
    std::set<long> chosen_;
    std::vector<Interval> weights_;
    Interval e_c_;
    Interval rate_;
    std::map<std::pair<long, long>, Interval> known_;
};

/// How many sums the choices above level 2 can have.
double number_of_sums(long alpha, std::span<const long> chosen) {
    std::set<long> sums{0};
    for (long k = alpha; k > 2; --k) {
        std::set<long> next;
        for (const long s : sums)
            for (const long n : chosen) next.insert(s + n);
        sums = std::move(next);
        if (sums.size() > 20000) break;
    }
    return static_cast<double>(sums.size());
}

}  // namespace

Interval truncated_lower_bound(long alpha, double sigma, long B, long D,
                               std::span<const long> chosen, long bits) {
    if (alpha > 20000) return Interval::whole_line(bits);
    const double sums = number_of_sums(alpha, chosen);
    return refined(bits, [&](long p) {
        const double terms = sums * static_cast<double>(B + 1) +
                             sums * static_cast<double>(alpha) * static_cast<double>(chosen.size());
        if (terms * static_cast<double>(p + 300) > most_work) throw Unaffordable();
        return log(Recursion(sigma, B, D, chosen, p).value(alpha, 0)) /
               Interval::integer(alpha - 1, p);
    });
}

namespace {

Interval one_element(const Point& point, long bits) {
    const std::array<long, 1> chosen{point.integer("T")};
    return truncated_lower_bound(point.integer("alpha"), point["sigma"], point.integer("B"),
                                 point.integer("D"), chosen, bits);
}

}  // namespace

std::vector<Oracle> published_truncated_sum_oracles() {
    return {{"birrell2024.thm_3_7_truncated", "recursion (124)-(125)", one_element,
             [](const Point& point) { return point.has("T"); }}};
}

}  // namespace assay::verify
