#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/dpsgd/clipping.hpp"
#include "assay/dpsgd/gradient_engine.hpp"
#include "assay/dpsgd/reference_gradients.hpp"
#include "verify/checks/dpsgd_fixture.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/batch_mean.hpp"
#include "verify/rows.hpp"

// A step of DP-SGD: what one example adds to the sum of clipped gradients, and the variance of a
// batch's mean. The noise has a file of its own.

namespace assay::verify {

namespace {

Check clip_row(std::string id, std::string claim, Relation relation, Space space, int quick,
               int full, std::function<Enclosure(const Point&)> evaluate) {
    Check row = library_row("clipping." + std::move(id), std::move(claim), relation,
                            std::move(space), quick, full);
    row.oracle = "C; the norm from exact squares";
    row.evaluate = std::move(evaluate);
    row.truth = [](const Point& p, long bits) { return Interval(p["C"], bits); };
    return row;
}

// ---- the factor ----------------------------------------------------------------------------

long double squared_norm_at(const Point& p) {
    return std::ldexp(static_cast<long double>(p["x"]), static_cast<int>(p.integer("e")));
}

std::vector<Check> factor_rows() {
    const Dimension clip{"C", Scale::logarithmic, 1e-20, 1e20, false, {1e-20, 1.0, 3.0, 1e20}};
    const Dimension fraction{"x", Scale::linear, 1.0, 2.0, false, {1.0, 1.9999999999999998}};
    const Dimension budget{"budget", Scale::logarithmic, 0x1p-52, 0.1, false, {0x1p-40, 0x1p-20}};
    // Denormal, and beyond the largest number, in extended precision.
    const Space all{{fraction,
                     {"e", Scale::linear, -16'445, 16'390, true, {-16'445, -16'382, 0, 16'384}},
                     budget,
                     clip},
                    {}};
    const Space near_clip{{fraction, {"e", Scale::linear, -134, 134, true, {0, 1}}, budget, clip},
                          {}};
    const auto scaled = [](const Point& p) {
        const long double squared = squared_norm_at(p);
        const Clipping result = assay::clip(squared, p["C"], p["budget"]);
        if (std::isinf(squared))
            return exactly(result.factor == 0.0L && result.refused ? 0.0 : 1e300);
        const Interval norm = sqrt(Interval::extended(squared, 192));
        return exactly(
            (Interval::extended(result.factor, 192) * norm * (1.0 + Interval(p["budget"], 192)))
                .upper_double());
    };
    Check reported =
        clip_row("factor.norm", "the reported norm is not below the true one", Relation::at_least,
                 near_clip, 60, 600, [](const Point& p) {
                     return exactly(assay::clip(squared_norm_at(p), p["C"], p["budget"]).norm);
                 });
    reported.truth = [](const Point& p, long bits) {
        return sqrt(Interval(p["x"], bits) * power(Interval(2.0, bits), p.integer("e")));
    };
    return {clip_row("factor.bound",
                     "factor |g| (1 + budget) <= C for any squared norm, denormal and inf too",
                     Relation::at_most, all, 80, 1500, scaled),
            clip_row("factor.bound_near", "the same where |g| is of the size of C",
                     Relation::at_most, near_clip, 80, 1500, scaled),
            reported};
}

// ---- whole gradients -----------------------------------------------------------------------

Dimension network_dimension() {
    return {"net", Scale::linear, 0, networks - 1, true, {0, 1, 2, 3, 4}};
}

/// Weights and inputs of any size, and numbers that are none.
Space wild_space() {
    return {{network_dimension(),
             {"weights", Scale::linear, -1.0, 1.0, false, {-1.0, 0.0, 0.5, 1.0}},
             {"inputs", Scale::linear, -46.0, 39.0, false, {-45.0, 0.0, 30.0}},
             {"bad", Scale::linear, 0, 4, true, {0, 1, 2, 3, 4}},
             {"where", Scale::linear, 0, 1, true, {0, 1}},
             {"C", Scale::logarithmic, 1e-20, 1e20, false, {1e-20, 1e-3, 1.0, 1e20}},
             seed_dimension()},
            {}};
}

/// Weights and inputs as they are.
Space tame_space() {
    Space space = wild_space();
    for (Dimension& d : space.dimensions) {
        if (d.name == "weights") d = {"weights", Scale::linear, -0.01, 0.01, false, {0.0}};
        if (d.name == "inputs") d = {"inputs", Scale::linear, -1.0, 1.0, false, {0.0}};
        if (d.name == "bad") d = {"bad", Scale::linear, 0, 0, true, {0}};
        if (d.name == "C") d = {"C", Scale::logarithmic, 1e-4, 1e3, false, {1.0}};
    }
    return space;
}

/// Any path: the engine's, or that which holds every gradient.
template <class Real>
std::vector<Real> clipped(const Model<Real>& model, const Dataset& data,
                          const std::vector<std::uint32_t>& indices, double clip_norm,
                          bool reference) {
    GradientSum<Real> result;
    if (reference)
        reference_clipped_sum(model, data, indices, clip_norm, result);
    else
        GradientEngine<Real>(1).clipped_sum(model, data, indices, clip_norm, result);
    return result.sum;
}

template <class Real>
Enclosure one_example(const Point& p, bool reference) {
    const NetworkFixture fixture = network_fixture(p, 1);
    const std::vector<Real> sum =
        clipped(scaled_model<Real>(fixture, p), fixture.data, {0}, p["C"], reference);
    return exactly(norm_above<Real>(sum));
}

/// |sum over a batch and example 0 - sum over the batch|, in double: what rounding the sums adds is
/// below 2^-41 C, and clipping leaves 2^-40 C.
Enclosure neighbours(const Point& p, int others) {
    const NetworkFixture fixture = network_fixture(p, others + 1);
    const Model<double> model = scaled_model<double>(fixture, p);
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(others) + 1);
    std::iota(indices.begin(), indices.end(), 0U);
    std::vector<double> with = clipped(model, fixture.data, indices, p["C"], false);
    indices.erase(indices.begin());
    const std::vector<double> without = clipped(model, fixture.data, indices, p["C"], false);
    std::transform(with.begin(), with.end(), without.begin(), with.begin(), std::minus<>());
    return exactly(norm_above<double>(with));
}

/// More examples than the engine holds at once.
constexpr int chunked = 4200;

/// The shares of C and of the gradient that clipping may take away: twice its budget.
template <class Real>
Check kept_row(const char* id) {
    Check row = clip_row(id, "clipping takes no more than it has to: |clip(g)| is min(|g|, C)",
                         Relation::at_least, tame_space(), 20, 200,
                         [](const Point& p) { return one_example<Real>(p, false); });
    row.oracle = "min(|g|, C), three budgets less";
    row.truth = [](const Point& p, long bits) {
        const NetworkFixture fixture = network_fixture(p, 1);
        const std::vector<Real> whole =
            clipped(scaled_model<Real>(fixture, p), fixture.data, {0}, 1e20, false);
        const double norm = norm_above<Real>(whole);
        return Interval(std::min(norm, p["C"]), bits) * (1.0 - 3.0 * clipping_budget<Real>);
    };
    return row;
}

std::vector<Check> gradient_rows() {
    const char* claim =
        "no example adds more than C, whatever its gradient: NaN, inf and denormals included";
    Space neighbouring = wild_space();
    for (Dimension& d : neighbouring.dimensions)
        if (d.name == "C") d = {"C", Scale::logarithmic, 1e-20, 1e20, false, {1.0}};
    Space in_chunks = neighbouring;
    for (Dimension& d : in_chunks.dimensions) {
        if (d.name == "net") d = {"net", Scale::linear, 0, 1, true, {0, 1}};
        if (d.name == "bad") d = {"bad", Scale::linear, 0, 0, true, {0}};
        if (d.name == "weights") d = {"weights", Scale::linear, -0.01, 0.01, false, {0.0}};
        if (d.name == "inputs") d = {"inputs", Scale::linear, 0.0, 3.0, false, {0.0, 1.0}};
    }
    Check chunks = clip_row("neighbours_in_chunks.double",
                            "the same where not all of a batch are held at once, but for rounding",
                            Relation::at_most, std::move(in_chunks), 3, 40,
                            [](const Point& p) { return neighbours(p, chunked); });
    // Sums of `chunked` terms, none of which exceeds C, that are rounded as often.
    chunks.truth = [](const Point& p, long bits) {
        return Interval(p["C"], bits) * (1.0 + Interval(chunked * chunked * 0x1p-52, bits));
    };
    return {clip_row("one_example.float", claim, Relation::at_most, wild_space(), 400, 4000,
                     [](const Point& p) { return one_example<float>(p, false); }),
            clip_row("one_example.double", claim, Relation::at_most, wild_space(), 400, 4000,
                     [](const Point& p) { return one_example<double>(p, false); }),
            clip_row("reference.float", claim, Relation::at_most, wild_space(), 60, 1000,
                     [](const Point& p) { return one_example<float>(p, true); }),
            clip_row("reference.double", claim, Relation::at_most, wild_space(), 60, 1000,
                     [](const Point& p) { return one_example<double>(p, true); }),
            clip_row("one_example_of_ordinary_size.float",
                     "the same for gradients that are seldom far from C", Relation::at_most,
                     tame_space(), 80, 1000,
                     [](const Point& p) { return one_example<float>(p, false); }),
            clip_row("one_example_of_ordinary_size.double",
                     "the same for gradients that are seldom far from C", Relation::at_most,
                     tame_space(), 80, 1000,
                     [](const Point& p) { return one_example<double>(p, false); }),
            clip_row("neighbours.double",
                     "sums over batches that differ in one example are within C of each other",
                     Relation::at_most, neighbouring, 60, 600,
                     [](const Point& p) { return neighbours(p, 20); }),
            std::move(chunks),
            kept_row<float>("kept.float"),
            kept_row<double>("kept.double")};
}

// ---- the mean of a batch -------------------------------------------------------------------

constexpr int most_gradients = 8;

/// Of any kind: random, all equal, with zeros, and close to each other.
std::vector<double> gradients_at(const Point& p) {
    Draws draws = draws_at(p, "gradients");
    const double size = std::ldexp(1.0, static_cast<int>(p.integer("e")));
    const double first = draws.normal();
    std::vector<double> a;
    for (long i = 0; i < p.integer("D"); ++i) {
        const double x = draws.normal();
        const double kinds[] = {x, first, i % 2 == 0 ? x : 0.0, 1.0 + 1e-3 * x};
        a.push_back(size * kinds[p.integer("kind")]);
    }
    return a;
}

std::vector<Check> variance_rows() {
    const Space space{{{"D", Scale::linear, 1, most_gradients, true, {1, 2, 8}},
                       {"B", Scale::linear, 1, most_gradients, true, {1, 2, 8}},
                       {"kind", Scale::linear, 0, 3, true, {0, 1, 2, 3}},
                       {"e", Scale::linear, -60, 60, true, {0}},
                       seed_dimension()},
                      [](const Point& p) { return p["B"] <= p["D"]; }};
    using Enumerated = BatchMean (*)(std::span<const double>, long);
    const auto row = [&](const char* quantity, Enumerated enumerated) {
        Check check = library_row(fmt::format("{}.encloses_enumeration", quantity),
                                  "the answer contains the variance over all batches",
                                  Relation::encloses, space, 20, 500);
        check.oracle = "every batch with its probability";
        check.widest = 1e-9;
        check.evaluate = [=](const Point& p) {
            formulas::Arguments arguments;
            arguments.set("a", gradients_at(p));
            arguments.set("B", p["B"]);
            return local_answer(quantity, arguments);
        };
        check.truth = [=](const Point& p, long) {
            return enumerated(gradients_at(p), p.integer("B")).variance;
        };
        return check;
    };
    return {row("birrell2024.variance_poisson", enumerated_poisson),
            row("birrell2024.variance_with_replacement", enumerated_draws),
            row("birrell2024.variance_without_replacement", enumerated_subsets)};
}

}  // namespace

std::vector<Check> dpsgd_rows() {
    return joined({factor_rows, gradient_rows, variance_rows});
}

}  // namespace assay::verify
