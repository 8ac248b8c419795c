#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "assay/numeric/random_streams.hpp"
#include "verify/checks/control_parts.hpp"
#include "verify/checks/dpsgd_fixture.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/noise_statistics.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/batch_mean.hpp"

namespace assay::verify {

namespace {

// ---- clipping ------------------------------------------------------------------------------

Against clip_norm() {
    return {"C", [](const Point& p, long bits) { return Interval(p["C"], bits); },
            Relation::at_most};
}

Space gradients_space() {
    return {{{"C", Scale::logarithmic, 1e-3, 1e3, false, {1.0}},
             {"size", Scale::logarithmic, 1e-3, 1e6, false, {1.0}},
             {"examples", Scale::linear, 1, 10, true, {1, 2}},
             seed_dimension()},
            {}};
}

using Vector = std::array<double, 3>;

double norm_of(const Vector& g) {
    return std::hypot(g[0], g[1], g[2]);
}

Vector sum_of(const Vector& a, const Vector& b, double factor = 1.0) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// Shorter than C by more than any rounding here.
Vector clipped(const Vector& g, double clip_norm) {
    return sum_of({}, g, std::min(1.0, clip_norm / norm_of(g)) * (1.0 - 1e-9));
}

/// How far the sum moves when one example more is in the batch.
Enclosure sensitivity(const Point& p, bool by_batch) {
    Draws draws = draws_at(p, "gradients");
    const auto released = [&](const std::vector<Vector>& batch) {
        Vector sum{};
        for (const Vector& g : batch) sum = sum_of(sum, by_batch ? g : clipped(g, p["C"]));
        return by_batch ? clipped(sum, p["C"]) : sum;
    };
    std::vector<Vector> batch;
    for (long i = 0; i < p.integer("examples"); ++i)
        batch.push_back(sum_of({}, {draws.normal(), draws.normal(), draws.normal()}, p["size"]));
    const Vector without = released(batch);
    batch.push_back(sum_of({}, {draws.normal(), draws.normal(), draws.normal()}, p["size"]));
    return exactly(norm_of(sum_of(released(batch), without, -1.0)));
}

/// The norm of a clipped gradient whose first number may be none. A comparison with NaN is false.
Enclosure clipped_bad(const Point& p, bool asks_for_numbers) {
    Draws draws = draws_at(p, "gradient");
    const std::array<double, 3> first{p["size"], std::numeric_limits<double>::quiet_NaN(),
                                      std::numeric_limits<double>::infinity()};
    const Vector g{first.at(static_cast<std::size_t>(p.integer("bad"))), draws.normal(),
                   draws.normal()};
    if (asks_for_numbers)
        return exactly(std::isfinite(norm_of(g)) ? norm_of(clipped(g, p["C"])) : 0.0);
    const double factor = norm_of(g) > p["C"] ? p["C"] / norm_of(g) : 1.0;
    return exactly(norm_of(sum_of({}, g, factor)));
}

/// The exact norm of a gradient that was scaled in single precision.
Enclosure scaled_in_float(const Point& p, double budget) {
    Draws draws = draws_at(p, "gradient");
    const auto C = static_cast<float>(p["C"]);
    std::vector<float> g(100);
    for (float& x : g) x = static_cast<float>(draws.normal() * p["C"]);
    float squared = 0.0F;
    for (const float x : g) squared += x * x;
    const float factor = std::min(1.0F, C / std::sqrt(squared)) * static_cast<float>(1.0 - budget);
    for (float& x : g) x *= factor;
    return exactly(norm_above<float>(g));
}

std::vector<Control> clipping_controls() {
    Space numbers = gradients_space();
    numbers.dimensions.push_back({"bad", Scale::linear, 0, 2, true, {0, 1, 2}});
    return {
        control(
            "clipping_of_the_batch", "that clipping a batch's sum bounds what one example adds",
            clip_norm(), gradients_space(), [](const Point& p) { return sensitivity(p, true); },
            [](const Point& p) {
                // The difference of two rounded sums.
                const Enclosure moved = sensitivity(p, false);
                return exactly(moved.upper * (1.0 - 1e-10));
            }),
        control(
            "clipping_by_comparison", "C/|g| where |g| > C, otherwise 1: NaN and inf go through",
            clip_norm(), numbers, [](const Point& p) { return clipped_bad(p, false); },
            [](const Point& p) { return clipped_bad(p, true); }),
        control(
            "clipping_without_rounding",
            "min(1, C/|g|) in single precision, nothing left for rounding", clip_norm(),
            gradients_space(), [](const Point& p) { return scaled_in_float(p, 0.0); },
            [](const Point& p) { return scaled_in_float(p, 0x1p-16); }),
    };
}

// ---- noise ---------------------------------------------------------------------------------

constexpr std::size_t elements = 20'000;

std::vector<double> noise(const Point& p, std::uint64_t block, double deviation,
                          bool uniform = false) {
    RandomStream stream(static_cast<std::uint64_t>(p.integer("seed")), Purpose::test, block);
    std::vector<double> z(elements);
    for (double& x : z)
        x = deviation * (uniform ? std::sqrt(12.0) * (stream.uniform() - 0.5) : stream.normal());
    return z;
}

Space noise_space() {
    return {{{"C", Scale::logarithmic, 0.1, 10.0, false, {0.5, 3.0}},
             noise_dimension("sigma", 0.3, 20.0),
             {"b", Scale::linear, 2, 1000, true, {2, 120}},
             seed_dimension()},
            {}};
}

Control variance_control(const char* what, const char* claim, double (*wrong)(const Point&)) {
    return control(
        what, claim,
        {"(C sigma)^2",
         [](const Point& p, long bits) { return square(Interval(p["C"], bits) * p["sigma"]); },
         Relation::encloses},
        noise_space(), [=](const Point& p) { return variance_interval(noise(p, 0, wrong(p))); },
        [](const Point& p) { return variance_interval(noise(p, 0, p["C"] * p["sigma"])); });
}

Control repeated_noise() {
    const auto steps = [](std::uint64_t second) -> Subject {
        return [second](const Point& p) {
            return exactly(correlation_statistic(noise(p, 0, 1.0), noise(p, second, 1.0)));
        };
    };
    return control("noise_repeated_every_step",
                   "independent noise from a stream that does not know the step",
                   {"6.3 standard deviations",
                    [](const Point&, long bits) { return Interval(most_deviations, bits); },
                    Relation::at_most},
                   noise_space(), steps(0), steps(1));
}

Control uniform_noise() {
    const auto distribution = [](bool uniform) -> Subject {
        return [uniform](const Point& p) {
            const std::vector<double> z = noise(p, 0, 1.0, uniform);
            Events events;
            for (int i = -6; i <= 6; ++i) {
                const double edge = 0.5 * i;
                const auto below =
                    std::count_if(z.begin(), z.end(), [&](double x) { return x <= edge; });
                events.add(static_cast<double>(below), static_cast<double>(elements),
                           normal_cdf(Interval(edge, 96)));
            }
            return exactly(events.worst());
        };
    };
    return control("noise_of_the_right_variance", "uniform noise of variance 1 for normal noise",
                   {"normal distribution; 1: what chance exceeds once in 1e9",
                    [](const Point&, long bits) { return Interval(1.0, bits); }, Relation::at_most},
                   noise_space(), distribution(true), distribution(false));
}

std::vector<Control> noise_controls() {
    return {variance_control("noise_divided_before_the_sum",
                             "noise of C sigma / |B| on the sum of a batch, which is divided later",
                             [](const Point& p) { return p["C"] * p["sigma"] / p["b"]; }),
            variance_control("noise_without_clip_norm", "noise of sigma on a sum clipped to C",
                             [](const Point& p) { return p["sigma"]; }),
            repeated_noise(), uniform_noise()};
}

// ---- the mean of a batch -------------------------------------------------------------------

std::vector<double> gradients_at(const Point& p) {
    Draws draws = draws_at(p, "gradients");
    std::vector<double> a;
    for (long i = 0; i < p.integer("D"); ++i) a.push_back(1.0 + draws.normal());
    return a;
}

Space means_space() {
    return {{{"D", Scale::linear, 2, 6, true, {2, 3, 4}},
             {"B", Scale::linear, 1, 5, true, {1, 2}},
             seed_dimension()},
            [](const Point& p) { return p["B"] < p["D"]; }};
}

/// Below (147): the variance with replacement over that without is above 1.
Control strictly_larger() {
    const Against other{"Var Z_B by enumeration, times 1 + 1e-9",
                        [](const Point& p, long) {
                            return enumerated_subsets(gradients_at(p), p.integer("B")).variance *
                                   (1.0 + 1e-9);
                        },
                        Relation::at_least};
    const auto with = [](double factor) -> Subject {
        return [factor](const Point& p) {
            const Interval variance = enumerated_draws(gradients_at(p), p.integer("B")).variance;
            return exactly((variance * factor).upper_double());
        };
    };
    return control("with_replacement_strictly_larger",
                   "that the variance with replacement is larger at every |B|, birrell2024 (147): "
                   "at |B| = 1 they are equal",
                   other, means_space(), with(1.0), with(1.0 + 2e-9));
}

/// (143) with (a_i - centre)^2.
Control centred_poisson() {
    const Against enumerated{
        "every batch with its probability",
        [](const Point& p, long) {
            return enumerated_poisson(gradients_at(p), p.integer("B")).variance;
        },
        Relation::encloses};
    const auto formula = [](bool centred) -> Subject {
        return [centred](const Point& p) {
            const std::vector<double> a = gradients_at(p);
            const long double D = p["D"];
            const long double mean = std::accumulate(a.begin(), a.end(), 0.0L) / D;
            long double sum = 0.0L;
            for (const double x : a) sum += std::pow(x - (centred ? mean : 0.0L), 2.0L);
            return near((1.0L / p["B"] - 1.0L / D) * sum / D);
        };
    };
    return control("poisson_variance_centred",
                   "(a_i - mean)^2 for a_i^2 in Var Z_P, birrell2024 (143)", enumerated,
                   means_space(), formula(true), formula(false));
}

std::vector<Control> mean_controls() {
    return {strictly_larger(), centred_poisson()};
}

}  // namespace

std::vector<Control> training_controls() {
    std::vector<Control> all;
    for (auto* list : {clipping_controls, noise_controls, mean_controls})
        for (Control& one : list()) all.push_back(std::move(one));
    return all;
}

}  // namespace assay::verify
