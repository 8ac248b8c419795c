#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/interval.hpp"
#include "assay/numeric/threshold_search.hpp"
#include "verify/checks/real_number.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Outward rounding, interval arithmetic and the search between enclosures: what every certified
// answer rests on.

namespace assay::verify {

namespace {

Dimension seed_dimension() {
    return {"seed", Scale::linear, 0, 1e9, true, {}};
}

Draws draws_at(const Point& p, std::string_view name) {
    return {static_cast<std::uint64_t>(p.integer("seed")), name, 0};
}

/// A number with digits beyond those of a double, of either sign.
real wide_number(Draws& draws, double largest) {
    const double size = std::exp(std::log(1e-3) + draws.uniform() * std::log(1e3 * largest));
    const double sign = draws.uniform() < 0.5 ? -1.0 : 1.0;
    return static_cast<real>(sign * size) * (1.0L + 0x1p-60L * static_cast<real>(draws.below(64)));
}

std::vector<Check> rounding_rows() {
    Check row = library_row("numeric.directed.rounds_outward",
                            "an extended number lies between its two roundings to a double",
                            Relation::encloses,
                            {{linear_dimension("x", -4.0, 4.0, {-1.0, 0.0, 1.0}),
                              {"tail", Scale::linear, -1023, 1023, true, {-1, 0, 1, 1023}}},
                             {}},
                            100, 2000);
    const auto number = [](const Point& p) {
        // Up to a unit in the last place of a double away.
        return static_cast<real>(p["x"]) * (1.0L + 0x1p-63L * static_cast<real>(p["tail"]));
    };
    row.oracle = "the number";
    row.evaluate = [number](const Point& p) {
        return Enclosure{round_down(number(p)), round_up(number(p))};
    };
    row.truth = [number](const Point& p, long bits) { return Interval::extended(number(p), bits); };
    row.widest = 0x1p-51;
    return {row};
}

struct Operation {
    const char* name;
    RealInterval (*library)(const RealInterval&, const RealInterval&);
    Interval (*exact)(const Interval&, const Interval&);
    bool positive = false;  // defined for positive numbers alone
    double largest = 1e3;
};

/// How far the exact results at the ends, between which all others lie, are outside the answer.
Interval outside(const Operation& operation, Draws& draws, long bits) {
    const auto argument = [&] {
        real a = wide_number(draws, operation.largest);
        if (operation.positive) a = std::fabs(a);
        const real b = draws.uniform() < 0.3 ? a : wide_number(draws, operation.largest);
        if (operation.positive)
            return RealInterval(std::min(a, std::fabs(b)), std::max(a, std::fabs(b)));
        return RealInterval(std::min(a, b), std::max(a, b));
    };
    const RealInterval x = argument();
    const RealInterval y = argument();
    const RealInterval answer = operation.library(x, y);
    if (!std::isfinite(answer.lower()) || !std::isfinite(answer.upper()))
        return Interval(0.0, bits);
    Interval worst(0.0, bits);
    for (const real a : {x.lower(), x.upper()})
        for (const real b : {y.lower(), y.upper()}) {
            const Interval exact =
                operation.exact(Interval::extended(a, bits), Interval::extended(b, bits));
            worst = max(worst, exact - Interval::extended(answer.upper(), bits));
            worst = max(worst, Interval::extended(answer.lower(), bits) - exact);
        }
    return worst;
}

std::vector<Check> interval_rows() {
    using R = const RealInterval&;
    using I = const Interval&;
    std::vector<Check> rows;
    for (const Operation& operation : {
             Operation{"sum", [](R x, R y) { return x + y; }, [](I x, I y) { return x + y; }},
             Operation{"difference", [](R x, R y) { return x - y; },
                       [](I x, I y) { return x - y; }},
             Operation{"product", [](R x, R y) { return x * y; }, [](I x, I y) { return x * y; }},
             Operation{"quotient", [](R x, R y) { return x / y; }, [](I x, I y) { return x / y; }},
             Operation{"sqrt", [](R x, R) { return sqrt(x); }, [](I x, I) { return sqrt(x); },
                       true},
             Operation{"exp", [](R x, R) { return exp(x); }, [](I x, I) { return exp(x); }, false,
                       300.0},
             Operation{"expm1", [](R x, R) { return expm1(x); }, [](I x, I) { return expm1(x); },
                       false, 300.0},
             Operation{"log", [](R x, R) { return log(x); }, [](I x, I) { return log(x); }, true},
             Operation{"log1p", [](R x, R) { return log1p(x); }, [](I x, I) { return log1p(x); },
                       true},
         }) {
        Check row = library_row(
            fmt::format("numeric.interval.{}", operation.name),
            fmt::format("the {} of two intervals contains the exact one at all their ends",
                        operation.name),
            Relation::at_least, {{seed_dimension()}, {}}, 30, 1000);
        row.oracle = "MPFR: how far exact results lie outside";
        row.evaluate = [](const Point&) { return exactly(0.0); };
        row.truth = [operation](const Point& p, long bits) {
            Draws draws = draws_at(p, operation.name);
            Interval worst(0.0, bits + 256);
            for (int i = 0; i < 20; ++i) worst = max(worst, outside(operation, draws, bits + 256));
            return worst;
        };
        rows.push_back(std::move(row));
    }
    return rows;
}

/// scale / x^power, known to the width asked for or to `width`, never better.
struct Falling {
    double scale;
    double power;
    double width;
    std::uint64_t seed;

