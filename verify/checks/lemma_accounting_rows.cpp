#include <cmath>

#include "verify/checks/attack_parts.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/lemma_tilting.hpp"
#include "verify/oracles/published_hockey_stick.hpp"
#include "verify/rows.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

constexpr long working = 128;

/// Prop. 6 says that delta(eps) is at least the subject.
Check lower_bound_row(std::string id, std::string claim, Space space, ClaimedValue bound,
                      Attained delta) {
    Check row = lemma_row(std::move(id), std::move(claim), "Proposition 6, its formula",
                          "exact delta", Relation::at_most, std::move(space), 40, 1200,
                          std::move(bound), std::move(delta));
    row.searched = true;
    return row;
}

std::vector<Check> proposition_6() {
    const Space response{{positive_dimension("e0", 0.02, 2.0, {0.1, 1.0}),
                          count_dimension("T", 1, 200, {1, 2, 10, 100}),
                          linear_dimension("tilt", 0.0, 12.0, {0.0, 1.0, 5.0}),
                          linear_dimension("eps", -1.0, 12.0, {0.0, 1.0, 4.0})},
                         [](const Point& p) { return p["eps"] < p["T"] * p["e0"]; }};
    const Space gaussian{{positive_dimension("c", 0.003, 2.0, {0.01, 0.1, 1.0}),
                          count_dimension("T", 1, 1e5, {1, 10, 1000}),
                          linear_dimension("tilt", 0.0, 20.0, {0.0, 1.0, 5.0}),
                          linear_dimension("eps", -1.0, 20.0, {0.0, 1.0, 8.0})},
                         [](const Point& p) { return p["c"] * std::sqrt(p["T"]) < 8.0; }};
    Space event = gaussian;
    event.dimensions[2] = linear_dimension("z", -1.0, 8.0, {0.0, 2.0, 4.0});
    const auto response_sum = [](const Point& p) {
        return lemma::randomised_response(p["e0"], p.integer("T"), p["tilt"], working);
    };
    const auto gaussian_sum = [](const Point& p) {
        return lemma::gaussian_steps(p["c"], p.integer("T"), p["tilt"], working);
    };
    const Attained response_delta = [](const Point& p, long bits) {
        return lemma::randomised_response_delta(p["e0"], p.integer("T"), p["eps"], bits + 64);
    };
    const Attained gaussian_delta_at = [](const Point& p, long bits) {
        return gaussian_delta(p["c"], p["T"], Interval(p["eps"], bits + 64), bits);
    };
    constexpr int windows = 8;
    return {
        lower_bound_row(
            "attack.lemma.tilting_response",
            "Proposition 6 (b) is below delta of randomised response", response,
            [=](const Point& p) {
                return enclosure_of(closed_form_bound(response_sum(p), p["eps"]));
            },
            response_delta),
        lower_bound_row(
            "attack.lemma.windows_response",
            "Proposition 6 (c) is below delta of randomised response", response,
            [=](const Point& p) {
                return enclosure_of(window_bound(response_sum(p), p["eps"], windows));
            },
            response_delta),
        lower_bound_row(
            "attack.lemma.tilting_gaussian", "Proposition 6 (b) is below delta of T Gaussian steps",
            gaussian,
            [=](const Point& p) {
                return enclosure_of(closed_form_bound(gaussian_sum(p), p["eps"]));
            },
            gaussian_delta_at),
        lower_bound_row(
            "attack.lemma.event_gaussian", "Proposition 6 (d) is below delta of T Gaussian steps",
            event,
            [](const Point& p) {
                return enclosure_of(
                    lemma::event_bound(p["c"], p.integer("T"), p["eps"], p["z"], working));
            },
            gaussian_delta_at),
    };
}

/// The divergence alpha c^2/2 of a Gaussian step, rounded up to a parameter.
Point with_divergence(Point p) {
    const Interval rdp = Interval(p["alpha"], working) * square(Interval(p["c"], working)) / 2.0;
    p.set("rdp", rdp.upper_double());
    return p;
}

ClaimedValue converted(const char* quantity) {
    return [=](const Point& p) {
        return library_answer(std::string_view(quantity), with_divergence(p));
    };
}

