#include "assay/cli/monte_carlo_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>

#include "assay/cli/monte_carlo_orders.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/files/build_info.hpp"
#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/parallel/for_each_task.hpp"

namespace assay::cli {

namespace {

constexpr std::int64_t most_batches = 1'000'000'000'000;
constexpr std::int64_t most_epochs = 1'000'000;
constexpr std::int64_t most_samples = 1'000'000'000'000'000;
constexpr std::size_t most_epsilons = 200;

std::vector<double> read_epsilons(const std::string& text) {
    constexpr const char* admitted = "finite numbers as 0.5,1,2, at most 200 of them";
    std::vector<double> epsilons = read_numbers(
        "epsilons", text, [](double) { return true; }, admitted);
    std::vector<double> sorted = epsilons;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        throw DomainError("epsilons", text, "each number once");
    if (epsilons.size() > most_epsilons)
        throw DomainError("epsilons", fmt::format("{} numbers", epsilons.size()), admitted);
    return epsilons;
}

std::vector<LossDirection> read_directions(const std::string& text) {
    if (text == "both") return {LossDirection::removal, LossDirection::addition};
    for (const LossDirection direction : {LossDirection::removal, LossDirection::addition})
        if (text == to_string(direction)) return {direction};
    throw DomainError("direction", text, "removal, addition or both");
}

SamplingMethod read_method(const std::string& text) {
    using enum SamplingMethod;
    for (const SamplingMethod method :
         {plain, order_statistics, importance, importance_and_order_statistics, conditional})
        if (text == to_string(method)) return method;
    throw DomainError("method", text,
                      "plain, order-statistics, importance, importance-and-order-statistics or "
                      "conditional");
}

MonteCarloPlan read_plan(const Fields& fields) {
    MonteCarloPlan plan;
    plan.mechanism.noise_multiplier = read_option(
        "noise-multiplier", required(fields, "noise-multiplier", "a positive finite number"),
        [](double x) { return x > 0.0; }, "a positive finite number");
    plan.mechanism.batches_per_epoch = read_integer_option(
        "batches-per-epoch", required(fields, "batches-per-epoch", "batches in an epoch"),
        most_batches);
    plan.epsilons = read_epsilons(required(fields, "epsilons", "numbers as 0.5,1,2"));
    if (const std::string* text = find(fields, "epochs"))
        plan.epochs = read_integer_option("epochs", *text, most_epochs);
    if (const std::string* text = find(fields, "method")) plan.method = read_method(*text);
    if (const std::string* text = find(fields, "orders"))
        plan.orders = read_index_list(*text);
    else if (to_string(plan.method).ends_with("order-statistics"))
        throw Error("orders is missing: a list as 1-500,510-1000:10");
    if (const std::string* text = find(fields, "seed")) plan.seed = read_seed(*text);
    return plan;
}

RunIdentity identity(const MonteCarloInput& input) {
    const MonteCarloPlan& plan = input.plans.front();
    std::string epsilons;
    for (const double epsilon : plan.epsilons)
        epsilons += fmt::format("{}{}", epsilons.empty() ? "" : ",", epsilon);
    RunIdentity fields{
        {"noise-multiplier", fmt::format("{}", plan.mechanism.noise_multiplier)},
        {"batches-per-epoch", fmt::format("{}", plan.mechanism.batches_per_epoch)},
        {"epochs", fmt::format("{}", plan.epochs)},
        {"epsilons", epsilons},
        {"direction", input.plans.size() > 1 ? "both" : std::string(to_string(plan.direction))},
        {"method", std::string(to_string(plan.method))},
        {"samples", fmt::format("{}", input.samples_asked)},
        {"confidence-error", fmt::format("{}", input.confidence_error)},
        {"seed", fmt::format("{}", plan.seed)},
        {"version", build_info().version}};
    if (!plan.orders.empty()) fields.push_back({"orders", index_list_text(plan.orders)});
    return fields;
}

}  // namespace

std::int64_t MonteCarloInput::samples() const {
    return static_cast<std::int64_t>(blocks) * trials_per_block(plans.front());
}

double MonteCarloInput::samples_per_block() const {
    return static_cast<double>(plans.size()) * static_cast<double>(trials_per_block(plans.front()));
}

Checkpoint MonteCarloInput::empty_run() const {
    return {identity(*this), {blocks, plans.size() * number_of_sums(plans.front())}, {}, {}};
}

TrialBlock MonteCarloInput::trials(int threads) const {
    std::vector<std::shared_ptr<const MonteCarloSampler>> samplers(plans.size());
    for_each_task(threads, static_cast<std::int64_t>(plans.size()), [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        samplers[at] = std::make_shared<const MonteCarloSampler>(plans[at], threads);
    });
    return [samplers](std::uint64_t block, std::span<double> sums) {
        const std::size_t size = sums.size() / samplers.size();
        for (std::size_t i = 0; i < samplers.size(); ++i)
            samplers[i]->run_block(block, sums.subspan(i * size, size));
    };
}

std::span<const double> MonteCarloInput::sums_of(std::size_t plan,
                                                 std::span<const double> sums) const {
    const std::size_t size = sums.size() / plans.size();
    return sums.subspan(plan * size, size);
}

void add_monte_carlo_fields(CLI::App& command, Fields& fields) {
    const auto add = [&](const char* name, const char* type, const char* help) {
        add_field(command, fields, name, type, help);
    };
    add("noise-multiplier", "NUMBER",
        "noise standard deviation on the sum of clipped gradients / clip norm (required)");
    add("batches-per-epoch", "INTEGER", "batches in an epoch (required)");
    add("epochs", "INTEGER", "epochs, each with batches of its own (1)");
    add("epsilons", "LIST", "as 0.5,1,2; negative ones as well (required)");
    add("direction", "NAME", "removal, addition or both (both)");
    add("method", "NAME",
        "plain, order-statistics, importance, importance-and-order-statistics or conditional "
        "(plain)");
    add("orders", "LIST", "order statistics, first-last:step: 1-500,510-1000:10");
    add("samples", "INTEGER", "of each direction; rounded up to whole blocks (required)");
    add("confidence-error", "NUMBER", "beta, with which a confidence bound may fail (0.001)");
    add("seed", "INTEGER", "of the random numbers (1)");
}

MonteCarloInput read_monte_carlo(const Fields& fields) {
    MonteCarloInput input;
    const std::string* direction = find(fields, "direction");
    MonteCarloPlan plan = read_plan(fields);
    for (const LossDirection one : read_directions(direction == nullptr ? "both" : *direction)) {
        plan.direction = one;
        validate(plan);
        input.plans.push_back(plan);
    }
    input.samples_asked = read_integer_option(
        "samples", required(fields, "samples", "how many to draw"), most_samples);
    const auto trials = static_cast<std::uint64_t>(trials_per_block(plan));
    input.blocks = (static_cast<std::uint64_t>(input.samples_asked) + trials - 1) / trials;
    const std::string* beta = find(fields, "confidence-error");
    input.confidence_error = read_option(
        "confidence-error", beta == nullptr ? "0.001" : *beta,
        [](double x) { return x > 0.0 && x < 1.0; }, "0 < beta < 1");
    return input;
}

MonteCarloInput read_monte_carlo(const RunIdentity& identity) {
    Fields fields;
    for (const auto& [name, value] : identity) fields[name] = value;
    return read_monte_carlo(fields);
}

}  // namespace assay::cli
