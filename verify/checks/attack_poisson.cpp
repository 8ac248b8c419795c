#include "assay/rdp/one_step.hpp"
#include "verify/checks/attack_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

Attained plane() {
    return pair_divergence([](const Point& p) { return attack_of(p, poisson_in_plane(p)); });
}

/// A record at x in [-1, 1] times the clip norm against none, in both orders.
Attained one_record() {
    return pair_divergence([](const Point& p) {
        const lemma::real shift =
            static_cast<lemma::real>(p["x"]) / static_cast<lemma::real>(p["sigma"]);
        lemma::MomentAttack attack{p["alpha"], lemma::shifted(p["q"], shift, 0), {}};
        if (p.integer("reverse") == 1) std::swap(attack.p, attack.q);
        return attack;
    });
}

ClaimedValue add_remove() {
    return [](const Point& p) {
        Point named = p;
        named.set("s", p["sigma"]);
        return library_answer(std::string_view("exact.poisson_add_remove"), named);
    };
}

ClaimedValue published() {
    return [](const Point& p) {
        const SampledGaussian mechanism{p["sigma"], p["q"]};
        return exactly(
            one_step_rdp(mechanism, Adjacency::replace_one, p["alpha"]).published_upper.value);
    };
}

ClaimedValue repaired() {
    return [](const Point& p) {
        Point named = p;
        named.set("m", 5.0);
        return library_answer(std::string_view("birrell2024.thm_c_9_repaired"), named);
    };
}

}  // namespace

std::vector<Check> poisson_attacks() {
    const Space space = space_of(attack_dimensions(), poisson_points(), affordable);
    const Space line = space_of(attack_dimensions(),
                                {linear_dimension("x", -1.0, 1.0, {-1.0, 0.5, 1.0}),
                                 {"reverse", Scale::linear, 0.0, 1.0, true, {0.0, 1.0}}},
                                affordable);
    const char* example = "explicit pair of clipped vectors in the plane";
    return {
        attack_row(
            "attack.theorem_3.plane",
            "two clipped vectors: antiparallel ones are the worst (docs/proofs.md, Theorem 3)",
            "library: exact.poisson_replace_one", example, space, 160, 6000,
            library_subject("exact.poisson_replace_one"), plane()),
        attack_row("attack.poisson_add_remove.line",
                   "one clipped vector, either order (mironov2019 Theorems 4, 5)",
                   "library: exact.poisson_add_remove", "explicit pair on a line", line, 160, 6000,
                   add_remove(), one_record()),
        attack_row("attack.one_step.poisson_published",
                   "the best published bound of a replace-one step withstands clipped vectors",
                   "library: one_step_rdp, published_upper", example, space, 40, 1200, published(),
                   plane()),
        attack_row("attack.thm_c_9_repaired.plane",
                   "Theorem C.9 as repaired withstands clipped vectors (docs/proofs.md, G)",
                   "library: birrell2024.thm_c_9_repaired, m = 5", example, space, 40, 1200,
                   repaired(), plane()),
    };
}

}  // namespace assay::verify
