#include <fmt/format.h>

#include <cmath>

#include "verify/checks/law_parts.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

/// A divergence of one step, and where it is tried.
struct Divergence {
    const char* quantity;
    const char* noise = "sigma";
    bool batches = false;  // sampling by B and D instead of q
};

constexpr Divergence divergences[] = {
    {"exact.fixed_size_without_replacement"},
    {"exact.fixed_size_without_replacement_reverse"},
    {"exact.fixed_size_with_replacement", "sigma", true},
    {"exact.fixed_size_with_replacement_reverse", "sigma", true},
    {"exact.poisson_add_remove", "s"},
    {"exact.poisson_add_remove_reverse", "s"},
    {"exact.poisson_replace_one"},
    {"profile.fixed_size_replace_one"},
};

Space space_of(const Divergence& d) {
    if (!d.batches)
        return {{order_dimension(1.0 + 1e-6, 5000.0), noise_dimension(d.noise, 1e-8, 5000.0),
                 probability_dimension(), step_dimension()},
                {}};
    return {{order_dimension(1.001, 256.0), noise_dimension(d.noise, 0.3, 1000.0),
             count_dimension("B", 1, 300, {1, 2, 3, 30, 120}),
             count_dimension("D", 2, 1e6, {2, 3, 31, 121, 50000}), step_dimension()},
            [](const Point& p) { return p["B"] < p["D"]; }};
}

std::string row_id(const Divergence& d, const char* what) {
    return fmt::format("law.{}.{}", d.quantity, what);
}

Interval at_order(const Divergence& d, const Point& point, double order) {
    return answer(d.quantity, [&](Point& p) { p.set("alpha", order); })(point);
}

/// (alpha-1) D_alpha.
Interval log_moment(const Divergence& d, const Point& point, double order) {
    return (Interval(order, distribution_bits) - 1.0) * at_order(d, point, order);
}

Check convexity(const Divergence& d, int quick, int full) {
    // The middle order lies between the others by construction; its place on the chord is exact.
    const auto last = [](const Point& p) { return larger_order(p); };
    const auto middle = [last](const Point& p) { return 0.5 * (p["alpha"] + last(p)); };
    return at_most_law(
        row_id(d, "convex_in_alpha"), "(alpha-1) D_alpha is convex in alpha (Hoelder)", space_of(d),
        quick, full, [=](const Point& p) { return log_moment(d, p, middle(p)); },
        [=](const Point& p) {
            const Interval a(p["alpha"], distribution_bits);
            const Interval m(middle(p), distribution_bits);
            const Interval b(last(p), distribution_bits);
            if (!certainly_below(a, b)) return log_moment(d, p, middle(p));
            return ((b - m) * log_moment(d, p, p["alpha"]) + (m - a) * log_moment(d, p, last(p))) /
                   (b - a);
        });
}

}  // namespace

std::vector<Check> divergence_laws() {
    std::vector<Check> rows;
    for (const Divergence& d : divergences) {
        const int quick = d.batches ? 30 : 60;
        const int full = d.batches ? 200 : 500;
        rows.push_back(
            at_most_law(row_id(d, "grows_with_alpha"), "D_alpha is nondecreasing in alpha",
                        space_of(d), quick, full, answer(d.quantity),
                        answer(d.quantity, [](Point& p) { p.set("alpha", larger_order(p)); })));
        rows.push_back(at_most_law(
            row_id(d, "falls_with_noise"), "more noise, less divergence (docs/proofs.md, C.1 (1))",
            space_of(d), quick, full,
            answer(d.quantity, [d](Point& p) { p.set(d.noise, larger(p, d.noise)); }),
            answer(d.quantity)));
        rows.push_back(convexity(d, quick, full));
        if (!d.batches) {
            rows.push_back(at_most_law(
                row_id(d, "grows_with_q"), "more sampling, more divergence (docs/proofs.md, A.6)",
                space_of(d), quick, full, answer(d.quantity),
                answer(d.quantity, [](Point& p) { p.set("q", larger_probability(p)); })));
            continue;
        }
        rows.push_back(at_most_law(
            row_id(d, "falls_with_size"), "a larger data set, less divergence (E.4)", space_of(d),
            quick, full,
            answer(d.quantity, [](Point& p) { p.set("D", std::ceil(larger(p, "D") + 0.5)); }),
            answer(d.quantity)));
        rows.push_back(at_most_law(
            row_id(d, "grows_with_batch"), "a larger batch, more divergence (E.4)", space_of(d),
            quick, full, answer(d.quantity), answer(d.quantity, [](Point& p) {
                p.set("B", std::fmin(p["D"] - 1.0, std::ceil(larger(p, "B") + 0.5)));
            })));
    }
    return rows;
}

}  // namespace assay::verify
