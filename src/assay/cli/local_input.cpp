#include "assay/cli/local_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/cli/option_text.hpp"
#include "assay/ldp/response_audit.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

bool is_positive(double x) {
    return x > 0.0 && std::isfinite(x);
}

int small_option(const char* name, const std::optional<std::string>& text, int otherwise) {
    if (!text) return otherwise;
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    return static_cast<int>(read_option(
        name, *text, [](double x) { return x >= 0.0 && x <= most && x == std::floor(x); },
        "an integer from 0 to 2147483647"));
}

ResponseVariant read_variant(const std::string& name) {
    for (const ResponseVariant variant : {ResponseVariant::theorem, ResponseVariant::as_released})
        if (name == to_string(variant)) return variant;
    throw DomainError("variant", name, "theorem or as-released");
}

StepSize read_step(const PosteriorOptions& options, std::int64_t planned_users) {
    StepSize step = planned_users > 0 ? paper_step(planned_users)
                                      : StepSize{.first = 0.5, .delay = 1.0, .power = 1.0};
    if (options.step)
        step = {.first = read_option(
                    "step", *options.step, [](double x) { return x > 0.0 && x <= 1.0; },
                    "a number in (0, 1]")};
    if (options.step_delay)
        step.delay =
            read_option("step-delay", *options.step_delay, is_positive, "a positive number");
    if (options.step_power)
        step.power = read_option(
            "step-power", *options.step_power, [](double x) { return x >= 0.0; }, "a number >= 0");
    return step;
}

PosteriorSampler read_sampler(const PosteriorOptions& options, std::int64_t planned_users) {
    const std::string sampler = options.sampler.value_or(options.default_sampler);
    if (sampler == "gibbs") {
        const auto refuse = [](const char* name, const std::optional<std::string>& text) {
            if (text) throw DomainError(name, *text, "left out but with langevin");
        };
        refuse("subsample", options.subsample);
        refuse("step", options.step);
        refuse("step-delay", options.step_delay);
        refuse("step-power", options.step_power);
        return GibbsSettings{.updates = small_option("updates", options.updates,
                                                     std::min(options.default_updates, 1))};
    }
    if (sampler != "langevin") throw DomainError("sampler", sampler, "langevin or gibbs");
    return LangevinSettings{
        .updates = small_option("updates", options.updates, options.default_updates),
        .subsample = options.subsample ? static_cast<int>(read_integer_option(
                                             "subsample", *options.subsample, 4096))
                                       : 50,
        .step = read_step(options, planned_users)};
}

}  // namespace

void add_mechanism_options(CLI::App& command, LocalMechanismOptions& options) {
    const auto add = [&](const char* name, std::optional<std::string>& target, const char* type,
                         const char* text) {
        command.add_option(name, target, text)->type_name(type);
    };
    add("--categories", options.categories, "INTEGER", "number of categories K (required)");
    add("--epsilon", options.epsilon, "NUMBER", "privacy parameter of one answer (required)");
    add("--budget-share", options.budget_share, "NUMBER",
        "share of epsilon spent inside the set, in [0, 1] (required)");
    command
        .add_option(
            "--variant", options.variant,
            "theorem: epsilon-LDP; as-released: the authors' program, which is not, but for its "
            "semi-adaptive and non-adaptive rules (theorem)")
        ->type_name("NAME");
}

