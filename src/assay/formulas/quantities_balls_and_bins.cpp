#include <array>

#include "assay/epochs/deterministic_batches.hpp"
#include "assay/epochs/epoch_composition.hpp"
#include "assay/epochs/epoch_curve.hpp"
#include "assay/epochs/integer_order_rdp.hpp"
#include "assay/epochs/lower_bounds.hpp"
#include "assay/formulas/quantities.hpp"
#include "assay/monte_carlo/confidence.hpp"
#include "assay/monte_carlo/importance_sampling.hpp"
#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/pld/pld_accountant.hpp"

namespace assay::formulas {

namespace {

using namespace parameter;

constexpr Domain steps_domain{"an integer from 1 to 1e12",
                              [](double x) { return x >= 1.0 && x <= 1e12; }};
constexpr Domain epochs_domain{"an integer from 1 to 100000",
                               [](double x) { return x >= 1.0 && x <= 1e5; }};
constexpr Domain epoch_order{"an integer from 2 to 256",
                             [](double x) { return x >= 2.0 && x <= 256.0; }};
constexpr Domain epoch_noise{"a number of at least 0.01", [](double x) { return x >= 0.01; }};
constexpr Domain unit{"0 <= q <= 1", [](double x) { return x >= 0.0 && x <= 1.0; }};
constexpr Domain error_domain{"0 < beta < 1", [](double x) { return x > 0.0 && x < 1.0; }};

constexpr Parameter T{"T", ParameterType::integer, steps_domain, "steps in an epoch"};
constexpr Parameter step_count{"T", ParameterType::integer, steps_domain, "steps"};
constexpr Parameter epochs{"k", ParameterType::integer, epochs_domain, "epochs"};
constexpr Parameter noise{"sigma", ParameterType::number, epoch_noise, noise_unit};
constexpr Parameter loss{"eps", ParameterType::number, nonnegative, "nats"};
constexpr Parameter order{"alpha", ParameterType::integer, epoch_order, "1"};
constexpr Parameter mean{"q", ParameterType::number, unit, "mean of the samples"};
constexpr Parameter samples{"m", ParameterType::integer, count, "samples"};
constexpr Parameter beta{"beta", ParameterType::number, error_domain, "probability"};
constexpr Parameter draws{"R", ParameterType::integer, steps_domain, "draws"};
constexpr Parameter rank{"k", ParameterType::integer, steps_domain, "rank, 1 is the largest"};

BallsAndBins epoch(const Arguments& a) {
    return {a.number("sigma"), a.integer("T")};
}

template <LossDirection direction>
Answer delta_of_epoch(const Arguments& a) {
    // Where the tolerance is out of reach the answer is as wide as it has to be.
    constexpr GapGoal goal{direction == LossDirection::removal ? 5e-4 : 3e-3, 1e-11, 2e9};
    const double epsilon = a.number("eps");
    return bracket_within(epoch(a), direction, {epsilon}, goal).bracket.delta(epsilon);
}

std::vector<Quantity> divergence_quantities() {
    return {
        {"balls_and_bins.delta_remove",
         {T, noise, loss},
         "E[(W - e^eps)_+], W = (1/T) sum_t e^(x_t/sigma^2 - 1/(2 sigma^2)), x_t ~ N(0, sigma^2)",
         "chua2025 Theorem 3.1; docs/proofs.md, convex order of sums",
         trivial::unit_interval,
         delta_of_epoch<LossDirection::removal>},
        {"balls_and_bins.delta_add",
         {T, noise, loss},
         "E[(1 - e^eps W)_+], W as for balls_and_bins.delta_remove",
         "chua2025 Theorem 3.1; docs/proofs.md, convex order of sums",
         trivial::unit_interval,
         delta_of_epoch<LossDirection::addition>},
        {"balls_and_bins.delta_remove_epochs",
         {T, noise, epochs, loss},
         "E[(W_1 .. W_k - e^eps)_+], independent W_i as for balls_and_bins.delta_remove",
         "chua2025 Appendix B.4; docs/proofs.md, convex order of products",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             const double epsilon = a.number("eps");
             return composition_within(EpochSequence::of(epoch(a), a.integer("k")),
                                       LossDirection::removal, epsilon, {3e-3, 1e-11, 2e9})
                 .delta(epsilon);
         }},
        {"exact.balls_and_bins_rdp",
         {T, sigma, order},
         "log E_Q[W^alpha] / (alpha-1), W as for balls_and_bins.delta_remove",
         "docs/proofs.md, moments of the likelihood ratio",
         trivial::half_line,
         [](const Arguments& a) -> Answer {
             return balls_and_bins_integer_order_rdp(epoch(a), a.small("alpha"));
         }},
        {"exact.deterministic_delta",
         {sigma, loss},
         "Phi(1/(2 sigma) - eps sigma) - e^eps Phi(-1/(2 sigma) - eps sigma)",
         "balle2018 Theorem 8; chua2025 Proposition 2.4",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return deterministic_delta({a.number("sigma"), 1}, a.number("eps"));
         }},
        {"poisson.delta_remove",
         {step_count, sigma, q, loss},
         "D_(e^eps) of ((1-q) N_0 + q N_1)^T against N_0^T, noise sigma",
         "chua2025 Proposition 2.5; docs/proofs.md, convex order of products",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             const double epsilon = a.number("eps");
             const std::array<Phase, 1> phase{
                 Phase{SampledGaussian{a.number("sigma"), a.number("q")}, a.integer("T")}};
             const DeltaBracket delta =
                 pld_delta(phase, Adjacency::add_remove, {&epsilon, 1}, {.relative_gap = 5e-4})
                     .points.front();
             return Enclosure{delta.removal_lower, delta.removal_upper};
         }},
    };
}

