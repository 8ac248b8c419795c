#include <cmath>

#include "assay/rdp/concentrated.hpp"
#include "assay/rdp/one_step.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

namespace assay::verify {

namespace {

constexpr const char* without = "exact.fixed_size_without_replacement";
constexpr const char* with = "exact.fixed_size_with_replacement";
constexpr const char* poisson = "exact.poisson_add_remove";

Space line(const char* noise = "sigma", double top_order = 1e4) {
    return {{order_dimension(1.0 + 1e-6, top_order), noise_dimension(noise, 1e-8, 5000.0),
             probability_dimension()},
            {}};
}

Space batches(double top_order = 1e4) {
    return {{order_dimension(1.001, top_order), noise_dimension("sigma", 0.3, 1000.0),
             count_dimension("B", 1, 300, {1, 2, 3, 30, 120}),
             count_dimension("D", 2, 1e6, {2, 3, 31, 121, 50000})},
            [](const Point& p) { return p["B"] < p["D"]; }};
}

/// factor alpha / sigma^2.
Side cap(double factor, const char* noise = "sigma") {
    return [=](const Point& p) {
        return Interval(factor, distribution_bits) * p["alpha"] /
               square(Interval(p[noise], distribution_bits));
    };
}

/// The answer with the noise multiplier under another name, doubled or not.
Side renamed(const char* quantity, const char* to, const char* from, double factor) {
    return answer(quantity, [=](Point& p) { p.set(to, p[from] * factor); });
}

std::vector<Check> unsampled_caps() {
    const Side widest_batch = [](const Point& p) {
        return cap(2.0)(p) * square(Interval(p["B"], distribution_bits));
    };
    return {
        at_most_law("law.cap.poisson_add_remove", "D_alpha <= alpha/(2 s^2) (docs/proofs.md, A.5)",
                    line("s"), 60, 600, answer(poisson), cap(0.5, "s")),
        at_most_law("law.cap.poisson_replace_one", "D_alpha <= 2 alpha/sigma^2 (A.5)", line(), 60,
                    600, answer("exact.poisson_replace_one"), cap(2.0)),
        at_most_law("law.cap.fixed_size_without_replacement", "D_alpha <= 2 alpha/sigma^2 (A.5)",
                    line(), 60, 600, answer(without), cap(2.0)),
        at_most_law("law.cap.fixed_size_with_replacement", "D_alpha <= 2 alpha B^2/sigma^2 (A.5)",
                    batches(), 30, 400, answer(with), widest_batch),
    };
}

std::vector<Check> directions() {
    const char* claim = "removal is at least addition (mironov2019 Theorem 5)";
    return {
        at_most_law("law.removal_above_addition.poisson", claim, line("s"), 60, 600,
                    answer("exact.poisson_add_remove_reverse"), answer(poisson)),
        at_most_law("law.removal_above_addition.fixed_size_without_replacement", claim, line(), 60,
                    600, answer("exact.fixed_size_without_replacement_reverse"), answer(without)),
        at_most_law("law.removal_above_addition.fixed_size_with_replacement",
                    "removal is at least addition (docs/proofs.md, E.3)", batches(), 30, 400,
                    answer("exact.fixed_size_with_replacement_reverse"), answer(with)),
    };
}

std::vector<Check> coincidences() {
    Space single{{order_dimension(1.001, 1000.0),
                  noise_dimension("sigma", 0.3, 1000.0),
                  {"k", Scale::linear, 1, 30, true, {1, 2, 10, 30}}},
                 {}};
    const auto one_draw = [](Point& p) {
        p.set("B", 1.0);
        p.set("D", std::ldexp(1.0, static_cast<int>(p.integer("k"))));
    };
    const auto one_subset = [](Point& p) {
        p.set("q", std::ldexp(1.0, -static_cast<int>(p.integer("k"))));
    };
    std::vector<Check> rows{
        equality_law("law.scale.poisson_fixed_size",
                     "only the shift counts: noise s equals noise sigma = 2s at shift 2/sigma",
                     line("s"), 60, 600, answer(poisson), renamed(without, "sigma", "s", 2.0)),
        equality_law("law.scale.poisson_fixed_size_reverse", "the same for the addition direction",
                     line("s"), 60, 600, answer("exact.poisson_add_remove_reverse"),
                     renamed("exact.fixed_size_without_replacement_reverse", "sigma", "s", 2.0)),
        equality_law("law.with_replacement.one_draw",
                     "one draw of D = 2^k is a subset of one, q = 1/D", single, 40, 600,
                     answer(with, one_draw), answer(without, one_subset)),
        equality_law("law.with_replacement.one_draw_reverse", "the same for the addition direction",
                     single, 40, 600, answer("exact.fixed_size_with_replacement_reverse", one_draw),
                     answer("exact.fixed_size_without_replacement_reverse", one_subset)),
        at_most_law("law.replace_one_above_add_remove.poisson",
                    "replace-one is at least add/remove (docs/proofs.md, D)", line("s"), 60, 600,
                    answer(poisson), renamed("exact.poisson_replace_one", "sigma", "s", 1.0)),
        at_most_law("law.collinear.worst_pair",
                    "the pair x = 1, y = 0 is the fixed-size worst pair (Theorem 1)",
                    line("sigma", 256.0), 60, 1000,
                    answer("exact.replace_one_collinear",
                           [](Point& p) {
                               p.set("x", 1.0);
                               p.set("y", 0.0);
                           }),
                    answer(without)),
        equality_law("law.collinear.antiparallel",
                     "x = 1/2, y = -1/2 is the Poisson replace-one pair (Theorem 3)",
                     line("sigma", 256.0), 60, 1000,
                     answer("exact.replace_one_collinear",
                            [](Point& p) {
                                p.set("x", 0.5);
                                p.set("y", -0.5);
                            }),
                     answer("exact.poisson_replace_one")),
    };
    return rows;
}

}  // namespace

std::vector<Check> sampler_laws() {
    return joined({unsampled_caps, directions, coincidences});
}

}  // namespace assay::verify
