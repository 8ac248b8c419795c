#include <algorithm>
#include <array>
#include <cmath>

#include "assay/batch_sampling/truncation.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/binomial_tail.hpp"
#include "verify/rows.hpp"

// What cutting batches at a maximum costs (chua2025 Appendix C), against exact binomial tails.

namespace assay::verify {

namespace {

/// b/n as it is, or the double nearest to it.
BinomialSize size_at(const Point& p) {
    if (p["nearest"] == 1.0) return {p.integer("n"), p["b"] / p["n"], 1.0};
    return {p.integer("n"), p["b"], p["n"]};
}

/// b + z sqrt(b), within 1 .. n.
long maximum_at(const Point& p) {
    const double size = std::floor(p["b"] + p["z"] * std::sqrt(p["b"]));
    return static_cast<long>(std::min(std::max(size, 1.0), p["n"]));
}

Space tails_space(double lowest) {
    return {{count_dimension("n", 1, 4'294'967'295.0,
                             {1, 2, 3, 1000, 37'000'000, 12'796'151, 4'294'967'295.0}),
             count_dimension("b", 1, 1e6, {1, 2, 120, 1024, 8192, 262'144}),
             {"z", Scale::linear, lowest, 60.0, false, {0.0, 1.0, 6.0, 9.0, 40.0}},
             {"nearest", Scale::linear, 0, 1, true, {0, 1}},
             count_dimension("T", 1, 1e6, {1, 36'133}),
             {"eps", Scale::linear, 0.0, 50.0, false, {0.0, 1.0, 5.0, 10.0}}},
            [](const Point& p) { return p["b"] <= p["n"]; }};
}

Interval delta_at(const Point& p, long bits) {
    return cut_batches_delta(size_at(p), p.integer("T"), p["eps"], maximum_at(p), bits);
}

Enclosure library_delta(const Point& p) {
    return exactly(
        truncation_delta(p.integer("n"), p.integer("b"), p.integer("T"), p["eps"], maximum_at(p))
            .value);
}

std::vector<Check> tail_rows() {
    Check above = library_row("truncation_delta.bounds_tail",
                              "delta' is an upper bound, for q = b/n and for the nearest double",
                              Relation::at_least, tails_space(-3.0), 60, 800);
    above.oracle = "binomial masses added up";
    above.evaluate = library_delta;
    above.truth = delta_at;
    Check near = library_row("truncation_delta.close_to_tail",
                             "delta' at B >= b is within a factor 1 + (B+2) 2^-51 + 2e-15 "
                             "(1 + |log P|) of the truth, or the smallest double",
                             Relation::at_most, tails_space(0.0), 60, 800);
    near.oracle = above.oracle;
    near.evaluate = library_delta;
    near.truth = [](const Point& p, long bits) {
        Interval truth = delta_at(p, bits);
        if (truth.is_zero()) return truth;
        const double room = static_cast<double>(maximum_at(p) + 2) * 0x1p-51 +
                            2e-15 * (1.0 + std::abs(log(truth).lower_double()) + p["eps"] + 30.0);
        return truth * (1.0 + room) + Interval(0x1p-1074, bits);
    };
    Check logarithm =
        library_row("log_binomial_tail.bounds_tail", "the logarithm of the tail is an upper bound",
                    Relation::at_least, tails_space(-3.0), 60, 800);
    logarithm.space.admits = [](const Point& p) {
        return p["b"] <= p["n"] && maximum_at(p) < p.integer("n");
    };
    logarithm.oracle = above.oracle;
    logarithm.evaluate = [](const Point& p) {
        return exactly(log_binomial_tail(p.integer("n"), p.integer("b"), maximum_at(p)).value);
    };
    logarithm.truth = [](const Point& p, long bits) {
        return log(binomial_tail(size_at(p), maximum_at(p), bits));
    };
    return {above, near, logarithm};
}

// ---- the smallest maximum ------------------------------------------------------------------

struct CutPlan {
    long n;
    long b;
    long steps;
    double epsilon;
    double delta;
};

Check smallest_row(std::string id, std::string claim, Space space, int quick, int full,
                   const std::function<CutPlan(const Point&)>& plan_at) {
    Check row = library_row(std::move(id), std::move(claim), Relation::encloses, std::move(space),
                            quick, full);
    row.subject = "library: smallest_maximum_batch_size";
    row.oracle = "binomial masses added up: B is enough, B - 1 is not";
    const auto answer = [](const CutPlan& plan) {
        return smallest_maximum_batch_size(plan.n, plan.b, plan.steps, plan.epsilon, plan.delta);
    };
    row.evaluate = [=](const Point& p) { return exactly(static_cast<double>(answer(plan_at(p)))); };
    // The library's answer is where the search begins; it ends where the tails say.
    row.truth = [=](const Point& p, long bits) {
        const CutPlan plan = plan_at(p);
        return Interval::integer(
            smallest_cut({plan.n, static_cast<double>(plan.b), static_cast<double>(plan.n)},
                         plan.steps, plan.epsilon, plan.delta, plan.b, answer(plan), bits),
            bits);
    };
    return row;
}

constexpr std::array<long, 2> criteo_sizes{37'000'000, 12'796'151};
constexpr std::array<std::array<double, 9>, 2> criteo_maxima{
    {{1328, 2469, 4681, 9007, 17'520, 34'355, 67'754, 134'172, 266'475},
     {1320, 2458, 4665, 8984, 17'488, 34'309, 67'687, 134'071, 266'317}}};

CutPlan criteo_plan(const Point& p, double epsilon, double delta) {
    const long n = criteo_sizes.at(static_cast<std::size_t>(p.integer("data")));
    const long b = 1024L << p.integer("i");
    return {n, b, (n + b - 1) / b, epsilon, delta};
}

/// delta' <= 1e-5 / n at epsilon = 5.
CutPlan printed_plan(const Point& p) {
    const CutPlan plan = criteo_plan(p, 5.0, 0.0);
    return {plan.n, plan.b, plan.steps, plan.epsilon, 1e-5 / static_cast<double>(plan.n)};
}

std::vector<Check> smallest_rows() {
    const Space space{{count_dimension("n", 1, 1e8, {1, 2, 1000, 37'000'000}),
                       count_dimension("b", 1, 1e5, {1, 2, 120, 8192}),
                       count_dimension("T", 1, 1e6, {1, 36'133}),
                       {"eps", Scale::linear, 0.0, 20.0, false, {0.0, 5.0, 10.0}},
                       {"delta", Scale::logarithmic, 1e-30, 0.5, false, {1e-10, 1e-5}}},
                      [](const Point& p) { return p["b"] <= p["n"]; }};
    const Space tables{{{"data", Scale::linear, 0, 1, true, {0, 1}},
                        {"i", Scale::linear, 0, 8, true, {0, 1, 2, 3, 4, 5, 6, 7, 8}}},
                       {}};
    Check printed = library_row("chua2025.maximum_batch_sizes",
                                "the tables of chua2025 Appendix C follow from epsilon = 5 and "
                                "delta' <= 1e-5/n (its text: 10 and 1e-10)",
                                Relation::encloses, tables, 40, 80);
    printed.subject = "library: smallest_maximum_batch_size";
    printed.oracle = "the tables as printed";
    printed.evaluate = [](const Point& p) {
        const CutPlan plan = printed_plan(p);
        return exactly(static_cast<double>(
            smallest_maximum_batch_size(plan.n, plan.b, plan.steps, plan.epsilon, plan.delta)));
    };
    printed.truth = [](const Point& p, long bits) {
        return Interval(criteo_maxima.at(static_cast<std::size_t>(p.integer("data")))
                            .at(static_cast<std::size_t>(p.integer("i"))),
                        bits);
    };
    return {
        smallest_row("smallest_maximum_batch_size.exact",
                     "B is the smallest maximum >= b whose delta' is at most delta", space, 40, 600,
                     [](const Point& p) {
                         return CutPlan{p.integer("n"), p.integer("b"), p.integer("T"), p["eps"],
                                        p["delta"]};
                     }),
        smallest_row("smallest_maximum_batch_size.tables",
                     "the smallest maxima of chua2025's tables are right", tables, 20, 80,
                     printed_plan),
        smallest_row("smallest_maximum_batch_size.as_in_text",
                     "so are those at epsilon = 10, delta' <= 1e-10 for the same data", tables, 20,
                     80, [](const Point& p) { return criteo_plan(p, 10.0, 1e-10); }),
        printed};
}

}  // namespace

std::vector<Check> truncation_rows() {
    return joined({tail_rows, smallest_rows});
}

}  // namespace assay::verify
