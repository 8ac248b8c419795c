#include <fmt/format.h>

#include <array>
#include <cmath>

#include "assay/rdp/truncated_lower_bound.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/published_truncated_sum.hpp"
#include "verify/rows.hpp"

// Bounds with replacement, at batches and shifts at which no oracle could form their sums: the
// batch of one record alone forces D_alpha >= 2 alpha B^2/sigma^2 - alpha B log(D)/(alpha-1).

namespace assay::verify {

namespace {

Interval all_draws_alike(const Point& p, long bits) {
    const Interval a(p["alpha"], bits + 64);
    const Interval draws(p["B"], bits + 64);
    const Interval shift = draws * 2.0 / Interval(p["sigma"], bits + 64);
    return a * square(shift) / 2.0 - a * draws * log(Interval(p["D"], bits + 64)) / (a - 1.0);
}

Check forced_row(const char* quantity, double largest_batch, bool taylor, int quick, int full) {
    Space space{{order_dimension(1.01, 600.0),
                 noise_dimension("sigma", 1e-8, 10.0),
                 count_dimension("B", 1, largest_batch, {1, 2, 5, 60, 60000}),
                 count_dimension("D", 2, 1e6, {2, 10, 61, 100000}),
                 {"K", Scale::logarithmic, 1, largest_batch, true, {1, 2, 5, 60, 60000}}},
                [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; }};
    space.dimensions[1].corners = {1e-8, 7e-6, 1e-3, 0.05, 1.0};
    if (taylor) space.dimensions.push_back({"m", Scale::linear, 3, 8, true, {3, 4, 5}});
    Check row = library_row(fmt::format("{}.above_all_draws_alike", quantity),
                            "the bound is above what the batch of one record alone forces "
                            "(Proposition 7)",
                            Relation::at_least, std::move(space), quick, full);
    row.oracle = "closed form of one component";
    row.evaluate = library_subject(quantity);
    row.truth = all_draws_alike;
    return row;
}

/// birrell2024's lower bound from batches with no copy of the record or K of them.
Check truncated_row() {
    Check row =
        library_row("birrell2024.thm_3_7_truncated.encloses_formula",
                    "birrell2024's sum over fewer index sets is enclosed", Relation::encloses,
                    {{{"alpha", Scale::linear, 2, 8, true, {2, 3, 4}},
                      noise_dimension("sigma", 0.5, 100.0),
                      count_dimension("B", 2, 12, {2, 3, 8}),
                      count_dimension("D", 3, 1e5, {4, 13, 1000}),
                      count_dimension("K", 1, 12, {1, 2, 3})},
                     [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; }},
                    60, 800);
    row.oracle = "formula: recursion (124)-(125)";
    row.evaluate = [](const Point& p) {
        return theorem_3_7_truncated_rdp(static_cast<int>(p.integer("alpha")), p["sigma"],
                                         p.integer("B"), p.integer("D"), {0, p.integer("K")});
    };
    row.truth = [](const Point& p, long bits) {
        const std::array<long, 2> chosen{0, p.integer("K")};
        return truncated_lower_bound(p.integer("alpha"), p["sigma"], p.integer("B"), p.integer("D"),
                                     chosen, bits);
    };
    return row;
}

}  // namespace

std::vector<Check> with_replacement_rows() {
    return {forced_row("birrell2024.thm_3_6_capped", 60000, true, 40, 800),
            forced_row("birrell2024.thm_3_6", 60000, true, 40, 800),
            forced_row("birrell2024.thm_3_6_exact_h", 20, false, 12, 100),
            forced_row("exact.fixed_size_with_replacement", 2000, false, 40, 800), truncated_row()};
}

}  // namespace assay::verify
