#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/pld/convolve.hpp"
#include "assay/pld/discretise.hpp"
#include "assay/pld/hockey_stick.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"

// Compositions by Fourier transform against the sum over all combinations of a few points.

namespace assay::verify {

namespace {

constexpr long bits = 192;

Interval number(double x) {
    return {x, bits};
}

double log_uniform(Draws& draws, double low, double high) {
    return low * std::pow(high / low, draws.uniform());
}

/// A true ratio of mean 1: masses at points, the rest of Q at ratio 0 and of P at infinity.
struct ShortDistribution {
    PrivacyLossPmf pmf;
    std::int64_t count = 1;
    Interval under_q = number(0.0);  // finite masses
    Interval under_p = number(0.0);
};

ShortDistribution short_distribution(Draws& draws, double step) {
    ShortDistribution distribution;
    PrivacyLossPmf& pmf = distribution.pmf;
    pmf.step = step;
    pmf.first = static_cast<std::int64_t>(draws.below(7)) - 3;
    const std::size_t points = 1 + draws.below(6);
    double sum = 0.0;
    for (std::size_t i = 0; i < points; ++i) {
        pmf.masses.push_back(log_uniform(draws, 1e-12, 1.0));
        sum += pmf.masses.back();
    }
    // Just below 1, or well below.
    const double q = 1.0 - log_uniform(draws, 1e-15, 0.1);
    const double p = 1.0 - log_uniform(draws, 1e-15, 0.1);
    double moment = 0.0;
    for (std::size_t i = 0; i < points; ++i) {
        pmf.masses[i] *= q / sum;
        moment += pmf.masses[i] * std::exp(pmf.loss(i));
    }
    pmf.offset = std::log(p / moment);
    for (std::size_t i = 0; i < points; ++i) {
        distribution.under_q += number(pmf.masses[i]);
        distribution.under_p +=
            pmf.masses[i] *
            exp(number(pmf.offset) +
                number(pmf.step) * static_cast<double>(pmf.first + static_cast<std::int64_t>(i)));
    }
    pmf.null_mass = nonnegative(1.0 - distribution.under_q).upper_double();
    pmf.infinity_mass = nonnegative(1.0 - distribution.under_p).upper_double();
    distribution.count = 1 + static_cast<std::int64_t>(draws.below(4));
    return distribution;
}

std::vector<ShortDistribution> distributions_at(const Point& p) {
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "short distributions", 0);
    std::vector<ShortDistribution> distributions;
    const std::size_t parts = 1 + draws.below(3);
    for (std::size_t i = 0; i < parts; ++i)
        distributions.push_back(short_distribution(draws, short_step(p["step"])));
    return distributions;
}

/// Masses under Q of the composition, from the lowest point on.
struct Product {
    std::vector<Interval> masses{number(1.0)};
    Interval lowest = number(0.0);  // loss
    Interval under_q = number(1.0);
    Interval under_p = number(1.0);
};

Product product_of(const std::vector<ShortDistribution>& distributions) {
    Product product;
    for (const ShortDistribution& distribution : distributions)
        for (std::int64_t n = 0; n < distribution.count; ++n) {
            std::vector<Interval> next(product.masses.size() + distribution.pmf.masses.size() - 1,
                                       number(0.0));
            for (std::size_t i = 0; i < product.masses.size(); ++i)
                for (std::size_t j = 0; j < distribution.pmf.masses.size(); ++j)
                    next[i + j] += product.masses[i] * distribution.pmf.masses[j];
            product.masses = std::move(next);
            product.lowest +=
                number(distribution.pmf.offset) +
                number(distribution.pmf.step) * static_cast<double>(distribution.pmf.first);
            product.under_q = product.under_q * distribution.under_q;
            product.under_p = product.under_p * distribution.under_p;
        }
    return product;
}

/// So many steps before the last point that counts.
double epsilon_at(const Point& p, const Product& product, PayoffSide side) {
    const double step = short_step(p["step"]);
    const double lowest = product.lowest.lower_double();
    const double highest = lowest + step * static_cast<double>(product.masses.size() - 1);
    const double back = step * p["back"];
    return side == PayoffSide::removal ? highest - back : -(lowest + back);
}

Interval payoff_of(const Point& p, const Product& product, PayoffSide side, bool escaped) {
    const Interval k = exp(number(epsilon_at(p, product, side)));
    const double step = short_step(p["step"]);
    Interval sum = number(0.0);
    for (std::size_t i = 0; i < product.masses.size(); ++i) {
        const Interval w = exp(product.lowest + number(step) * static_cast<double>(i));
        sum += product.masses[i] * nonnegative(side == PayoffSide::removal ? w - k : 1.0 - k * w);
    }
    if (escaped)
        sum += nonnegative(1.0 - (side == PayoffSide::removal ? product.under_p : product.under_q));
    return min(sum, number(1.0));
}

double found_at(const Point& p, PayoffSide side, Direction direction) {
    std::vector<ShortDistribution> distributions = distributions_at(p);
    const double epsilon = epsilon_at(p, product_of(distributions), side);
    std::vector<RepeatedLoss> parts;
    for (ShortDistribution& distribution : distributions) {
        distribution.pmf.direction = direction;
        if (direction == Direction::lower)
            distribution.pmf.infinity_mass = distribution.pmf.null_mass = 0.0;
        parts.push_back({&distribution.pmf, distribution.count});
    }
    const HockeyStick found(
        convolve(parts, p["tilt"], std::size_t{1} << static_cast<unsigned>(p["log_points"])));
    return side == PayoffSide::removal ? found.removal(epsilon) : found.addition(epsilon);
}

}  // namespace

std::vector<Check> pld_convolve_rows() {
    const Space space{{{"seed", Scale::logarithmic, 1, 1e9, true, {}},
                       positive_dimension("step", 0.01, 4.0, {0.01, 0.5}),
                       linear_dimension("tilt", -15.0, 15.0, {0.0, 1.0}),
                       positive_dimension("back", 0.01, 60.0, {0.5, 1.5, 3.0}),
                       {"log_points", Scale::linear, 3, 10, true, {3, 5, 10}}},
                      {}};
    std::vector<Check> rows;
    for (const Direction direction : {Direction::upper, Direction::lower})
        for (const PayoffSide side : payoff_sides) {
            const bool upper = direction == Direction::upper;
            Check row = library_row(
                fmt::format("pld.convolve.encloses_direct_{}_{}", upper ? "upper" : "lower",
                            name_of(side)),
                "a composition of a few short distributions, whatever its tilt and its window, is "
                "on its "
                "side of the sum over all combinations (docs/error_bounds.md, privacy loss)",
                upper ? Relation::at_least : Relation::at_most, space, 150, 6000);
            row.oracle = "sum over all combinations, in intervals";
            row.evaluate = [=](const Point& p) { return exactly(found_at(p, side, direction)); };
            row.truth = [=](const Point& p, long) {
                return payoff_of(p, product_of(distributions_at(p)), side, upper);
            };
            rows.push_back(std::move(row));
        }
    return rows;
}

}  // namespace assay::verify
