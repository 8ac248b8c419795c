#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/monte_carlo/loss_second_moment.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/integer_order_refine.hpp"
#include "verify/rows.hpp"

// The privacy loss of an epoch at a point, and the bounds of E [1 - e^{eps - L}]_+^2 that Bennett's
// inequality takes.

namespace assay::verify {

namespace {

/// Of epochs of one batch L ~ N(c/2, c), c = k/sigma^2, in either direction:
///   P(L > eps) - 2 e^eps E[e^-L; L > eps] + e^{2 eps} E[e^{-2L}; L > eps].
Interval one_batch_second_moment(const Point& p, long bits) {
    const Interval c = Interval(p["k"], bits) / square(Interval(p["sigma"], bits));
    const Interval e(p["eps"], bits);
    const auto above = [&](double tilt) { return normal_cdf((c / 2.0 - tilt * c - e) / sqrt(c)); };
    return above(0.0) - 2.0 * exp(e) * above(1.0) + exp(2.0 * e + c) * above(2.0);
}

Check second_moment_row() {
    const Space space{
        {noise_dimension("sigma", 0.04, 100.0),
         {"eps", Scale::linear, -5.0, 20.0, false, {0.0, 0.5, 1.0}},
         {"add", Scale::linear, 0, 1, true, {0, 1}},
         count_dimension("k", 1, 100, {1, 2})},
        [](const Point& p) { return p["eps"] * p["sigma"] < 30.0 && p["k"] < 100.0 * p["sigma"]; }};
    Check row = library_row("loss_second_moment.bounds_closed_form",
                            "the bound of the second moment of a sampled loss holds for epochs of "
                            "one batch (docs/proofs.md, Bennett's inequality)",
                            Relation::at_least, space, 60, 1000);
    row.oracle = "closed form: normal distributions of the loss, tilted";
    row.evaluate = [](const Point& p) {
        const double epsilons[] = {p["eps"]};
        return exactly(
            loss_second_moments({p["sigma"], 1},
                                p["add"] == 1.0 ? LossDirection::addition : LossDirection::removal,
                                p.integer("k"), epsilons)
                .front());
    };
    row.truth = [](const Point& p, long bits) {
        return refined(bits, [&](long working) { return one_batch_second_moment(p, working); });
    };
    return row;
}

// ---- the loss at a point -------------------------------------------------------------------

std::vector<double> values_at(const Point& p) {
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "values", 0);
    std::vector<double> x;
    for (long t = 0; t < p.integer("T"); ++t) x.push_back(p["sigma"] * draws.normal());
    x.front() += 1.0;
    return x;
}

Check loss_row() {
    const Space space{{count_dimension("T", 1, 2000, {1, 2, 2000}),
                       noise_dimension("sigma", 0.05, 100.0),
                       {"add", Scale::linear, 0, 1, true, {0, 1}},
                       {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                      {}};
    Check row = library_row("privacy_loss.near_formula",
                            "the privacy loss at a point is the logarithm of the mean likelihood "
                            "ratio (chua2025 (2), (3)), within its rounding",
                            Relation::encloses, space, 40, 600);
    row.oracle = "the formula";
    row.evaluate = [](const Point& p) {
        const std::vector<double> x = values_at(p);
        const double found =
            privacy_loss({p["sigma"], p.integer("T")},
                         p["add"] == 1.0 ? LossDirection::addition : LossDirection::removal, x);
        const double far = *std::max_element(x.begin(), x.end());
        const double error = (p["T"] + 8.0 * (std::abs(far) + 1.0) / (p["sigma"] * p["sigma"]) +
                              8.0 * std::log(p["T"]) + 8.0) *
                             0x1p-52;
        return Enclosure{found - error, found + error};
    };
    row.truth = [](const Point& p, long bits) {
        const long working = bits + 64;
        const Interval square_noise = square(Interval(p["sigma"], working));
        Interval sum(0.0, working);
        for (const double x : values_at(p)) sum += exp((Interval(x, working) - 0.5) / square_noise);
        const Interval loss = log(sum / p["T"]);
        return p["add"] == 1.0 ? -loss : loss;
    };
    return row;
}

}  // namespace

std::vector<Check> loss_moment_rows() {
    return {second_moment_row(), loss_row()};
}

}  // namespace assay::verify
