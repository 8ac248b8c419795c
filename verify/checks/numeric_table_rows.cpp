#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/sample_quantile.hpp"
#include "assay/numeric/tail_table.hpp"
#include "assay/numeric/vector_log.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// Numbers that samplers and estimates are made of: logarithms, tables by inversion, tails and
// sample quantiles.

namespace assay::verify {

namespace {

Check logarithm_row() {
    Check row = library_row("vector_log.within_an_ulp",
                            "the logarithm of a normal number is off by less than 1 ulp",
                            Relation::encloses,
                            {{{"x", Scale::linear, 1.0, 2.0, false, {1.0, 1.0 + 0x1p-52, 1.5}},
                              {"e", Scale::linear, -1022, 1023, true, {-1022, -2, -1, 0, 1, 1023}}},
                             {}},
                            400, 4000);
    row.oracle = "ln in MPFR";
    row.evaluate = [](const Point& p) {
        const double y = vector_log(std::ldexp(p["x"], static_cast<int>(p.integer("e"))));
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return Enclosure{std::nextafter(y, -infinity), std::nextafter(y, infinity)};
    };
    row.truth = [](const Point& p, long bits) {
        return log(Interval(p["x"], bits) * power(Interval(2.0, bits), p.integer("e")));
    };
    return row;
}

// ---- tables --------------------------------------------------------------------------------

/// A power of the distance to the nearer end, on one side three times as large: every piece of an
/// octave has the same relative error as that of any other.
TailTable::Function power_function(real exponent) {
    const auto factor = [](real tail) { return tail > 0.0L ? 1.0L : 3.0L; };
    const auto value = [=](real tail) {
        return factor(tail) * std::pow(std::fabs(tail), exponent);
    };
    const auto fourth = [=](real left, real right) {
        const real steepest = std::min(std::fabs(left), std::fabs(right));
        return std::fabs(exponent * (exponent - 1) * (exponent - 2) * (exponent - 3)) *
               factor(left) * std::pow(steepest, exponent - 4);
    };
    return {value, fourth};
}

double tail_at(const Point& p) {
    return std::ldexp(p["x"], static_cast<int>(-p.integer("octave"))) * (p["side"] == 1.0 ? -1 : 1);
}

Check table_row() {
    Check row = library_row(
        "tail_table.within_stated_error",
        "a table of piecewise cubics is within its stated relative error, by every kernel",
        Relation::encloses,
        {{{"exponent", Scale::linear, -2.5, -0.5, false, {-2.5, -1.0}},
          {"tolerance", Scale::logarithmic, 1e-11, 1e-5, false, {1e-8}},
          {"octave", Scale::linear, 1, 32, true, {1, 32}},
          {"x", Scale::linear, 0.5, 1.0, false, {0.5, 0x1.fffffffffffffp-1, 1.0}},
          {"side", Scale::linear, 0, 1, true, {0, 1}},
          {"place", Scale::linear, 0, 15, true, {0, 15}}},
         {}},
        20, 200);
    row.oracle = "the function in MPFR";
    // The smallest and the largest of many tails that the truth scales.
    row.evaluate = [](const Point& p) {
        const TailTable table(power_function(p["exponent"]), 32, p["tolerance"]);
        std::vector<double> tails(16, 0.25);
        tails[static_cast<std::size_t>(p.integer("place"))] = tail_at(p);
        std::vector<double> plain = tails;
        std::vector<double> narrow = tails;
        table.evaluate(tails);
        table.evaluate(narrow, false);
        table.evaluate_plain(plain);
        const auto at = static_cast<std::size_t>(p.integer("place"));
        const double y = table.at(tail_at(p));
        if (tails != plain || narrow != plain || plain[at] != y)
            return Enclosure{-HUGE_VAL, -HUGE_VAL};
        const double error = table.relative_error() * (1.0 + 1e-6);
        return Enclosure{y / (1.0 + error), y / (1.0 - error)};
    };
    row.truth = [](const Point& p, long bits) {
        const Interval size = Interval(std::abs(tail_at(p)), bits + 32);
        const Interval y = exp(log(size) * Interval(p["exponent"], bits + 32));
        return p["side"] == 1.0 ? y * 3.0 : y;
    };
    return row;
}

/// Tails below 2^-22 are drawn anew within the cell of width 2^-53 that their word names: how far
/// the farthest one is from its middle, in half widths. There is one in 2^21 words.
double farthest_refinement(const Point& p) {
    constexpr std::size_t words = std::size_t{1} << 24U;
    constexpr std::size_t piece = 1U << 16U;
    RandomStream plain(static_cast<std::uint64_t>(p.integer("seed")), Purpose::test, 0);
    std::vector<std::uint64_t> bits(piece);
    std::vector<double> refined(piece);
    double farthest = 0.0;
    for (std::size_t done = 0; done < words; done += piece) {
        RandomStream stream = plain;
        plain.fill_bits(bits);
        const auto small = std::ranges::find_if(bits, [](std::uint64_t word) {
            return 0.5 * RandomStream::to_unit_interval(word) < 0x1p-22;
        });
        if (small == bits.end()) continue;
        // As many numbers as there are words to read before the refinement, and no more.
        const auto at = static_cast<std::size_t>(small - bits.begin());
        stream.fill_bits(std::span(bits).first(at));
        double tail = 0.0;
        fill_signed_tails(stream, {&tail, 1});
        const double middle = 0.5 * RandomStream::to_unit_interval(*small);
        farthest = std::max(farthest, std::abs(std::abs(tail) - middle) / 0x1p-54);
    }
    return farthest;
}

// ---- sample quantiles ----------------------------------------------------------------------

std::vector<double> sample_at(const Point& p) {
    Draws draws = draws_at(p, "sample");
    std::vector<double> sample;
    for (long i = 0; i < p.integer("n"); ++i) sample.push_back(draws.normal());
    std::ranges::sort(sample);
    return sample;
}

Check quantile_row() {
    Check row = library_row(
        "sample_quantile.meets_definition",
        "the p-quantile of n numbers is linear between those at the places floor and ceiling of "
        "p (n-1), counted from 0",
        Relation::encloses,
        {{count_dimension("n", 1, 200, {1, 2, 3, 101}),
          {"p", Scale::linear, 0.0, 1.0, false, {0.0, 0.025, 0.25, 0.5, 0.975, 1.0}},
          seed_dimension()},
         {}},
        40, 400);
    row.oracle = "the definition in intervals";
    // A place below 200 is off by 2^-46 at most, and neighbours of a normal sample by 8.
    row.evaluate = [](const Point& p) {
        const double y = sample_quantile(sample_at(p), p["p"]);
        return Enclosure{y - 1e-12, y + 1e-12};
    };
    row.truth = [](const Point& p, long bits) {
        const std::vector<double> sample = sample_at(p);
        const Interval place = Interval(p["p"], bits + 64) * (p["n"] - 1.0);
        const auto below = static_cast<std::size_t>(std::floor(place.lower_double()));
        const std::size_t above = std::min(below + 1, sample.size() - 1);
        const Interval low(sample[below], bits + 64);
        return low +
               (place - static_cast<double>(below)) * (Interval(sample[above], bits + 64) - low);
    };
    return row;
}

}  // namespace

std::vector<Check> numeric_table_rows() {
    return {logarithm_row(), table_row(),
            limit_row("tail_table.refined_tails",
                      "a tail below 2^-22 stays within the cell of width 2^-53 that it was drawn "
                      "in, as the distribution of uniform tails asks",
                      "half a cell", {{seed_dimension()}, {}}, 3, 30, 1.0, farthest_refinement),
            quantile_row()};
}

}  // namespace assay::verify