std::vector<Quantity> estimation_quantities() {
    return {
        {"chua2025.eq_6",
         {T, sigma, loss},
         "sup_C P(S_C) - e^eps Q(S_C), S_C = {max_t x_t >= C}, the pair of balls-and-bins",
         "chua2025 (6)",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return largest_coordinate_delta(epoch(a), a.number("eps"));
         }},
        {"chua2025.shuffle_lower",
         {T, sigma, loss},
         "sup_C P(S_C) - e^eps Q(S_C), S_C = {max_t x_t >= C}, the pair of shuffled batches",
         "chua2025 Proposition 2.6",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return largest_coordinate_delta(Shuffled{a.number("sigma"), a.integer("T")},
                                             a.number("eps"));
         }},
        {"chua2025.c_eps_remove",
         {T, sigma, eps},
         "1/2 + sigma^2 (eps - log(1 + (e^(1/sigma^2) - 1)/T))",
         "chua2025 Section 4",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return importance_threshold(epoch(a), LossDirection::removal, a.number("eps"));
         }},
        {"chua2025.c_eps_add",
         {T, sigma, eps},
         "1/2 + sigma^2 (log T - eps); the printed one lacks log T",
         "chua2025 Section 4, corrected",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return importance_threshold(epoch(a), LossDirection::addition, a.number("eps"));
         }},
        {"chua2025.event_probability_remove",
         {T, sigma, eps},
         "1 - Phi(C/sigma)^T, C = chua2025.c_eps_remove",
         "chua2025 Section 4, Appendix B.1",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return importance_event_probability(epoch(a), LossDirection::removal, a.number("eps"));
         }},
        {"chua2025.event_probability_add",
         {T, sigma, eps},
         "Phi(C/sigma)^T, C = chua2025.c_eps_add",
         "chua2025 Section 4, Appendix B.1",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return importance_event_probability(epoch(a), LossDirection::addition,
                                                 a.number("eps"));
         }},
        {"chua2025.kl_upper_confidence",
         {mean, samples, beta},
         "the smallest p >= q with KL(q || p) >= log(1/beta)/m, 1 if there is none",
         "chua2025 Algorithm 4",
         trivial::unit_interval,
         [](const Arguments& a) -> Answer {
             return kl_upper_confidence(a.number("q"), a.integer("m"), a.number("beta"));
         }},
        {"order_statistics.mean_log_uniform",
         {draws, rank},
         "E log U, U the k-th largest of R uniforms on (0, 1)",
         "chua2025 Appendix B.2",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return mean_log_uniform_order(a.integer("R"), a.integer("k"));
         }},
        {"order_statistics.mean_normal",
         {draws, rank},
         "the mean of the k-th largest of R standard normals",
         "chua2025 Appendix B.2",
         trivial::line,
         [](const Arguments& a) -> Answer {
             return mean_normal_order(a.integer("R"), a.integer("k"));
         }},
    };
}

}  // namespace

std::vector<Quantity> balls_and_bins_quantities() {
    std::vector<Quantity> all = divergence_quantities();
    for (Quantity& quantity : estimation_quantities()) all.push_back(std::move(quantity));
    return all;
}

}  // namespace assay::formulas
