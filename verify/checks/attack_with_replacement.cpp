#include <fmt/format.h>

#include <cmath>

#include "verify/checks/attack_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

using lemma::real;

constexpr int most_draws = 6;

/// Steps of a path of shifts: step k has length l<k> (in units of 2/sigma) and angle t<k>.
Space paths(bool in_plane) {
    Space space{{order_dimension(1.01, 32.0),
                 noise_dimension("sigma", 1.0, 100.0),
                 {"B", Scale::linear, 1, most_draws, true, {1, 2, 3, 6}},
                 count_dimension("D", 2, 1e4, {2, 3, 10, 1000}),
                 {"reverse", Scale::linear, 0.0, 1.0, true, {0.0, 1.0}}},
                [](const Point& p) {
                    const double reach = 2.0 * p["B"] * p["alpha"] / p["sigma"];
                    const double mean = p["B"] / p["D"] / p["sigma"];
                    return p["B"] < p["D"] && reach <= 24.0 &&
                           p["alpha"] * (p["alpha"] - 1.0) * mean * mean >= 1e-10;
                }};
    for (int k = 1; k <= most_draws; ++k) {
        space.dimensions.push_back({fmt::format("l{}", k),
                                    Scale::linear,
                                    in_plane ? 0.0 : -1.0,
                                    1.0,
                                    false,
                                    {in_plane ? 0.0 : -1.0, 1.0}});
        if (in_plane) space.dimensions.push_back(angle(fmt::format("t{}", k).c_str()));
    }
    return space;
}

/// sum_k Bin(k; B, 1/D) N_{mu_k} against N_0, or the other order.
lemma::MomentAttack path_attack(const Point& p, bool in_plane) {
    const real length = 2.0L / static_cast<real>(p["sigma"]) * (1.0L - 0x1p-50L);
    const real hit = 1.0L / static_cast<real>(p["D"]);
    const long draws = p.integer("B");
    lemma::Mixture mixture;
    real x = 0;
    real y = 0;
    real weight = std::pow(1.0L - hit, static_cast<real>(draws));
    for (long k = 1; k <= draws; ++k) {
        const real step = length * p[fmt::format("l{}", k)];
        const real turn = in_plane ? static_cast<real>(p[fmt::format("t{}", k)]) : 0.0L;
        x += step * std::cos(turn);
        y += in_plane ? step * std::sin(turn) : 0.0L;
        weight *= static_cast<real>(draws - k + 1) / static_cast<real>(k) * hit / (1.0L - hit);
        mixture.push_back({weight, x, y});
    }
    lemma::MomentAttack attack{p["alpha"], mixture, {}};
    if (p.integer("reverse") == 1) std::swap(attack.p, attack.q);
    return attack;
}

Attained path(bool in_plane) {
    return pair_divergence([=](const Point& p) { return path_attack(p, in_plane); });
}

ClaimedValue capped_theorem_3_6() {
    return [](const Point& p) {
        Point named = p;
        named.set("m", 4.0);
        named.set("K", std::fmin(2.0, p["B"]));
        return library_answer(std::string_view("birrell2024.thm_3_6_capped"), named);
    };
}

ClaimedValue cap() {
    return [](const Point& p) {
        const Interval value =
            Interval(2.0, 64) * p["alpha"] * square(Interval(p["B"], 64) / p["sigma"]);
        return Enclosure{value.lower_double(), value.upper_double()};
    };
}

}  // namespace

std::vector<Check> with_replacement_attacks() {
    constexpr const char* exact = "exact.fixed_size_with_replacement";
    const char* claim =
        "shifts with steps of at most 2/sigma: the straight path is the worst, both orders "
        "(docs/proofs.md, Theorem 4)";
    Space integers = paths(true);
    integers.dimensions.front() = integer_order_dimension(16.0);
    return {
        attack_row("attack.theorem_4.plane", claim, "library: exact.fixed_size_with_replacement",
                   "explicit path in the plane", paths(true), 120, 4000, library_subject(exact),
                   path(true)),
        attack_row("attack.theorem_4.line", claim, "library: exact.fixed_size_with_replacement",
                   "explicit path on a line", paths(false), 160, 6000, library_subject(exact),
                   path(false)),
        attack_row("attack.thm_3_6_capped.plane",
                   "birrell2024 Theorem 3.6 with capped terms withstands explicit paths",
                   "library: birrell2024.thm_3_6_capped, m = 4, K = 2",
                   "explicit path in the plane", integers, 40, 1200, capped_theorem_3_6(),
                   path(true)),
        attack_row("attack.cap.with_replacement",
                   "D_alpha <= 2 alpha B^2/sigma^2 (docs/proofs.md, A.5)",
                   "closed form: 2 alpha B^2/sigma^2", "explicit path on a line", paths(false), 80,
                   800, cap(), path(false)),
    };
}

}  // namespace assay::verify
