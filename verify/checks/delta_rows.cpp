#include <fmt/format.h>

#include <cmath>

#include "assay/rdp/epsilon_bracket.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/published_hockey_stick.hpp"
#include "verify/rows.hpp"

// delta at a given epsilon, epsilon = 0 (total variation) included, where it has a closed form.

namespace assay::verify {

namespace {

struct Case {
    const char* name;
    Mechanism (*mechanism)(const Point&);
    double clip_norms;  // the shift is clip_norms/sigma
};

Mechanism plain_at(const Point& p) {
    return Gaussian{.noise_multiplier = p["sigma"]};
}

/// delta of the worse direction at a shift beside clip_norms/sigma, on the side on which the
/// statement is true of the exact shift as well: delta grows with it.
Interval exact_delta(const Point& p, double clip_norms, bool upper, long bits) {
    const double shift = std::nextafter(clip_norms / p["sigma"], upper ? 0.0 : 1e300);
    const Interval epsilon(p["eps"], bits + 64);
    if (!p.has("q")) return gaussian_delta(shift, p["T"], epsilon, bits);
    return max(one_step_delta_remove(shift, p["q"], epsilon, bits),
               one_step_delta_add(shift, p["q"], epsilon, bits));
}

}  // namespace

std::vector<Check> delta_rows() {
    std::vector<Check> rows;
    for (const Case& c :
         {Case{"gaussian", plain_at, 1.0}, Case{"poisson_one_step", poisson_at, 1.0},
          Case{"fixed_size_one_step", fixed_size_at, 2.0}}) {
        const bool sampled = c.mechanism != plain_at;
        Space space{{noise_dimension("sigma", 0.02, 1000.0), epsilon_dimension(40.0)}, {}};
        space.dimensions.push_back(sampled ? probability_dimension()
                                           : count_dimension("T", 1, 1e5, {1, 10, 1000}));
        for (const bool upper : {false, true}) {
            Check row = library_row(fmt::format("delta.{}.{}", c.name, upper ? "upper" : "lower"),
                                    "delta at a given epsilon is bracketed, from epsilon = 0 on",
                                    upper ? Relation::at_least : Relation::at_most, space, 15, 200);
            row.oracle = "closed form: hockey-stick divergence";
            row.evaluate = [c, upper](const Point& p) {
                const Phase phase{c.mechanism(p), p.has("T") ? p.integer("T") : 1};
                const PrivacyBracket bracket =
                    delta_bracket({&phase, 1}, Adjacency::add_remove, p["eps"]);
                return exactly(upper ? bracket.upper.value : bracket.lower.value);
            };
            row.truth = [c, upper](const Point& p, long bits) {
                return exact_delta(p, c.clip_norms, upper, bits);
            };
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace assay::verify
