#include "assay/rdp/drawn_steps.hpp"

#include <cmath>

#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/binomial_tail.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

namespace assay::verify {

namespace {

DrawnSteps drawn_at(const Point& p) {
    return {static_cast<real>(p["q"]), static_cast<real>(p["c"]), p.integer("T")};
}

/// Losses of a draw far above its entropy.
bool tells_much(const Point& p) {
    const double q = p["q"];
    const double entropy = -q * std::log(q) - (1.0 - q) * std::log1p(-q);
    return q * p["c"] * p["c"] > 8.1 * entropy;
}

Space drawn_space() {
    return {{{"q", Scale::linear, 0.01, 0.999, false, {0.1, 0.5, 0.9}},
             {"c", Scale::logarithmic, 2.0, 100.0, false, {4.0, 12.5}},
             count_dimension("T", 1, 30, {1, 2, 30}),
             linear_dimension("part", 0.0, 2.0, {0.0, 0.5, 0.9, 1.0})},
            tells_much};
}

/// That part of the mean loss of as many Gaussian steps as draw the record on average.
double epsilon_at(const Point& p) {
    return 0.5 * p["part"] * p["q"] * p["T"] * p["c"] * p["c"];
}

/// sum_k Bin(T,q)(k) delta_Gauss(epsilon - k log q - (T-k) log(1-q)), mu = c sqrt k.
Interval written_sum(const Point& p, double epsilon, long bits) {
    return refined(bits, [&](long b) {
        const long steps = p.integer("T");
        const Interval log_drawn = -log(Interval(p["q"], b));
        const Interval log_left = -log1p(-Interval(p["q"], b));
        Interval sum(0.0, b);
        for (long k = 1; k <= steps; ++k) {
            const Interval threshold = Interval(epsilon, b) + static_cast<double>(k) * log_drawn +
                                       static_cast<double>(steps - k) * log_left;
            const Interval mu = sqrt(Interval::integer(k, b)) * p["c"];
            sum += binomial_mass({steps, p["q"], 1.0}, k, b) * gaussian_delta(mu, threshold);
        }
        return sum;
    });
}

}  // namespace

std::vector<Check> drawn_steps_rows() {
    Check delta = library_row("epsilon.drawn_steps.encloses_formula",
                              "the lower bound from the number of draws is the written sum, within "
                              "1e-9 of it and 1e-14",
                              Relation::encloses, drawn_space(), 100, 2000);
    delta.oracle = "closed form: binomial sum of Gaussian divergences in MPFR";
    delta.evaluate = [](const Point& p) {
        const double bound = drawn_steps_delta(drawn_at(p), epsilon_at(p));
        return Enclosure{bound, bound * (1.0 + 1e-9) + 1e-14};
    };
    delta.truth = [](const Point& p, long bits) { return written_sum(p, epsilon_at(p), bits); };

    Space space = drawn_space();
    space.dimensions.back() = {"delta", Scale::logarithmic, 1e-12, 0.5, false, {1e-5}};
    Check epsilon = library_row("epsilon.drawn_steps.below_crossing",
                                "the written sum exceeds delta at the epsilon from the draws",
                                Relation::at_most, space, 40, 800);
    epsilon.oracle = delta.oracle;
    epsilon.evaluate = [](const Point& p) {  // an epsilon of 0 claims nothing
        return exactly(drawn_steps_epsilon(drawn_at(p), p["delta"]) > 0.0 ? p["delta"] : 0.0);
    };
    epsilon.truth = [](const Point& p, long bits) {
        return written_sum(p, drawn_steps_epsilon(drawn_at(p), p["delta"]), bits);
    };
    return {std::move(delta), std::move(epsilon)};
}

}  // namespace assay::verify
