#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/pld/chernoff.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"

// Moments of distributions on a grid, and what they say of tails; which distributions may be
// composed.

namespace assay::verify {

namespace {

constexpr long chernoff_bits = 192;

Interval number(double x) {
    return {x, chernoff_bits};
}

PrivacyLossPmf distribution_at(const Point& p) {
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "moments", 0);
    PrivacyLossPmf pmf;
    pmf.step = 0.0625;
    const auto points = static_cast<std::size_t>(p.integer("points"));
    pmf.first = -static_cast<std::int64_t>(points / 2);
    pmf.offset = draws.uniform() - 0.5;
    const double sum = static_cast<double>(points);
    // Over many orders of magnitude, some of them 0, but not at the ends.
    for (std::size_t i = 0; i < points; ++i) {
        const bool end = i == 0 || i + 1 == points;
        const double mass = std::exp(-40.0 * draws.uniform()) / sum;
        pmf.masses.push_back(!end && draws.uniform() < 0.1 ? 0.0 : mass);
    }
    return pmf;
}

Interval loss_of(const PrivacyLossPmf& pmf, std::size_t i) {
    return number(pmf.offset) +
           number(pmf.step) * static_cast<double>(pmf.first + static_cast<std::int64_t>(i));
}

/// E [W^order; from <= i < to]
Interval moment_between(const PrivacyLossPmf& pmf, double order, std::size_t from, std::size_t to) {
    Interval sum = number(0.0);
    for (std::size_t i = from; i < to; ++i) sum += pmf.masses[i] * exp(order * loss_of(pmf, i));
    return sum;
}

std::vector<Check> moment_rows() {
    const Space space{{{"seed", Scale::logarithmic, 1, 1e9, true, {}},
                       count_dimension("points", 1, 300, {1, 2, 63, 64, 65, 130}),
                       count_dimension("count", 1, 1e9, {1, 4096}),
                       {"order", Scale::linear, -20.0, 20.0, false, {-1.0, 0.0, 0.5, 1.0, 2.0}},
                       positive_dimension("scale", 1.0, 1e5, {1.0})},
                      {}};
    const auto order_at = [](const Point& p) { return p["order"] * p["scale"]; };
    Check row = library_row("pld.chernoff.log_moment",
                            "log-moments are within their stated rounding, whatever the count "
                            "(docs/error_bounds.md, privacy loss)",
                            Relation::encloses, space, 100, 6000);
    row.oracle = "the sum that defines it, in intervals";
    row.evaluate = [=](const Point& p) {
        const PrivacyLossPmf pmf = distribution_at(p);
        const RepeatedLoss part{&pmf, p.integer("count")};
        const double value = log_moment({&part, 1}, order_at(p));
        const double above = log_moment_above({&part, 1}, order_at(p));
        return Enclosure{value - (above - value), above};
    };
    row.truth = [=](const Point& p, long) {
        const PrivacyLossPmf pmf = distribution_at(p);
        return number(p["count"]) * log(moment_between(pmf, order_at(p), 0, pmf.masses.size()));
    };
    row.widest = 1e-9;
    return {row};
}

std::vector<Check> tail_rows() {
    const Space space{{{"seed", Scale::logarithmic, 1, 1e9, true, {}},
                       count_dimension("points", 2, 200, {2, 3, 65}),
                       linear_dimension("tilt", -3.0, 4.0, {0.0, 1.0}),
                       linear_dimension("base", -1.0, 3.0, {0.0, 1.0}),
                       linear_dimension("part", 0.0, 1.0, {0.0, 0.5, 1.0}),
                       {"above", Scale::linear, 0, 1, true, {0, 1}}},
                      {}};
    const auto index_at = [](const Point& p) {
        return static_cast<std::size_t>(p["part"] * (p["points"] - 1.0));
    };
    Check row = library_row(
        "pld.chernoff.bounds_tails",
        "Chernoff's bounds are above the tails of a distribution, at its last point too",
        Relation::at_least, space, 100, 6000);
    row.oracle = "the tail's sum, in intervals";
    row.evaluate = [=](const Point& p) {
        const PrivacyLossPmf pmf = distribution_at(p);
        const RepeatedLoss part{&pmf, 1};
        const bool above = p["above"] == 1.0;
        // Just outside the tail.
        const double loss = pmf.loss(index_at(p)) + (above ? -1e-12 : 1e-12);
        return exactly(TiltedTails({&part, 1}, p["tilt"]).log_mass(p["base"], loss, above));
    };
    row.truth = [=](const Point& p, long) {
        const PrivacyLossPmf pmf = distribution_at(p);
        const std::size_t i = index_at(p);
        return log(p["above"] == 1.0 ? moment_between(pmf, p["base"], i, pmf.masses.size())
                                     : moment_between(pmf, p["base"], 0, i + 1));
    };
    return {row};
}

bool is_refused(const PrivacyLossPmf& one, const PrivacyLossPmf& other) {
    try {
        require_composable(one, other);
    } catch (const DirectionError&) {
        return true;
    }
    return false;
}

std::vector<Check> refusal_rows() {
    Check row = library_row(
        "pld.composition.refuses_mixtures",
        "distributions of different sides, adjacencies or steps, estimates and tilted "
        "distributions are not composed",
        Relation::encloses,
        {{{"seed", Scale::logarithmic, 1, 1e9, true, {}}, count_dimension("points", 1, 5, {1})},
         {}},
        1, 10);
    row.oracle = "six pairs, one of which may be composed";
    row.evaluate = [](const Point& p) {
        const PrivacyLossPmf distribution = distribution_at(p);
        std::array<PrivacyLossPmf, 5> others{distribution, distribution, distribution, distribution,
                                             distribution};
        others[0].direction = Direction::lower;
        others[1].direction = Direction::estimate;
        others[2].adjacency = Adjacency::replace_one;
        others[3].step = 0.125;
        others[4].tilt = 1.0;
        double refused = is_refused(distribution, distribution) ? 100.0 : 0.0;
        for (const PrivacyLossPmf& other : others)
            refused +=
                is_refused(distribution, other) && is_refused(other, distribution) ? 1.0 : 0.0;
        return exactly(refused);
    };
    row.truth = [](const Point&, long p) { return Interval(5.0, p); };
    return {row};
}

}  // namespace

std::vector<Check> pld_chernoff_rows() {
    std::vector<Check> rows;
    for (std::vector<Check>& list : std::array{moment_rows(), tail_rows(), refusal_rows()})
        for (Check& row : list) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
