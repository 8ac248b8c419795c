#include "verify/oracles/arb_lognormal_sum.hpp"

#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <arb_hypgeom.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "verify/oracles/arb_numbers.hpp"
#include "verify/oracles/integer_order_refine.hpp"

namespace assay::verify::arb {

namespace {

constexpr long guard = 40;         // bits of the working precision beyond the goal
constexpr slong narrow_bits = 20;  // balls known to fewer bits get a modulus
constexpr slong most_evaluations = 200'000;

/// Phi(x) = erfc(-x / sqrt 2) / 2.
void normal(Real& out, const Real& x, long precision) {
    Real root;
    arb_sqrt_ui(root, 2, precision);
    arb_div(root, x, root, precision);
    arb_neg(root, root);
    arb_hypgeom_erfc(out, root, precision);
    arb_mul_2exp_si(out, out, -1);
}

void normal(Complex& out, const Complex& x, long precision) {
    Real root;
    arb_sqrt_ui(root, 2, precision);
    Complex scaled;
    acb_div_arb(scaled, x, root, precision);
    acb_neg(scaled, scaled);
    acb_hypgeom_erfc(out, scaled, precision);
    acb_mul_2exp_si(out, out, -1);
}

Real real_part(const Complex& z) {
    Real x;
    arb_set(x, z.real());
    return x;
}

class Shortfalls {
public:
    Shortfalls(double sigma, long goal) : goal_(goal), precision_(goal + guard), sigma_(sigma) {
        arb_inv(width_, sigma_, precision_);
        arb_sqr(half_square_, width_, precision_);
        arb_mul_2exp_si(half_square_, half_square_, -1);
        // Phi(-b) <= e^{-b^2/2} / 2.
        reach_ = std::ceil(std::sqrt(2.0 * std::log(2.0) * static_cast<double>(goal)));
    }

    /// P_T(k), k > 0 real: each part left out is at most 2^-goal k.
    [[nodiscard]] Real value(long T, const Real& k) const {
        Complex z;
        acb_set_arb(z, k);
        Complex shortfall;
        if (T == 1) {
            closed_form(shortfall, z);
            return real_part(shortfall);
        }
        Real allowed;
        arb_mul_2exp_si(allowed, k, -goal_);
        Real cut(k);  // c
        Real beside;
        do {
            arb_mul_2exp_si(cut, cut, -1);
            largest(beside, cut);
        } while (arb_le(beside, allowed) == 0);
        arb_mul_2exp_si(allowed, allowed, 2);  // both tails, and the part beside z*

        Real end;  // log(k - c)/w + w/2
        arb_sub(end, k, cut, precision_);
        arb_log(end, end, precision_);
        arb_mul(end, end, sigma_, precision_);
        arb_addmul(end, half_square_, sigma_, precision_);
        Complex from;
        acb_set_d(from, -reach_);
        Complex to;
        acb_set_d(to, std::min(reach_, to_double(end)));
        if (to_double(end) < reach_) acb_set_arb(to, end);
        Complex integral;
        if (to_double(to.real()) > -reach_) {
            const Task task{this, T - 1, &k};
            mag_t tolerance;
            mag_init(tolerance);
            arb_get_mag(tolerance, k);
            mag_mul_2exp_si(tolerance, tolerance, -goal_);
            acb_calc_integrate_opt_t options;
            acb_calc_integrate_opt_init(options);
            options->eval_limit = most_evaluations;
            options->use_heap = 1;
            acb_calc_integrate(integral, integrand, const_cast<Task*>(&task), from, to, goal_,
                               tolerance, options, precision_);
            mag_clear(tolerance);
        }
        Real answer = real_part(integral);
        arb_add_error(answer, allowed);
        return answer;
    }

private:
    struct Task {
        const Shortfalls* shortfalls;
        long rest;  // summands after this one
        const Real* k;
    };

    /// phi(z) P_rest(k - Y(z)).
    static int integrand(acb_ptr out, const acb_t at, void* data, slong, slong) {
        const auto& task = *static_cast<const Task*>(data);
        const Shortfalls& shortfalls = *task.shortfalls;
        const long precision = shortfalls.precision_;
        Complex left;  // k - Y
        acb_mul_arb(left, at, shortfalls.width_, precision);
        acb_sub_arb(left, left, shortfalls.half_square_, precision);
        acb_exp(left, left, precision);
        acb_neg(left, left);
        acb_add_arb(left, left, *task.k, precision);
        Complex shortfall;
        shortfalls.around(shortfall, task.rest, left);
        Complex bell;
        acb_sqr(bell, at, precision);
        acb_mul_2exp_si(bell, bell, -1);
        acb_neg(bell, bell);
        acb_exp(bell, bell, precision);
        acb_mul(bell, bell, shortfall, precision);
        Real root;
        arb_const_pi(root, precision);
        arb_mul_2exp_si(root, root, 1);
        arb_sqrt(root, root, precision);
        acb_div_arb(out, bell, root, precision);
        return 0;
    }

