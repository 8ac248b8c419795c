#include <algorithm>

#include "assay/formulas/quantities.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;

constexpr Parameter curve_name{"rdp", ParameterType::text,
                               Domain{"the name of a divergence of sigma (or s), q and m"}, ""};
constexpr Parameter steps{"T", ParameterType::number, positive, "steps"};
constexpr Parameter optional_m{"m", ParameterType::integer, terms, "Taylor terms", true};
constexpr Parameter conversion{"conv", ParameterType::text, Domain{"balle or cks"}, ""};

using Conversion = Enclosure (*)(double order, const Enclosure& rdp, double delta);

template <Conversion convert>
Answer evaluate(const Arguments& a) {
    return convert(a.number("alpha"), exactly(a.number("rdp")), a.number("delta"));
}

const Quantity& curve_of(const Arguments& a) {
    const Quantity* quantity = find_quantity(a.text("rdp"));
    if (quantity != nullptr && is_curve(*quantity)) return *quantity;
    std::string names;
    for (const Quantity& other : all_quantities())
        if (is_curve(other)) names += (names.empty() ? "" : ", ") + std::string(other.name);
    throw DomainError("rdp", a.text("rdp"), names);
}

Conversion conversion_of(const Arguments& a) {
    if (a.text("conv") == "balle") return balle2020_epsilon;
    if (a.text("conv") == "cks") return canonne2020_epsilon;
    throw DomainError("conv", a.text("conv"), std::string(conversion.domain.text));
}

/// steps * rdp for rdp >= 0, rounded outward: two roundings of `real` at most.
Enclosure composed(const Enclosure& rdp, double steps_taken) {
    constexpr real slack = 4.0L * unit_roundoff;
    const auto times = [&](double x) { return static_cast<real>(x) * steps_taken; };
    return {round_down(times(rdp.lower) * (1.0L - slack)),
            round_up(times(rdp.upper) * (1.0L + slack))};
}

/// The minimum over the orders lies between the least lower end and the least upper end.
Answer evaluate_over_orders(const Arguments& a) {
    const Quantity& quantity = curve_of(a);
    const Conversion convert = conversion_of(a);
    Arguments point = a;
    point.set("s", a.number("sigma"));  // the name of the noise in mironov2019
    const std::vector<double> orders = opacus_orders();
    const std::vector<Enclosure> curve = evaluate_curve(quantity, orders, point);

    Enclosure least = trivial::line;
    least.lower = trivial::infinity;
    double best = 0.0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const Enclosure epsilon =
            convert(orders[i], composed(curve[i], a.number("T")), a.number("delta"));
        least.lower = std::min(least.lower, epsilon.lower);
        if (i > 0 && epsilon.upper >= least.upper) continue;
        least.upper = epsilon.upper;
        best = orders[i];
    }
    Answer answer = least;
    answer.is_vacuous = least.upper == trivial::infinity;
    answer.more.emplace_back("alpha_opt", answer.is_vacuous ? std::nullopt : std::optional(best));
    return answer;
}

}  // namespace

std::vector<Quantity> conversion_quantities() {
    return {
        {"convert.mironov2017_prop_3",
         {alpha, rdp, delta},
         "rdp + log(1/delta)/(alpha-1)",
         "mironov2017 Proposition 3",
         trivial::line,
         evaluate<mironov2017_epsilon>},
        {"convert.balle2020_thm_21",
         {alpha, rdp, delta},
         "rdp - (log delta + log alpha)/(alpha-1) + log((alpha-1)/alpha), not clipped",
         "balle2020 Theorem 21",
         trivial::line,
         evaluate<balle2020_epsilon>},
        {"convert.canonne2020",
         {alpha, rdp, delta},
         "0 if delta^2 + expm1(-rdp) > 0, else max(0, convert.balle2020_thm_21)",
         "canonne2020 Proposition 12, guarded by Bretagnolle-Huber",
         trivial::half_line,
         evaluate<canonne2020_epsilon>},
        {"convert.canonne2020_delta",
         {alpha, rdp, eps},
         "min(1, sqrt(1 - e^(-rdp)), e^((alpha-1)(rdp - eps + log1p(-1/alpha)))/alpha), the last "
         "for alpha > 1.01",
         "canonne2020 Proposition 12, guarded by Bretagnolle-Huber",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return canonne2020_delta(a.number("alpha"), exactly(a.number("rdp")), a.number("eps"));
         }},
    };
}

std::vector<Quantity> over_orders_quantities() {
    return {
        {"epsilon.over_orders",
         {curve_name, sigma, optional_m, q, steps, delta, conversion},
         "min over alpha in {1.1, 1.2, .., 10.9} and {12, 13, .., 63} of conv(T rdp(alpha)); also "
         "alpha_opt",
         "balle2020 Theorem 21 (conv balle, not clipped) or canonne2020 Proposition 12 (conv cks)",
         trivial::line,
         evaluate_over_orders},
    };
}

}  // namespace assay::formulas