std::vector<Check> conversions() {
    const std::vector<Dimension> both{order_dimension(1.001, 500.0),
                                      positive_dimension("c", 1e-3, 6.0, {0.01, 0.5, 1.0, 6.0})};
    const Space at_epsilon = space_of(both, {linear_dimension("eps", 0.0, 20.0, {0.0, 1.0})}, {});
    const Space at_delta =
        space_of(both, {positive_dimension("delta", 1e-12, 0.9, {1e-10, 1e-5, 0.1})}, {});
    const auto delta = [](const Point& p, long bits) {
        return gaussian_delta(p["c"], 1.0, Interval(p["eps"], bits + 64), bits);
    };
    const auto epsilon = [oracle = any_oracle("gaussian.epsilon")](const Point& p, long bits) {
        Point named = p;
        named.set("T", 1.0);
        return oracle(named, bits);
    };
    std::vector<Check> rows{
        attack_row("attack.lemma.guarded_delta",
                   "J.2 and J.3 at alpha c^2/2 are above the Gaussian's delta (docs/proofs.md, J)",
                   "library: convert.canonne2020_delta", "exact Gaussian", at_epsilon, 120, 4000,
                   converted("convert.canonne2020_delta"), delta),
        attack_row("attack.lemma.guarded_epsilon",
                   "canonne2020's conversion is above the Gaussian's epsilon (J.2, J.4)",
                   "library: convert.canonne2020", "exact Gaussian", at_delta, 14, 400,
                   converted("convert.canonne2020"), epsilon),
        attack_row("attack.lemma.mironov2017_epsilon",
                   "mironov2017's conversion is above the Gaussian's epsilon (J.1)",
                   "library: convert.mironov2017_prop_3", "exact Gaussian", at_delta, 14, 400,
                   converted("convert.mironov2017_prop_3"), epsilon),
    };
    for (std::size_t i : {1, 2}) rows[i].searched = false;  // 20 ms a point
    return rows;
}

/// alpha shift^2/2 + alpha log(weight)/(alpha-1): what one component of that weight forces.
Enclosure component(const Point& p, const Interval& shift, const Interval& log_weight) {
    const Interval a(p["alpha"], working);
    return enclosure_of(a * square(shift) / 2.0 + a * log_weight / (a - 1.0));
}

Check forced_row(std::string id, std::string claim, const char* quantity, Space space,
                 ClaimedValue bound) {
    return lemma_row(std::move(id), std::move(claim), "closed form of one component",
                     oracle_name(quantity, Method::trapezoid), Relation::at_most, std::move(space),
                     20, 500, std::move(bound), oracle_truth(quantity, Method::trapezoid));
}

std::vector<Check> proposition_7() {
    const auto line = [](const char* noise) {
        return Space{{order_dimension(1.01, 1e4), noise_dimension(noise, 0.1, 100.0),
                      probability_dimension(1e-6, 0.999)},
                     {}};
    };
    const Space batches{
        {order_dimension(1.01, 256.0), noise_dimension("sigma", 0.5, 100.0),
         count_dimension("B", 1, 50, {1, 2, 30}), count_dimension("D", 2, 1e5, {2, 31, 50000})},
        [](const Point& p) { return p["B"] < p["D"]; }};
    const auto with_q = [](const char* noise, double clip_norms) {
        return [=](const Point& p) {
            return component(p, Interval(clip_norms, working) / p[noise],
                             log(Interval(p["q"], working)));
        };
    };
    const char* replace_one = "exact.poisson_replace_one";
    return {
        forced_row("attack.lemma.proposition_7_poisson",
                   "D_alpha >= alpha/(2 s^2) + alpha log(q)/(alpha-1) (Proposition 7)",
                   "exact.poisson_add_remove", line("s"), with_q("s", 1.0)),
        forced_row("attack.lemma.proposition_7_fixed_size",
                   "D_alpha >= 2 alpha/sigma^2 + alpha log(q)/(alpha-1) (Proposition 7)",
                   "exact.fixed_size_without_replacement", line("sigma"), with_q("sigma", 2.0)),
        forced_row("attack.lemma.proposition_7_with_replacement",
                   "D_alpha >= 2 alpha B^2/sigma^2 - alpha B log(D)/(alpha-1) (Proposition 7)",
                   "exact.fixed_size_with_replacement", batches,
                   [](const Point& p) {
                       const Interval draws(p["B"], working);
                       return component(p, draws * 2.0 / p["sigma"],
                                        -(draws * log(Interval(p["D"], working))));
                   }),
        forced_row("attack.lemma.proposition_7_replace_one_below",
                   "Poisson, replace-one: D_alpha >= alpha/(2 sigma^2) + (alpha log q - "
                   "log 2)/(alpha-1) (J.5)",
                   replace_one, line("sigma"),
                   [](const Point& p) {
                       const Interval a(p["alpha"], working);
                       const Interval log_weight =
                           log(Interval(p["q"], working)) - log(Interval(2.0, working)) / a;
                       return component(p, 1.0 / Interval(p["sigma"], working), log_weight);
                   }),
        lemma_row(
            "attack.lemma.proposition_7_replace_one_above",
            "Poisson, replace-one: D_alpha <= -log(1-q) + alpha/(2 sigma^2) (J.5)", "closed form",
            oracle_name(replace_one, Method::trapezoid), Relation::at_least, line("sigma"), 14, 400,
            [](const Point& p) {
                const Interval noise(p["sigma"], working);
                return enclosure_of(Interval(p["alpha"], working) / square(noise) / 2.0 -
                                    log1p(-Interval(p["q"], working)));
            },
            oracle_truth(replace_one, Method::trapezoid)),
    };
}

}  // namespace

std::vector<Check> accounting_lemmas() {
    return joined({proposition_6, conversions, proposition_7});
}

}  // namespace assay::verify
