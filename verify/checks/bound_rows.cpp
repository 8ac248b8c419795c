#include <fmt/format.h>

#include "assay/rdp/concentrated.hpp"
#include "assay/rdp/epsilon_bracket.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/rdp_curve.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/settings.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

namespace assay::verify {

namespace {

using Truth = std::function<Interval(const Point&, long)>;

bool smaller_batch(const Point& point) {
    return point["B"] < point["D"];
}

Check row(std::string id, std::string claim, Relation relation, Space space, int quick, int full,
          std::function<Enclosure(const Point&)> evaluate, std::string oracle, Truth truth) {
    Check check =
        library_row(std::move(id), std::move(claim), relation, std::move(space), quick, full);
    check.oracle = std::move(oracle);
    check.evaluate = std::move(evaluate);
    check.truth = std::move(truth);
    return check;
}

/// A published formula against the exact quantity that it bounds.
Check formula_row(const char* quantity, const char* suffix, std::string claim, Relation relation,
                  Space space, int quick, int full, const char* exact, Method method) {
    return row(fmt::format("{}.{}", quantity, suffix), std::move(claim), relation, std::move(space),
               quick, full, library_subject(quantity), oracle_name(exact, method),
               oracle_truth(exact, method));
}

/// The same point with the noise multiplier under the name that the oracle has for it.
Truth with_noise_as(const char* name, const char* source, double factor, Truth truth) {
    return [=](const Point& point, long bits) {
        Point renamed = point;
        renamed.set(name, point[source] * factor);
        return truth(renamed, bits);
    };
}

Space taylor(Dimension order, double least_noise, double top_terms) {
    return {{std::move(order), noise_dimension("sigma", least_noise), terms_dimension(top_terms),
             probability_dimension()},
            {}};
}

Space line(Dimension order) {
    return {{std::move(order), noise_dimension(), probability_dimension()}, {}};
}

Space batches(Dimension order, double largest) {
    return {{std::move(order), noise_dimension("sigma", 0.3, 1000.0),
             count_dimension("B", 1, largest, {1, 2, 3, 30}),
             count_dimension("D", 2, 1e6, {2, 3, 4, 31, 50000})},
            smaller_batch};
}

std::vector<Check> theorem_rows() {
    constexpr const char* without = "exact.fixed_size_without_replacement";
    constexpr const char* with = "exact.fixed_size_with_replacement";
    const auto real = order_dimension(1.0 + 1e-5, 256.0);
    const auto integers = integer_order_dimension(128.0);
    Space three_six = batches(integer_order_dimension(6.0), 20);
    three_six.dimensions.push_back({"m", Scale::linear, 3, 8, true, {3, 4, 5}});
    three_six.dimensions.push_back({"K", Scale::logarithmic, 1, 20, true, {1, 2, 3}});
    three_six.admits = [](const Point& p) { return p["B"] < p["D"] && p["K"] <= p["B"]; };
    Space exact_h = three_six;
    std::erase_if(exact_h.dimensions, [](const Dimension& d) { return d.name == "m"; });
    const Space theorem_11{
        {order_dimension(1.01, 64.0),
         noise_dimension("s", 4.0, 100.0),
         {"q", Scale::logarithmic, 1e-6, 0.2, false, {0.001, 0.01, 0.1, 0.2}}},
        [](const Point& p) {
            // (4) and (5) of mironov2019, L = log(1 + 1/(q (alpha-1)))
            const double a = p["alpha"], s2 = p["s"] * p["s"], q = p["q"];
            const double l = std::log1p(1.0 / (q * (a - 1.0)));
            return a <= s2 * l / 2.0 - 2.0 * std::log(p["s"]) &&
                   a <= (s2 * l * l / 2.0 - std::log(5.0) - 2.0 * std::log(p["s"])) /
                            (l + std::log(q * a) + 1.0 / (2.0 * s2));
        }};
    const Space moments{
        {noise_dimension("sigma", 0.2, 1000.0), {"j", Scale::linear, 3, 41, true, {3, 5, 21}}},
        [](const Point& p) { return p.integer("j") % 2 == 1; }};
    std::vector<Check> rows;
    const auto add = [&](auto&&... arguments) { rows.push_back(formula_row(arguments...)); };
    add("birrell2024.thm_3_3", "bounds_exact", "birrell2024 Theorem 3.3 is an upper bound of H",
        Relation::at_least, taylor(real, 0.1, 24.0), 80, 1000, without, Method::trapezoid);
    add("birrell2024.thm_3_3", "bounds_sum",
        "birrell2024 Theorem 3.3 at integer orders, m > alpha too", Relation::at_least,
        taylor(integers, 0.05, 64.0), 80, 1000, without, Method::sum);
    add("birrell2024.thm_3_4", "bounds_exact",
        "birrell2024 Theorem 3.4 is an upper bound of the exact replace-one divergence H",
        Relation::at_least, taylor(real, 0.1, 24.0), 80, 1000, without, Method::trapezoid);
    add("birrell2024.thm_3_4", "bounds_sum", "birrell2024 Theorem 3.4 at integer orders",
        Relation::at_least, taylor(integers, 0.05, 64.0), 80, 1000, without, Method::sum);
    add("wang2019.upper", "bounds_exact", "wang2019 Theorem 9 is an upper bound of H",
        Relation::at_least, line(order_dimension(1.01, 256.0)), 60, 800, without,
        Method::trapezoid);
    add("wang2019.lower", "below_exact", "wang2019's lower bound (133) is below H",
        Relation::at_most, line(integers), 60, 800, without, Method::sum);
    add("profile.fixed_size_replace_one", "bounds_exact",
        "the profile bound is above H (docs/proofs.md, F)", Relation::at_least, line(real), 60, 800,
        without, Method::trapezoid);
    add("birrell2024.thm_3_6", "bounds_exact",
        "birrell2024 Theorem 3.6 is above the exact value with replacement", Relation::at_least,
        three_six, 40, 500, with, Method::sum);
    add("birrell2024.thm_3_6_capped", "bounds_exact", "the same with capped terms",
        Relation::at_least, three_six, 40, 500, with, Method::sum);
    add("birrell2024.thm_3_6_exact_h", "bounds_exact", "the same with the exact H",
        Relation::at_least, exact_h, 40, 500, with, Method::sum);
    add("birrell2024.eq_120", "below_exact", "birrell2024 (120) is below the exact value",
        Relation::at_most, batches(order_dimension(1.01, 128.0), 100), 40, 500, with,
        Method::trapezoid);
    add("mironov2019.thm_11", "bounds_exact",
        "mironov2019 Theorem 11 bounds the exact value where its conditions hold",
        Relation::at_least, theorem_11, 60, 800, "exact.poisson_add_remove", Method::trapezoid);
    add("mironov2019.fractional_series", "contains_integral",
        "mironov2019 Section 3.3's series equals the integral", Relation::encloses,
        Space{{order_dimension(1.01, 64.0), noise_dimension("s", 0.5, 20.0),
               probability_dimension(1e-4, 0.9)},
              {}},
        40, 500, "exact.poisson_add_remove", Method::trapezoid);
    rows.push_back(row("birrell2024.log_B_tilde.bounds_moment",
                       "B~_j of (47) is above the absolute moment E|X_c - 1|^j for odd j",
                       Relation::at_least, moments, 40, 500,
                       library_subject("birrell2024.log_B_tilde"),
                       oracle_name("exact.log_absolute_moment", Method::trapezoid),
                       oracle_truth("exact.log_absolute_moment", Method::trapezoid)));
    Space c_9 = taylor(real, 0.3, 3.0);
    rows.push_back(row("birrell2024.thm_c_9_as_printed.bounds_exact_at_3",
                       "birrell2024 Theorem C.9 is right at m = 3", Relation::at_least,
                       std::move(c_9), 60, 800, library_subject("birrell2024.thm_c_9_as_printed"),
                       oracle_name("exact.poisson_replace_one", Method::trapezoid),
                       oracle_truth("exact.poisson_replace_one", Method::trapezoid)));
    return rows;
}

struct OneStepSetting {
    const char* name;
    Mechanism (*mechanism)(const Point&);
    Adjacency adjacency;
    const char* exact;  // the oracle's quantity
    const char* noise;  // the oracle's name of the noise multiplier
    bool with_replacement = false;
};

Mechanism with_replacement(const Point& p) {
    return FixedSizeWithReplacementGaussian{.noise_multiplier = p["sigma"],
                                            .batch_size = p.integer("B"),
                                            .dataset_size = p.integer("D")};
}

const std::vector<OneStepSetting>& settings() {
    static const std::vector<OneStepSetting> all{
        {"poisson_add_remove", poisson_at, Adjacency::add_remove, "exact.poisson_add_remove", "s"},
        {"poisson_zero_out", poisson_at, Adjacency::zero_out, "exact.poisson_add_remove", "s"},
        {"poisson_replace_one", poisson_at, Adjacency::replace_one, "exact.poisson_replace_one",
         "sigma"},
        {"fixed_size_add_remove", fixed_size_at, Adjacency::add_remove,
         "exact.fixed_size_without_replacement", "sigma"},
        {"fixed_size_replace_one", fixed_size_at, Adjacency::replace_one,
         "exact.fixed_size_without_replacement", "sigma"},
        {"with_replacement_add_remove", with_replacement, Adjacency::add_remove,
         "exact.fixed_size_with_replacement", "sigma", true},
    };
    return all;
}

Space setting_space(const OneStepSetting& setting) {
    return setting.with_replacement ? batches(order_dimension(1.01, 128.0), 200)
                                    : line(order_dimension(1.001, 256.0));
}

/// What `assay rdp` and `assay epsilon` build on: both sides of one step and of many.
std::vector<Check> one_step_rows() {
    std::vector<Check> rows;
    for (const OneStepSetting& s : settings()) {
        const auto truth =
            with_noise_as(s.noise, "sigma", 1.0, oracle_truth(s.exact, Method::trapezoid));
        const std::string prefix = fmt::format("one_step.{}", s.name);
        const std::string oracle = oracle_name(s.exact, Method::trapezoid);
        const auto side = [s](auto pick) {
            return [s, pick](const Point& p) {
                const OneStep step = one_step_rdp(s.mechanism(p), s.adjacency, p["alpha"]);
                return pick(step);
            };
        };
        rows.push_back(row(prefix + ".upper", "the best upper bound of one step is sound",
                           Relation::at_least, setting_space(s), 20, 250,
                           side([](const OneStep& x) { return exactly(x.upper.value); }), oracle,
                           truth));
        rows.push_back(row(prefix + ".lower", "the attained side of one step is sound",
                           Relation::at_most, setting_space(s), 20, 250,
                           side([](const OneStep& x) { return exactly(x.lower.value); }), oracle,
                           truth));
        rows.push_back(row(prefix + ".published",
                           "the best published upper bound of one step is sound",
                           Relation::at_least, setting_space(s), 20, 250,
                           side([](const OneStep& x) { return exactly(x.published_upper.value); }),
                           oracle, truth));
        Space composed = setting_space(s);
        composed.dimensions.push_back(count_dimension("T", 1, 1e6, {1, 2, 1000, 104166}));
        for (const Direction direction : {Direction::lower, Direction::upper})
            rows.push_back(row(
                fmt::format("{}.repeated_{}", prefix, to_string(direction)),
                "a curve of T steps is T times one step, on its own side",
                direction == Direction::upper ? Relation::at_least : Relation::at_most, composed,
                15, 150,
                [s, direction](const Point& p) {
                    const double order = p["alpha"];
                    const RdpCurve curve =
                        repeated(exact_curve(s.mechanism(p), s.adjacency, direction, {&order, 1}),
                                 p.integer("T"));
                    return exactly(curve.epsilons.front());
                },
                "T times " + oracle,
                [truth](const Point& p, long bits) { return truth(p, bits) * p["T"]; }));
        Space concentrated = setting_space(s);
        rows.push_back(row(
            prefix + ".tcdp", "D_alpha <= rho alpha below omega = 1.5 alpha", Relation::at_least,
            std::move(concentrated), 10, 100,
            [s](const Point& p) {
                const Bound rho = tcdp_rho(s.mechanism(p), s.adjacency, 1.5 * p["alpha"]);
                return exactly(rho.value);
            },
            oracle + " / alpha",
            [truth](const Point& p, long bits) { return truth(p, bits) / p["alpha"]; }));
    }
    return rows;
}

/// (epsilon, delta): brackets against the exact hockey-stick divergence where it has a closed form.
std::vector<Check> bracket_rows() {
    std::vector<Check> rows;
    const Dimension delta{"delta", Scale::logarithmic, 1e-12, 0.5, false, {1e-10, 1e-5, 1e-3}};
    const Dimension steps = count_dimension("T", 1, 1e5, {1, 10, 1000});
    const Space gaussian{{noise_dimension("sigma", 0.3, 1000.0), steps, delta}, {}};
    const Space sampled{{noise_dimension("sigma", 0.05, 1000.0), probability_dimension(), delta},
                        {}};
    // delta(eps) increases with the shift numerator/sigma; the shift asked for is a double on the
    // side where the oracle is true of the exact shift as well: below it for an upper bound, else
    // above.
    const auto truth_at = [](const char* quantity, double numerator, bool upper) -> Truth {
        return [oracle = any_oracle(quantity), numerator, upper](const Point& p, long bits) {
            Point named = p;
            named.set("c", std::nextafter(numerator / p["sigma"], upper ? 0.0 : 1e300));
            return oracle(named, bits);
        };
    };
    const auto side = [](auto mechanism, Adjacency adjacency, bool upper) {
        return [=](const Point& p) {
            const Phase phase{mechanism(p), p.has("T") ? p.integer("T") : 1};
            const PrivacyBracket bracket = epsilon_bracket({&phase, 1}, adjacency, p["delta"]);
            return exactly(upper ? bracket.upper.value : bracket.lower.value);
        };
    };
    const auto plain = [](const Point& p) -> Mechanism {
        return Gaussian{.noise_multiplier = p["sigma"]};
    };
    for (const bool upper : {false, true}) {
        const Relation relation = upper ? Relation::at_least : Relation::at_most;
        const char* name = upper ? "upper" : "lower";
        rows.push_back(row(
            fmt::format("epsilon.gaussian.{}", name), "epsilon of T Gaussian steps is bracketed",
            relation, gaussian, 15, 150, side(plain, Adjacency::add_remove, upper),
            "closed form: gaussian.epsilon", truth_at("gaussian.epsilon", 1.0, upper)));
        rows.push_back(row(fmt::format("epsilon.poisson_one_step.{}", name),
                           "epsilon of one Poisson-sampled step is bracketed", relation, sampled,
                           15, 150, side(poisson_at, Adjacency::add_remove, upper),
                           "closed form: one_step.epsilon, shift 1/sigma",
                           truth_at("one_step.epsilon", 1.0, upper)));
        rows.push_back(row(fmt::format("epsilon.fixed_size_one_step.{}", name),
                           "epsilon of one fixed-size step under add/remove is bracketed", relation,
                           sampled, 15, 150, side(fixed_size_at, Adjacency::add_remove, upper),
                           "closed form: one_step.epsilon, shift 2/sigma",
                           truth_at("one_step.epsilon", 2.0, upper)));
    }
    return rows;
}

}  // namespace

std::vector<Check> bound_rows() {
    return joined({theorem_rows, one_step_rows, bracket_rows});
}

}  // namespace assay::verify
