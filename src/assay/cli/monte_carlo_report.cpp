#include "assay/cli/monte_carlo_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/cli/json_number.hpp"
#include "assay/cli/monte_carlo_orders.hpp"
#include "assay/files/build_info.hpp"
#include "assay/monte_carlo/confidence.hpp"
#include "assay/monte_carlo/delta_estimate.hpp"
#include "assay/monte_carlo/loss_second_moment.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/privacy/citations.hpp"

namespace assay::cli {

namespace {

/// Bounds of the larger direction at one epsilon that hold together with those at the others.
struct JointBounds {
    double epsilon = 0.0;
    double mean = 0.0;
    double lower = 0.0;
    double upper = 0.0;
};

struct Result {
    std::vector<std::vector<double>> second_moments;  // bounds, for each plan
    std::vector<std::vector<DeltaEstimate>> curves;   // likewise
    std::vector<JointBounds> joint;
    double joint_error = 0.0;  // of each statement behind the joint bounds
};

/// Joint bounds take the better of two lower and of two upper bounds, KL or Bennett and Bernstein
/// (Bennett's upper one is never above KL's): four for each epsilon and direction share beta.
Result evaluate(const MonteCarloInput& input, std::span<const double> sums) {
    Result result;
    const std::size_t epsilons = input.plans.front().epsilons.size();
    result.joint.resize(epsilons);
    result.joint_error = shared_error_probability(
        input.confidence_error, static_cast<std::int64_t>(4 * input.plans.size() * epsilons));
    for (std::size_t i = 0; i < input.plans.size(); ++i) {
        const MonteCarloPlan& plan = input.plans[i];
        const auto part = input.sums_of(i, sums);
        result.second_moments.push_back(
            loss_second_moments(plan.mechanism, plan.direction, plan.epochs, plan.epsilons));
        const auto at_error = [&](double error) {
            return estimate(plan, part, result.second_moments.back(), input.samples(), error);
        };
        result.curves.push_back(at_error(input.confidence_error));
        const auto shared = at_error(result.joint_error);
        for (std::size_t j = 0; j < epsilons; ++j) {
            JointBounds& joint = result.joint[j];
            joint.epsilon = shared[j].epsilon;
            joint.mean = std::max(joint.mean, shared[j].mean);
            joint.lower = std::max({joint.lower, shared[j].lower, shared[j].bennett_lower});
            joint.upper =
                std::max(joint.upper, std::min(shared[j].bennett_upper, shared[j].bernstein_upper));
        }
    }
    return result;
}

std::string subject(const MonteCarloInput& input) {
    return input.plans.size() > 1
               ? "delta, the larger direction"
               : fmt::format("direction {} alone", to_string(input.plans.front().direction));
}

std::vector<std::string> assumptions(const MonteCarloInput& input) {
    const MonteCarloPlan& plan = input.plans.front();
    std::vector<std::string> all{
        "adjacency zero-out: one record is replaced by one whose query is 0, the size of the data "
        "set is public",
        "each bound of a direction alone fails with probability at most the confidence error, "
        "which was fixed before the run",
        fmt::format("the joint bounds of all epsilons{} hold together, except with probability at "
                    "most the confidence error",
                    input.plans.size() > 1 ? " and both directions" : "")};
    if (input.plans.size() == 1)
        all.emplace_back("one direction alone bounds delta from below, not from above");
    if (!plan.orders.empty())
        all.emplace_back(
            "order statistics bound the privacy loss from above: the mean is too "
            "large on average, and there is no lower bound");
    return all;
}

std::string text_of(const MonteCarloInput& input, const Result& result) {
    const MonteCarloPlan& plan = input.plans.front();
    std::string text = fmt::format(
        "statistical, not certified: {}, {} epoch{}\n"
        "{} samples of each direction ({} asked, in blocks of {}), method {}, seed {}\n",
        describe(Mechanism(plan.mechanism)), plan.epochs, plan.epochs == 1 ? "" : "s",
        input.samples(), input.samples_asked, trials_per_block(plan), to_string(plan.method),
        plan.seed);
    if (!plan.orders.empty())
        text += fmt::format("{} orders: {}\n", plan.orders.size(), index_list_text(plan.orders));
    text +=
        fmt::format("\neach bound alone fails with probability <= {}\n", input.confidence_error);
    text += fmt::format("{:<10} {:>8} {:>13} {:>10} {:>13} {:>13} {:>13} {:>13} {:>15}\n",
                        "direction", "epsilon", "mean", "std error", "KL lower", "Bennett lower",
                        "KL upper", "Bennett upper", "Bernstein upper");
    for (std::size_t i = 0; i < result.curves.size(); ++i)
        for (const DeltaEstimate& at : result.curves[i])
            text += fmt::format(
                "{:<10} {:>8} {:>13.6g} {:>10.2g} {:>13} {:>13} {:>13} {:>13} {:>15}\n",
                to_string(input.plans[i].direction), at.epsilon, at.mean, at.standard_error,
                text_not_above(at.lower, 6), text_not_above(at.bennett_lower, 6),
                text_not_below(at.kl_upper, 6), text_not_below(at.bennett_upper, 6),
                text_not_below(at.bernstein_upper, 6));
    text += fmt::format("\n{}: all bounds together fail with probability <= {}\n", subject(input),
                        input.confidence_error);
    text += fmt::format("{:>8} {:>13} {:>13} {:>13}\n", "epsilon", "mean", "lower", "upper");
    for (const JointBounds& at : result.joint)
        text += fmt::format("{:>8} {:>13.6g} {:>13} {:>13}\n", at.epsilon, at.mean,
                            text_not_above(at.lower, 6), text_not_below(at.upper, 6));
    text += "\nassumptions\n";
    for (const std::string& assumption : assumptions(input)) text += "  " + assumption + '\n';
    return text;
}

Json json_of(const MonteCarloInput& input, const Result& result) {
    const MonteCarloPlan& plan = input.plans.front();
    Json curves = Json::array();
    for (std::size_t i = 0; i < result.curves.size(); ++i)
        for (std::size_t j = 0; j < result.curves[i].size(); ++j) {
            const DeltaEstimate& at = result.curves[i][j];
            curves.push_back(
                {{"direction", to_string(input.plans[i].direction)},
                 {"epsilon", at.epsilon},
                 {"mean", json_number(at.mean)},
                 {"standard_error", json_number(at.standard_error)},
                 {"share_positive", at.share_positive ? Json(*at.share_positive) : Json(nullptr)},
                 {"second_moment_bound", json_number(result.second_moments[i][j])},
                 {"lower", json_number(at.lower)},
                 {"bennett_lower", json_number(at.bennett_lower)},
                 {"kl_upper", json_number(at.kl_upper)},
                 {"bennett_upper", json_number(at.bennett_upper)},
                 {"bernstein_upper", json_number(at.bernstein_upper)}});
        }
    Json joint = Json::array();
    for (const JointBounds& at : result.joint)
        joint.push_back({{"epsilon", at.epsilon},
                         {"mean", json_number(at.mean)},
                         {"lower", json_number(at.lower)},
                         {"upper", json_number(at.upper)}});
    Json json{{"quantity", "delta"},
              {"status", "statistical"},
              {"sampling", sampling_name(Mechanism(plan.mechanism))},
              {"adjacency", to_string(Adjacency::zero_out)},
              {"noise_multiplier", plan.mechanism.noise_multiplier},
              {"batches_per_epoch", plan.mechanism.batches_per_epoch},
              {"epochs", plan.epochs},
              {"method", to_string(plan.method)}};
    if (!plan.orders.empty()) json["orders"] = index_list_text(plan.orders);
    json["samples"] = input.samples();
    json["samples_asked"] = input.samples_asked;
    json["seed"] = plan.seed;
    json["confidence_error"] = input.confidence_error;
    json["curves"] = curves;
    json["joint_subject"] = subject(input);
    json["joint_error_of_each_bound"] = result.joint_error;
    json["joint"] = joint;
    json["theorems"] = {cite::chua2025_thm_3_1.citation, cite::chua2025_monte_carlo.citation,
                        cite::bennett.citation};
    json["assumptions"] = assumptions(input);
    json["version"] = build_info().version;
    return json;
}

}  // namespace

std::string monte_carlo_report(const MonteCarloInput& input, std::span<const double> sums,
                               bool json) {
    const Result result = evaluate(input, sums);
    return json ? json_of(input, result).dump(2) + '\n' : text_of(input, result);
}

}  // namespace assay::cli
