#include <fmt/format.h>

#include <cmath>

#include "assay/account/calibrate.hpp"
#include "assay/epochs/epoch_composition.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// One epoch of balls-and-bins (chua2025): its hockey-stick divergences, moments and lower bounds.

namespace assay::verify {

namespace {

constexpr LossDirection directions[] = {LossDirection::removal, LossDirection::addition};

const char* name_of(LossDirection direction) {
    return direction == LossDirection::removal ? "remove" : "add";
}

std::string quantity_of(LossDirection direction) {
    return fmt::format("balls_and_bins.delta_{}", name_of(direction));
}

Dimension steps(double low, double high) {
    return count_dimension("T", low, high, {1, 2, 3, 10, 100, 1000, 5000});
}

/// Where delta is not much smaller than 1e-15.
bool worth_asking(const Point& p) {
    const double noise = p["sigma"];
    return p["eps"] <= 0.5 / (noise * noise) + 7.0 / noise;
}

Space epochs(double least, double most, double low_noise, double high_noise,
             double top_epsilon = 30.0) {
    return {{steps(least, most), noise_dimension("sigma", low_noise, high_noise),
             epsilon_dimension(top_epsilon)},
            worth_asking};
}

Space with_step(Space space) {
    space.dimensions.push_back(step_dimension());
    return space;
}

BallsAndBins epoch_at(const Point& p) {
    return {p["sigma"], p.integer("T")};
}

// ---- against quadrature --------------------------------------------------------------------

/// From here on the quantities of `assay eval` are refined.
constexpr double narrow_from = 1e-11;

Check quadrature_row(LossDirection direction, Method method, const char* region, Space space,
                     int quick, int full, double widest) {
    Check row = library_row(
        fmt::format("{}.encloses_{}_{}", quantity_of(direction), to_string(method), region),
        fmt::format("the bracket of an epoch contains the divergence of the dominating pair{}",
                    widest < 1.0 ? fmt::format(", and where that is at least {:g} it is no wider "
                                               "than {:g} of it",
                                               narrow_from, widest)
                                 : ""),
        Relation::encloses, std::move(space), quick, full);
    row.oracle = oracle_name(quantity_of(direction), method);
    row.evaluate = library_subject(quantity_of(direction));
    row.truth = oracle_truth(quantity_of(direction), method);
    row.widest = widest;
    row.narrow_from = narrow_from;
    return row;
}

std::vector<Check> quadrature_rows() {
    constexpr double any = std::numeric_limits<double>::infinity();
    std::vector<Check> rows;
    for (const LossDirection direction : directions) {
        const auto add = [&](Method method, const char* region, Space space, int quick, int full,
                             double widest) {
            rows.push_back(
                quadrature_row(direction, method, region, std::move(space), quick, full, widest));
        };
        constexpr Method trapezoid = Method::trapezoid;
        constexpr Method arb = Method::arb;
        add(trapezoid, "one_batch", epochs(1, 1, 0.05, 100.0, 300.0), 40, 600, any);
        add(trapezoid, "two_batches", epochs(2, 2, 0.1, 20.0, 60.0), 15, 150, any);
        add(trapezoid, "two_batches_ordinary", epochs(2, 2, 0.3, 2.0, 3.0), 10, 100, 1e-2);
        add(trapezoid, "three_batches", epochs(3, 3, 0.7, 2.0, 3.0), 1, 8, any);
        add(arb, "one_batch", epochs(1, 1, 0.2, 10.0, 10.0), 20, 300, 1e-2);
        add(arb, "two_batches", epochs(2, 2, 0.3, 2.0, 3.0), 15, 150, 1e-2);
        add(arb, "three_batches", epochs(3, 3, 0.4, 2.0, 3.0), 1, 12, 1e-2);
    }
    return rows;
}

// ---- distributions
// ----------------------------------------------------------------------------------

/// One direction from a grid that costs milliseconds.
Enclosure coarse(const BallsAndBins& mechanism, LossDirection direction, double epsilon,
                 Resolution resolution) {
    return ConvexOrderBracket(mechanism, direction, epsilon, resolution).delta(epsilon);
}

Side coarse_side(
    LossDirection direction, std::function<void(Point&)> change = [](Point&) {}) {
    return [=](const Point& point) {
        Point p = point;
        change(p);
        const BallsAndBins mechanism = epoch_at(p);
        return interval_of(coarse(mechanism, direction, p["eps"], coarse_resolution(mechanism)));
    };
}

Side on_grid(LossDirection direction, SumGrid grid, double step) {
    return [=](const Point& p) {
        return interval_of(coarse(epoch_at(p), direction, p["eps"], {grid, step}));
    };
}

Side composed(LossDirection direction, std::int64_t count) {
    return [=](const Point& p) {
        const BallsAndBins mechanism = epoch_at(p);
        return interval_of(
            EpochComposition(mechanism, direction, count, coarse_resolution(mechanism))
                .delta(p["eps"]));
    };
}

std::vector<Check> monotone_laws(LossDirection direction) {
    const auto id = [&](const char* what) {
        return fmt::format("law.{}.{}", quantity_of(direction), what);
    };
    const Space space = with_step(epochs(1, 5000, 0.15, 10.0));
    std::vector<Check> rows;
    rows.push_back(at_most_law(
        id("falls_with_eps"), "a larger epsilon, a smaller delta", space, 20, 300,
        coarse_side(direction, [](Point& p) { p.set("eps", p["eps"] * (1.0 + p["step"])); }),
        coarse_side(direction)));
    rows.push_back(at_most_law(
        id("falls_with_noise"), "more noise, less delta (post-processing)", space, 20, 300,
        coarse_side(direction, [](Point& p) { p.set("sigma", larger(p, "sigma")); }),
        coarse_side(direction)));
    rows.push_back(at_most_law(
        id("falls_with_steps"), "a mean of more summands is smaller in convex order", space, 20,
        300, coarse_side(direction, [](Point& p) { p.set("T", std::ceil(larger(p, "T") + 0.5)); }),
        coarse_side(direction)));
    rows.push_back(at_most_law(id("at_most_deterministic"),
                               "delta of deterministic batches is larger (chua2025)",
                               epochs(1, 5000, 0.15, 10.0), 20, 300, coarse_side(direction),
                               answer("exact.deterministic_delta")));
    return rows;
}

std::vector<Check> grid_laws(LossDirection direction) {
    const auto id = [&](const char* what) {
        return fmt::format("law.{}.{}", quantity_of(direction), what);
    };
    std::vector<Check> rows;
    rows.push_back(equality_law(
        id("coarse_and_fine"), "two steps of one grid meet", epochs(1, 500, 0.2, 5.0), 15, 200,
        on_grid(direction, SumGrid::geometric, 0.2), on_grid(direction, SumGrid::geometric, 0.03)));
    rows.push_back(equality_law(id("both_grids"), "the geometric and the centred grid meet",
                                epochs(1, 500, 0.3, 5.0), 15, 200,
                                on_grid(direction, SumGrid::geometric, 0.05),
                                on_grid(direction, SumGrid::centred, 0.05)));
    return rows;
}

std::vector<Check> epoch_distributions(LossDirection direction) {
    const auto id = [&](const char* what) {
        return fmt::format("law.balls_and_bins.delta_{}_epochs.{}", name_of(direction), what);
    };
    const Space space = epochs(1, 1000, 0.3, 5.0, 10.0);
    return {equality_law(id("one_epoch"), "one epoch composed is one epoch", space, 8, 100,
                         composed(direction, 1), coarse_side(direction)),
            at_most_law(id("two_epochs"), "two epochs lose at least as much as one", space, 6, 80,
                        coarse_side(direction), composed(direction, 2))};
}

/// k Gaussian steps are one of mu = sqrt(k)/sigma.
Interval gaussian_epochs_delta(const Point& p, double sigma, long bits) {
    const long working = bits + 96;
    const Interval e(p["eps"], working);
    const Interval mu = sqrt(Interval(p["k"], working)) / sigma;
    return normal_cdf(mu / 2.0 - e / mu) - exp(e) * normal_cdf(-mu / 2.0 - e / mu);
}

/// Epochs of one batch are Gaussian steps, also where delta is small: what the ends of the grids
/// hold must be small beside it.
Check gaussian_epochs_row(LossDirection direction) {
    const Space space{
        {noise_dimension("sigma", 0.05, 3.0), count_dimension("k", 1, 300, {1, 2, 3, 50}),
         linear_dimension("z", -2.0, 8.0, {0.0, 4.0, 7.0})},
        // Losses that a grid holds.
        [](const Point& p) {
            const double mu = std::sqrt(p["k"]) / p["sigma"];
            const double epsilon = mu * (0.5 * mu + p["z"]);
            return epsilon >= 0.0 && epsilon <= 400.0 && mu <= 25.0;
        }};
    const auto epsilon_at = [](const Point& p) {
        const double mu = std::sqrt(p["k"]) / p["sigma"];
        return mu * (0.5 * mu + p["z"]);
    };
    Check row = library_row(
        fmt::format("balls_and_bins.delta_{}_epochs.gaussian", name_of(direction)),
        "epochs of one batch are Gaussian steps; no wider than 0.4 where delta is at least 1e-15",
        Relation::encloses, space, 10, 150);
    row.oracle = "closed form: mu = sqrt(k)/sigma";
    row.evaluate = [=](const Point& p) {
        const BallsAndBins mechanism{p["sigma"], 1};
        return EpochComposition(mechanism, direction, p.integer("k"), coarse_resolution(mechanism))
            .delta(epsilon_at(p));
    };
    row.truth = [=](const Point& p, long bits) {
        Point named = p;
        named.set("eps", epsilon_at(p));
        return gaussian_epochs_delta(named, p["sigma"], bits);
    };
    row.widest = 0.4;  // coarse grids, at the farthest epsilon
    row.narrow_from = 1e-15;
    return row;
}

std::vector<Check> distributions() {
    std::vector<Check> rows;
    for (const LossDirection direction : directions)
        for (const auto& list :
             {monotone_laws(direction), grid_laws(direction), epoch_distributions(direction)})
            rows.insert(rows.end(), list.begin(), list.end());
    for (const LossDirection direction : directions) rows.push_back(gaussian_epochs_row(direction));
    Space at_zero{{steps(1, 5000), noise_dimension("sigma", 0.1, 10.0)}, {}};
    const auto zero = [](Point& p) { p.set("eps", 0.0); };
    rows.push_back(equality_law("law.balls_and_bins.delta.total_variation",
                                "at epsilon 0 both directions are the total variation", at_zero, 20,
                                300, coarse_side(LossDirection::removal, zero),
                                coarse_side(LossDirection::addition, zero)));
    rows.push_back(at_most_law("law.balls_and_bins.delta_remove.at_least_eq_6",
                               "the largest coordinate alone is a lower bound (chua2025 (6))",
                               epochs(1, 5000, 0.15, 10.0), 20, 300, answer("chua2025.eq_6"),
                               coarse_side(LossDirection::removal)));
    return rows;
}

// ---- closed forms and finite sums ------------------------------------------------------------

Check formula_row(const char* quantity, Method method, Space space, int quick, int full,
                  double widest = std::numeric_limits<double>::infinity()) {
    Check row = library_row(fmt::format("{}.encloses_{}", quantity, to_string(method)),
                            fmt::format("the answer {} contains the exact value", quantity),
                            Relation::encloses, std::move(space), quick, full);
    row.oracle = oracle_name(quantity, method);
    row.evaluate = library_subject(quantity);
    row.truth = oracle_truth(quantity, method);
    row.widest = widest;
    return row;
}

std::vector<Check> formula_rows() {
    const Space any{{steps(1, 1e9), noise_dimension("sigma", 0.05, 100.0), epsilon_dimension()},
                    worth_asking};
    // Beyond them the supremum is below 1e-300.
    const Space largest{{steps(1, 1e6), noise_dimension("sigma", 0.1, 2.0), epsilon_dimension()},
                        worth_asking};
    const Space noise{{noise_dimension("sigma", 0.05, 1000.0), epsilon_dimension()}, worth_asking};
    const Space shares{{count_dimension("T", 1, 5, {1, 2, 3}), noise_dimension("sigma", 0.1, 100.0),
                        integer_order_dimension(10.0)},
                       {}};
    const Space mean{{linear_dimension("q", 0.0, 1.0, {0.0, 1e-12, 1e-6, 0.5, 0.999, 1.0}),
                      count_dimension("m", 1, 1e12, {1, 2, 1000, 1e9}),
                      {"beta", Scale::logarithmic, 1e-12, 0.999, false, {1e-9, 1e-3, 0.5}}},
                     {}};
    const Space rank{{count_dimension("R", 1, 1e12, {1, 2, 50, 36133, 1e12}),
                      count_dimension("k", 1, 2000, {1, 2, 50, 2000})},
                     [](const Point& p) { return p["k"] <= p["R"]; }};
    const Space small_rank{{count_dimension("R", 1, 60, {1, 2, 3, 50}),
                            count_dimension("k", 1, 60, {1, 2, 3, 25, 50})},
                           [](const Point& p) { return p["k"] <= p["R"]; }};
    constexpr auto formula = Method::formula;
    return {
        formula_row("exact.deterministic_delta", formula, noise, 40, 1000, 1e-14),
        formula_row("exact.balls_and_bins_rdp", Method::sum, shares, 40, 600, 1e-9),
        formula_row("chua2025.c_eps_remove", formula, any, 40, 1000),
        formula_row("chua2025.c_eps_add", formula, any, 40, 1000),
        formula_row("chua2025.event_probability_remove", formula, any, 40, 1000),
        formula_row("chua2025.event_probability_add", formula, any, 40, 1000),
        formula_row("chua2025.kl_upper_confidence", formula, mean, 50, 1000),
        formula_row("chua2025.eq_6", formula, largest, 12, 100),
        formula_row("chua2025.shuffle_lower", formula, largest, 12, 100),
        formula_row("order_statistics.mean_log_uniform", formula, rank, 40, 600, 1e-13),
        formula_row("order_statistics.mean_normal", Method::arb, small_rank, 15, 200),
    };
}

// ---- calibration -----------------------------------------------------------------------------

/// The noise that is returned is safe by a closed form, and the one that is called insufficient is
/// not.
Check calibration_row(const std::string& id, bool safe, Space space, int quick, int full,
                      std::function<Calibration(const Point&)> calibrated,
                      std::function<Interval(const Point&, double sigma, long bits)> delta) {
    const auto noise = [safe, calibrated = std::move(calibrated)](const Point& p) {
        const Calibration found = calibrated(p);
        return safe ? found.sufficient : found.insufficient;
    };
    Check row =
        library_row(id + (safe ? ".safe" : ".insufficient"),
                    safe ? "delta at the noise returned is at most the one asked for"
                         : "delta at the noise called insufficient exceeds the one asked "
                           "for",
                    safe ? Relation::at_least : Relation::at_most, std::move(space), quick, full);
    row.evaluate = [safe, noise](const Point& p) {
        // Nothing is claimed where no insufficient noise was seen.
        return exactly(safe || noise(p) > 0.0 ? p["delta"] : 0.0);
    };
    row.truth = [noise, delta = std::move(delta)](const Point& p, long bits) {
        const double sigma = noise(p);
        return sigma > 0.0 ? delta(p, sigma, bits) : Interval(0.0, bits);
    };
    return row;
}

Interval one_batch_delta(const Point& p, double sigma, long bits) {
    Point named = p;
    named.set("sigma", sigma);
    return oracle_truth("exact.deterministic_delta", Method::formula)(named, bits);
}

std::vector<Check> calibration_rows() {
    const Space space{{epsilon_dimension(10.0),
                       {"delta", Scale::logarithmic, 1e-9, 0.2, false, {1e-6, 1e-5, 1e-3}}},
                      // At epsilon 0 the noise is about 0.4 / delta, up to where it is refused.
                      [](const Point& p) { return p["eps"] >= 0.01; }};
    Space epochs = space;
    epochs.dimensions.push_back(count_dimension("k", 1, 1e5, {1, 2, 3, 1e5}));
    std::vector<Check> rows;
    for (const bool safe : {true, false}) {
        rows.push_back(calibration_row(
            "calibration.one_batch", safe, space, 6, 60,
            [](const Point& p) {
                return calibrate({Adjacency::zero_out, {{BallsAndBins{0.0, 1}, 1}}},
                                 {p["eps"], p["delta"]}, 1e-2);
            },
            one_batch_delta));
        rows.back().oracle = "closed form: exact.deterministic_delta at that noise";
        rows.push_back(calibration_row(
            "calibration.gaussian_epochs", safe, epochs, 16, 300,
            [](const Point& p) {
                return calibrate(
                    {Adjacency::zero_out, {{DeterministicBatches{0.0, 7}, p.integer("k")}}},
                    {p["eps"], p["delta"]}, 1e-6);
            },
            gaussian_epochs_delta));
        rows.back().oracle = "closed form: mu = sqrt(k)/sigma";
    }
    return rows;
}

}  // namespace

std::vector<Check> balls_and_bins_rows() {
    return joined({quadrature_rows, distributions, formula_rows, calibration_rows});
}

}  // namespace assay::verify
