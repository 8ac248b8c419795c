#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"

// Privacy loss distributions of many steps against losses drawn at random.

namespace assay::verify {

namespace {

constexpr long most_sampled_steps = 1'000'000;

/// The loss of one step, drawn.
using DrawnLoss = std::function<double(Draws&)>;

/// Mean of [1 - e^{eps - L}]_+ over sums L of T drawn losses, and 6 standard errors on either side.
Interval sampled_delta(const Point& p, const DrawnLoss& loss_of_step, long bits) {
    const long T = p.integer("T");
    const long samples = most_sampled_steps / T;
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "sampled steps", 0);
    double sum = 0.0;
    double squares = 0.0;
    for (long i = 0; i < samples; ++i) {
        double loss = 0.0;
        for (long t = 0; t < T; ++t) loss += loss_of_step(draws);
        const double gain = std::max(-std::expm1(p["eps"] - loss), 0.0);
        sum += gain;
        squares += gain * gain;
    }
    const auto n = static_cast<double>(samples);
    const double mean = sum / n;
    const double error = std::sqrt((squares / n - mean * mean) / (n - 1.0));
    const Interval slack(6.0 * error, bits);
    return Interval(mean, bits) + hull(-slack, slack);
}

/// log(1 - q + q e^{cz - c^2/2})
double log_mixture(double q, double c, double z) {
    return std::log1p(q * std::expm1(c * z - 0.5 * c * c));
}

/// Drawn under P = (1-q) N_0 + q N_c for a removal, with log dP/dQ, under Q = N_0 for an addition,
/// with its inverse.
DrawnLoss one_sided(const Point& p, PayoffSide side) {
    const bool removal = side == PayoffSide::removal;
    return [q = p["q"], c = 1.0 / p["sigma"], removal](Draws& draws) {
        const bool shifted = removal && draws.uniform() < q;
        const double loss = log_mixture(q, c, draws.normal() + (shifted ? c : 0.0));
        return removal ? loss : -loss;
    };
}

/// Under P = (1-q) N_0 + q N_c, with log dP/dQ, Q = (1-q) N_0 + q N_{-c}.
DrawnLoss antipodal(const Point& p) {
    return [q = p["q"], c = 1.0 / p["sigma"]](Draws& draws) {
        const double z = (draws.uniform() < q ? c : 0.0) + draws.normal();
        return log_mixture(q, c, z) - log_mixture(q, c, -z);
    };
}

/// Where delta is above about 1e-2; the loss has the deviation `shift` q sqrt(T (e^{c^2} - 1)).
Space sampled_space(double shift, std::function<bool(const Point&)> admits) {
    return {{noise_dimension("sigma", 0.5, 5.0),
             sampling_dimension(),
             count_dimension("T", 3, 200, {3, 10, 100}),
             epsilon_dimension(4.0),
             {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
            [=, admits = std::move(admits)](const Point& p) {
                const double x = 1.0 / p["sigma"];
                const double deviation = shift * p["q"] * std::sqrt(p["T"] * std::expm1(x * x));
                return admits(p) && deviation >= 0.05 && deviation <= 4.0 && p["eps"] <= deviation;
            }};
}

Check sampled_row(std::string id, Space space, Adjacency adjacency, PayoffSide side,
                  std::function<DrawnLoss(const Point&)> drawn) {
    Check row = library_row(std::move(id),
                            "3 to 200 Poisson steps meet the mean of sampled losses, but for 6 "
                            "standard errors: chance exceeds them once in 5e8 times",
                            Relation::overlaps, std::move(space), 6, 100);
    row.oracle = "1,000,000 steps drawn one by one, the losses of T added";
    row.widest = 1e-2;
    row.evaluate = [=](const Point& p) {
        const std::array<Phase, 1> phase{
            Phase{SampledGaussian{p["sigma"], p["q"]}, p.integer("T")}};
        return side_of(delta_of(phase, adjacency, p), side);
    };
    row.truth = [drawn = std::move(drawn)](const Point& p, long bits) {
        return sampled_delta(p, drawn(p), bits);
    };
    return row;
}

}  // namespace

std::vector<Check> pld_sampled_rows() {
    std::vector<Check> rows;
    for (const PayoffSide side : payoff_sides) {
        const auto reachable = [side](const Point& p) {
            return side == PayoffSide::removal || p["eps"] <= half_the_largest_loss(p["T"], p["q"]);
        };
        rows.push_back(sampled_row(fmt::format("pld.poisson_{}.meets_sampled_steps", name_of(side)),
                                   sampled_space(1.0, reachable), Adjacency::add_remove, side,
                                   [side](const Point& p) { return one_sided(p, side); }));
    }
    rows.push_back(sampled_row("pld.poisson_replace_one.meets_sampled_steps",
                               sampled_space(2.0, [](const Point&) { return true; }),
                               Adjacency::replace_one, PayoffSide::removal, antipodal));
    return rows;
}

}  // namespace assay::verify
