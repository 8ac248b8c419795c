#include <algorithm>
#include <cmath>

#include "verify/checks/control_formulas.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

Dimension sampling(double low = 1e-4, double high = 0.5) {
    return {"q", Scale::logarithmic, low, high, false, {0.01, 0.1, 0.3}};
}

Space integer_orders(const char* noise) {
    return {{integer_order_dimension(32.0), noise_dimension(noise, 1.0, 100.0), sampling()}, {}};
}

Space real_orders(const char* noise) {
    return {{order_dimension(1.1, 8.0), noise_dimension(noise, 1.0, 10.0), sampling(1e-3)}, {}};
}

/// A subject from (order, q, noise).
template <class Formula>
Subject of_order(const char* noise, Formula formula) {
    return [=](const Point& p) {
        return near(formula(p.integer("alpha"), static_cast<long double>(p["q"]),
                            static_cast<long double>(p[noise])));
    };
}

Subject of_fixed_size() {
    return of_order("sigma", [](long n, long double q, long double sigma) {
        return plain::sampled_rdp(n, q, 2.0L / sigma);
    });
}
Subject of_poisson() {
    return of_order("s", [](long n, long double q, long double s) {
        return plain::sampled_rdp(n, q, 1.0L / s);
    });
}

/// The sum of plain::sampled_excess with C(n-1, k) for C(n, k).
long double excess_with_wrong_binomial(long order, long double q, long double c) {
    const auto n = static_cast<long double>(order);
    long double sum = 0.0L;
    for (long i = 2; i <= order; ++i) {
        const auto k = static_cast<long double>(i);
        sum += plain::binomial(n - 1.0L, i) * std::pow(q, k) * std::pow(1.0L - q, n - k) *
               std::expm1(c * c * k * (k - 1.0L) / 2.0L);
    }
    return sum;
}

std::vector<Control> sampled_sum_controls() {
    const auto exact = bounds("exact.fixed_size_without_replacement", Method::sum);
    const Space space = integer_orders("sigma");
    return {
        control("sensitivity_1_for_fixed_size",
                "the shift 1/sigma of Poisson sampling used for fixed-size sampling, whose records "
                "are exchanged: 2/sigma",
                exact, space,
                of_order("sigma",
                         [](long n, long double q, long double sigma) {
                             return plain::sampled_rdp(n, q, 1.0L / sigma);
                         }),
                of_fixed_size()),
        control("sensitivity_2_for_poisson",
                "the shift 2/sigma of fixed-size sampling used for a lower side of Poisson "
                "sampling under add/remove",
                below("exact.poisson_add_remove", Method::sum), integer_orders("s"),
                of_order("s", [](long n, long double q,
                                 long double s) { return plain::sampled_rdp(n, q, 2.0L / s); }),
                of_poisson()),
        control("sigma_squared_for_sigma", "the variance given where the noise multiplier belongs",
                exact, space,
                of_order("sigma",
                         [](long n, long double q, long double sigma) {
                             return plain::sampled_rdp(n, q, 2.0L / (sigma * sigma));
                         }),
                of_fixed_size()),
        control("binomial_off_by_one", "C(alpha-1, k) for C(alpha, k) in the integer-order sum",
                exact, space,
                of_order("sigma",
                         [](long n, long double q, long double sigma) {
                             return std::log1p(excess_with_wrong_binomial(n, q, 2.0L / sigma)) /
                                    static_cast<long double>(n - 1);
                         }),
                of_fixed_size()),
        control(
            "q_and_1_minus_q_swapped", "q^{alpha-k} (1-q)^k for q^k (1-q)^{alpha-k}",
            encloses("exact.poisson_add_remove", Method::sum), integer_orders("s"),
            of_order("s", [](long n, long double q,
                             long double s) { return plain::sampled_rdp(n, 1.0L - q, 1.0L / s); }),
            of_poisson()),
        control("second_order_without_its_factor",
                "q^2 (e^{4/sigma^2} - 1) without alpha (alpha-1)/2 in the second-order term", exact,
                space,
                of_order("sigma",
                         [](long n, long double q, long double sigma) {
                             const long double c = 2.0L / sigma;
                             const auto a = static_cast<long double>(n);
                             const long double second = q * q * std::expm1(c * c);
                             const long double excess = plain::sampled_excess(n, q, c) -
                                                        (a * (a - 1.0L) / 2.0L - 1.0L) * second;
                             return std::log1p(std::max(excess, 0.0L)) / (a - 1.0L);
                         }),
                of_fixed_size()),
        control("divided_by_alpha", "log(H)/alpha for log(H)/(alpha-1)", exact, space,
                of_order("sigma",
                         [](long n, long double q, long double sigma) {
                             return std::log1p(plain::sampled_excess(n, q, 2.0L / sigma)) /
                                    static_cast<long double>(n);
                         }),
                of_fixed_size()),
        control("logarithm_missing",
                "the moment A_alpha for the divergence log(A_alpha)/(alpha-1), as in the proof of "
                "mironov2019 Theorem 5",
                encloses("exact.poisson_add_remove", Method::sum), integer_orders("s"),
                of_order("s",
                         [](long n, long double q, long double s) {
                             return 1.0L + plain::sampled_excess(n, q, 1.0L / s);
                         }),
                of_poisson()),
    };
}

