#include <fmt/format.h>

#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/profile_bound.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The ends of the sampling probability: nothing is released at q = 0, and at q = 1 sampling is off.

namespace assay::verify {

namespace {

struct Sampler {
    const char* quantity;
    const char* noise;
    double shift;  // at q = 1: D_alpha = alpha (shift/noise)^2 / 2
    Enclosure (*evaluate)(double, double, double);
};

Check limit_row(const char* quantity, const char* suffix, std::string claim, const char* noise,
                double q) {
    Check row;
    row.id = fmt::format("{}.{}", quantity, suffix);
    row.claim = std::move(claim);
    row.subject = fmt::format("library: {}", quantity);
    row.relation = Relation::encloses;
    row.space = {{order_dimension(), noise_dimension(noise), linear_dimension("q", q, q, {q})}, {}};
    row.quick_points = 24;
    row.full_points = 200;
    return row;
}

}  // namespace

std::vector<Check> limit_rows() {
    std::vector<Check> rows;
    for (const Sampler& s :
         {Sampler{"exact.fixed_size_without_replacement", "sigma", 2.0,
                  fixed_size_without_replacement_rdp},
          Sampler{"exact.fixed_size_without_replacement_reverse", "sigma", 2.0,
                  fixed_size_without_replacement_addition_rdp},
          Sampler{"exact.poisson_add_remove", "s", 1.0, poisson_add_remove_rdp},
          Sampler{"exact.poisson_add_remove_reverse", "s", 1.0, poisson_addition_rdp},
          Sampler{"exact.poisson_replace_one", "sigma", 2.0, poisson_replace_one_rdp},
          Sampler{"profile.fixed_size_replace_one", "sigma", 0.0, profile_bound_rdp}}) {
        Check nothing = limit_row(s.quantity, "without_sampling_anything",
                                  "nothing is released at q = 0: exactly 0", s.noise, 0.0);
        nothing.oracle = "zero";
        nothing.evaluate = library_subject(s.quantity);
        nothing.truth = [](const Point&, long bits) { return Interval(0.0, bits); };
        nothing.widest = 0.0;
        rows.push_back(std::move(nothing));
        if (s.shift == 0.0) continue;
        Check all = limit_row(s.quantity, "with_everything_sampled",
                              "at q = 1 it is the Gaussian mechanism: alpha c^2/2", s.noise, 1.0);
        all.oracle = "closed form: alpha c^2/2";
        all.evaluate = [s](const Point& p) { return s.evaluate(p["alpha"], p[s.noise], p["q"]); };
        all.truth = [s](const Point& p, long bits) {
            return p["alpha"] / 2.0 * square(s.shift / Interval(p[s.noise], bits));
        };
        rows.push_back(std::move(all));
    }
    return rows;
}

}  // namespace assay::verify