void add_posterior_options(CLI::App& command, PosteriorOptions& options) {
    const auto add = [&](const char* name, auto& target, const char* type, const char* text) {
        return command.add_option(name, target, text)->type_name(type);
    };
    add("--rule", options.rule, "NAME",
        "how the next set is chosen: non-adaptive, semi-adaptive-<mass in (0, 1)>, "
        "fisher-information, entropy, "
        "posterior-total-variation, marginal-total-variation, mean-squared-error or "
        "honest-response (honest-response)");
    add("--sampler", options.sampler, "NAME",
        fmt::format("langevin or gibbs: approximate or exact ({})", options.default_sampler)
            .c_str());
    add("--updates", options.updates, "INTEGER",
        options.default_updates == 0
            ? "steps of the sampler after each answer (0)"
            : "steps of the sampler after each answer (20 of langevin, 1 of gibbs)");
    add("--subsample", options.subsample, "INTEGER", "answers in one gradient of langevin (50)");
    add("--step", options.step, "NUMBER",
        options.default_updates == 0 ? "step gamma_0 of langevin (0.5 / (1 + answers so far))"
                                     : "step gamma_0 of langevin (0.5 / users)");
    add("--step-delay", options.step_delay, "NUMBER",
        "delay t0 of the step gamma_0 (1 + t / t0)^-power after t answers (1)");
    add("--step-power", options.step_power, "NUMBER",
        options.default_updates == 0 ? "its power, 0: constant (0 with --step, else 1)"
                                     : "its power, 0: constant (0)");
    add("--prior", options.prior, "NUMBER", "Dirichlet parameter of every category (1)");
    add("--seed", options.seed, "INTEGER", "of everything that is drawn (1)");
}

RestrictedResponse read_mechanism(const LocalMechanismOptions& options,
                                  const std::optional<RestrictedResponse>& otherwise) {
    RestrictedResponse mechanism = otherwise.value_or(RestrictedResponse{});
    if (options.categories || !otherwise)
        mechanism.categories = static_cast<int>(read_required(
            "categories", options.categories,
            [](double x) { return x >= 2.0 && x <= 1e6 && x == std::floor(x); },
            "an integer from 2 to 1000000"));
    if (options.epsilon || !otherwise)
        mechanism.epsilon = read_required(
            "epsilon", options.epsilon, [](double x) { return x > 0.0 && x <= 500.0; },
            "a number in (0, 500]");
    if (options.budget_share || !otherwise)
        mechanism.budget_share = read_required(
            "budget-share", options.budget_share, [](double x) { return x >= 0.0 && x <= 1.0; },
            "a number in [0, 1]");
    if (options.variant) mechanism.variant = read_variant(*options.variant);
    validate(mechanism);
    return mechanism;
}

AdaptiveSettings read_settings(const RestrictedResponse& mechanism, const PosteriorOptions& options,
                               std::int64_t planned_users) {
    AdaptiveSettings settings;
    settings.mechanism = mechanism;
    settings.rule = subset_rule_from_string(options.rule.value_or("honest-response"));
    settings.sampler = read_sampler(options, planned_users);
    if (options.prior)
        settings.prior.assign(
            static_cast<std::size_t>(mechanism.categories),
            read_option(
                "prior", *options.prior, [](double x) { return x >= 1e-6 && x <= 1e9; },
                "a number from 0.000001 to 1000000000"));
    settings.seed = read_seed(options.seed.value_or("1"));
    return settings;
}

std::string rule_statement(const SubsetRule& rule, const RestrictedResponse& asked) {
    if (!std::holds_alternative<SemiAdaptive>(rule)) return to_string(rule);
    if (asked.variant == ResponseVariant::as_released)
        return fmt::format("{}, as released: eps1 = eps, eps2 = 0", to_string(rule));
    return fmt::format("{}, theorem: eps1 = {} eps", to_string(rule), asked.budget_share);
}

std::string privacy_statement(const RestrictedResponse& mechanism) {
    if (mechanism.variant == ResponseVariant::theorem)
        return fmt::format("{}-LDP by aydin2024 Theorem 1", mechanism.epsilon);
    const ResponseAudit audit = audit_worst_size(mechanism);
    if (audit.epsilon.lower <= mechanism.epsilon)
        return fmt::format("as released; true epsilon = {} (audited)",
                           text_not_below(audit.epsilon.upper));
    return fmt::format("not {}-LDP: true epsilon = {} (audited, |S| = {})", mechanism.epsilon,
                       text_not_below(audit.epsilon.upper), audit.subset_size);
}

}  // namespace assay::cli