long double addition(const Point& p, const char* noise) {
    const long double alpha = p["alpha"];
    const long double excess = plain::integrated_excess(1.0L - alpha, p["q"], 1.0L / p[noise], {});
    return std::log1p(excess) / (alpha - 1.0L);
}

std::vector<Control> direction_controls() {
    const auto removal = [](const char* noise) {
        return [noise](const Point& p) {
            return near(plain::integrated_rdp(p["alpha"], p["q"], 1.0L / p[noise]));
        };
    };
    const auto fixed_size_value = [](const Point& p) {
        return plain::integrated_rdp(p["alpha"], p["q"], 2.0L / p["sigma"]);
    };
    const Space plane{
        {order_dimension(1.5, 4.0), noise_dimension("sigma", 1.0, 5.0), sampling(1e-3, 0.1)}, {}};
    return {
        control(
            "direction_swapped",
            "the addition of a record, log(B_alpha)/(alpha-1), reported as the worst direction",
            bounds("exact.poisson_add_remove", Method::trapezoid), real_orders("s"),
            [](const Point& p) { return near(addition(p, "s")); }, removal("s")),
        control("poisson_replace_one_as_add_remove",
                "the add/remove value of Poisson sampling used under replace-one",
                bounds("exact.poisson_replace_one", Method::trapezoid), real_orders("sigma"),
                removal("sigma"),
                // The unsampled replace-one Gaussian: 2 alpha / sigma^2.
                [](const Point& p) {
                    return near(2.0L * p["alpha"] /
                                (static_cast<long double>(p["sigma"]) *
                                 static_cast<long double>(p["sigma"])));
                }),
        control(
            "equilateral_triangle_below_h",
            "H claimed to bound three vectors at distances 2/sigma that share no ball of "
            "radius 1/sigma",
            bounds("exact.replace_one_equilateral", Method::trapezoid), plane,
            [=](const Point& p) { return near(fixed_size_value(p)); },
            // docs/proofs.md, Theorem 5, needs the distances alone: F <= 1 + 2 (H-1).
            [=](const Point& p) {
                const long double lambda = p["alpha"] - 1.0L;
                const long double excess = std::expm1(lambda * fixed_size_value(p));
                return near(std::log1p(2.0L * excess) / lambda);
            }),
    };
}

}  // namespace

std::vector<Control> divergence_controls() {
    std::vector<Control> controls = sampled_sum_controls();
    for (Control& one : direction_controls()) controls.push_back(std::move(one));
    return controls;
}

}  // namespace assay::verify