    /// P_T at a number, or its modulus over a rectangle; not finite where it may not be analytic.
    void around(Complex& out, long T, const Complex& k) const {
        if (arb_is_positive(k.real()) == 0) {
            acb_indeterminate(out);
            return;
        }
        const bool narrow = acb_rel_accuracy_bits(k) >= narrow_bits;
        if (narrow && T == 1) {
            closed_form(out, k);
            return;
        }
        if (narrow && arb_is_zero(k.imaginary()) != 0) {
            acb_set_arb(out, value(T, real_part(k)));
            return;
        }
        Real size;
        Real angle;
        acb_abs(size, k, precision_);
        acb_arg(angle, k, precision_);
        Real modulus;
        largest(modulus, size);
        arb_mul(angle, angle, sigma_, precision_);
        arb_sqr(angle, angle, precision_);
        arb_mul_si(angle, angle, T, precision_);
        arb_mul_2exp_si(angle, angle, -1);
        arb_exp(angle, angle, precision_);
        arb_mul(modulus, modulus, angle, precision_);
        acb_zero(out);
        arb_add_error(out.real(), modulus);
        arb_add_error(out.imaginary(), modulus);
    }

    /// sigma (log x + w^2/2).
    void standardised(Real& out, const Real& x) const {
        arb_log(out, x, precision_);
        arb_add(out, out, half_square_, precision_);
        arb_mul(out, out, sigma_, precision_);
    }

    /// x P(Y <= x) >= P_T(x).
    void largest(Real& out, const Real& x) const {
        standardised(out, x);
        normal(out, out, precision_);
        arb_mul(out, out, x, precision_);
    }

    /// P_1(k) = k Phi(z) - Phi(z - w), z = sigma (log k + w^2/2).
    void closed_form(Complex& out, const Complex& k) const {
        Complex z;
        acb_log(z, k, precision_);
        acb_add_arb(z, z, half_square_, precision_);
        acb_mul_arb(z, z, sigma_, precision_);
        Complex part;
        normal(part, z, precision_);
        acb_mul(out, part, k, precision_);
        acb_sub_arb(z, z, width_, precision_);
        normal(part, z, precision_);
        acb_sub(out, out, part, precision_);
    }

    long goal_;
    long precision_;
    double reach_ = 0.0;
    Real sigma_;
    Real width_;
    Real half_square_;
};

Interval probability(long T, long bits, const std::function<Interval(long goal)>& at) {
    const long most_goal = T == 1 ? 5000 : T == 2 ? 700 : 90;
    // A summand more, half the bits.
    const Interval value = refined(bits >> (T - 1), [&](long p) {
        if (p - guard > most_goal) throw Unaffordable();
        return at(p - guard);
    });
    return min(nonnegative(value), Interval(1.0, value.bits()));
}

Interval delta_remove(const Point& point, long bits) {
    const long T = point.integer("T");
    return probability(T, bits, [&](long goal) {
        const Interval e = exp(Interval(point["eps"], goal + guard));
        return lognormal_shortfall(T, e * whole(T), point["sigma"], goal) / whole(T) + 1.0 - e;
    });
}

Interval delta_add(const Point& point, long bits) {
    const long T = point.integer("T");
    return probability(T, bits, [&](long goal) {
        const Interval k = exp(-Interval(point["eps"], goal + guard)) * whole(T);
        return lognormal_shortfall(T, k, point["sigma"], goal) / k;
    });
}

bool few_batches(const Point& point) {
    return point["T"] >= 1 && point["T"] <= 3 && point["eps"] >= 0;
}

}  // namespace

Interval lognormal_shortfall(long T, const Interval& k, double sigma, long goal) {
    Real threshold;
    arb_set_interval_mpfr(threshold, k.lower(), k.upper(), goal + guard);
    return to_interval(Shortfalls(sigma, goal).value(T, threshold), goal + guard);
}

std::vector<Oracle> lognormal_sum_oracles() {
    constexpr auto method = "Arb integral, one summand after the other";
    return {{"balls_and_bins.delta_remove", method, delta_remove, few_batches},
            {"balls_and_bins.delta_add", method, delta_add, few_batches}};
}

}  // namespace assay::verify::arb