    explicit Falling(const Point& p)
        : scale(p["scale"]),
          power(p["power"]),
          width(p["width"]),
          seed(static_cast<std::uint64_t>(p.integer("seed"))) {}

    [[nodiscard]] Enclosure operator()(double x, double tolerance) const {
        const double value = scale * std::exp(-power * std::log(x));
        const double wide = std::max(width, 0.99 * tolerance) + 1e-9;
        Draws draws(seed, "place", std::bit_cast<std::uint64_t>(x));
        const double below = wide * draws.uniform();
        return {value * (1.0 - below - 1e-10), value * (1.0 + wide - below + 1e-10)};
    }

    /// Where it meets the target.
    [[nodiscard]] Interval crossing(double target, long bits) const {
        return exp(log(Interval(scale, bits) / target) / power);
    }
};

std::vector<Check> threshold_rows() {
    const Space space{{positive_dimension("scale", 1e-3, 1e3, {1.0}),
                       {"power", Scale::linear, 0.5, 20.0, false, {1.0, 2.0}},
                       positive_dimension("target", 1e-9, 1e-4, {1e-5}),
                       positive_dimension("width", 1e-9, 0.3, {1e-6, 0.05, 0.2}),
                       seed_dimension()},
                      {}};
    const auto row_of = [&](const char* name, const char* claim, Relation relation,
                            std::function<double(const Point&)> place) {
        Check row = library_row(fmt::format("numeric.threshold.{}", name), claim, relation, space,
                                100, 2000);
        row.oracle = "closed form: the crossing";
        row.evaluate = [place = std::move(place)](const Point& p) { return exactly(place(p)); };
        row.truth = [](const Point& p, long bits) {
            return Falling(p).crossing(p["target"], bits + 64);
        };
        return row;
    };
    const auto first = [](const Point& p) {
        return first_sufficient(Falling(p), p["target"], 1e30);
    };
    const auto found = [first](const Point& p) {
        const auto high = first(p);
        return find_threshold(Falling(p), p["target"], high->x * 1e-12, *high, 1e-3);
    };
    return {
        row_of("first", "the first place found sufficient is at or beyond the crossing",
               Relation::at_least, [first](const Point& p) { return first(p)->x; }),
        row_of("sufficient", "the place found sufficient is at or beyond the crossing",
               Relation::at_least, [found](const Point& p) { return found(p).sufficient; }),
        row_of("insufficient", "the place found insufficient is before the crossing",
               Relation::at_most, [found](const Point& p) { return found(p).insufficient; }),
    };
}

}  // namespace

std::vector<Check> arithmetic_rows() {
    return joined({rounding_rows, interval_rows, threshold_rows});
}

}  // namespace assay::verify
