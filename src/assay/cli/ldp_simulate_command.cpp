#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "assay/cli/json_number.hpp"
#include "assay/cli/local_commands.hpp"
#include "assay/cli/local_input.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/output_file.hpp"
#include "assay/cli/response_file.hpp"
#include "assay/files/atomic_file.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/ldp/simulation.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/numeric/sample_quantile.hpp"

namespace assay::cli {

namespace ldp_simulate_command {

constexpr const char* help =
    R"(Simulates a population that answers under local differential privacy.

Examples:
  assay ldp simulate --categories 10 --epsilon 1 --budget-share 0.9 \
      --users 5000
  assay ldp simulate --categories 20 --epsilon 0.5 --budget-share 0.8 \
      --users 10000 --rule semi-adaptive-0.9 --concentration 0.1 --runs 50
  assay ldp simulate --categories 10 --epsilon 1 --budget-share 0.9 \
      --users 5000 --rule honest-response --responses responses.csv

Draws theta ~ Dirichlet(rho, .., rho), lets the users answer one after the other
and compares theta with the posterior mean over the second half of the final
updates. Run i has the same population whatever the mechanism and rule.
With --variant as-released the non-adaptive and semi-adaptive rules run the
mechanism of Theorem 1 (the latter with budget share 1), as the authors' program
does. Mean |S| counts 0 where a utility chose S empty, and K for the
non-adaptive rule, as the paper does.
)";

constexpr std::int64_t most_users = 4'000'000'000;

struct Options {
    LocalMechanismOptions mechanism;
    PosteriorOptions posterior;
    std::optional<std::string> users;
    std::string concentration = "1";
    std::string final_updates = "2000";
    std::string runs = "1";
    std::optional<std::string> responses;
    bool json = false;
};

/// One run, its answers written as `assay ldp estimate` reads them.
SimulationResult run_written(const SimulationPlan& plan, const std::string& file,
                             std::ostream& err) {
    ProgressLine line(err);
    std::int64_t done = 0;
    std::string text = "response,subset\n";
    SimulationResult result = simulate(
        plan, 0,
        [&](std::int64_t answers) {
            done += answers;
            line.show({static_cast<double>(done), static_cast<double>(plan.users)}, "answers");
        },
        [&](const CategorySubset& subset, int response) {
            text += fmt::format("{},{}\n", response + 1, members_text(subset));
        });
    write_file_atomically(file, text);
    return result;
}

std::vector<SimulationResult> run_all(const SimulationPlan& plan, std::int64_t runs,
                                      std::ostream& err) {
    ProgressLine line(err);
    std::atomic<std::int64_t> done = 0;
    const auto all = static_cast<double>(runs * plan.users);
    std::vector<SimulationResult> results(static_cast<std::size_t>(runs));
    tbb::parallel_for(std::size_t{0}, results.size(), [&](std::size_t run) {
        results[run] = simulate(plan, static_cast<std::uint64_t>(run), [&](std::int64_t answers) {
            line.show({static_cast<double>(done += answers), all}, "answers");
        });
    });
    return results;
}

void run(const Options& options, Streams& streams) {
    const RestrictedResponse asked = read_mechanism(options.mechanism);
    if (!options.users) throw Error("users is missing: how many answer");
    SimulationPlan plan;
    plan.users = read_integer_option("users", *options.users, most_users);
    plan.settings = read_settings(asked, options.posterior, plan.users);
    const RestrictedResponse mechanism = mechanism_for(plan.settings.rule, asked);
    plan.settings.mechanism = mechanism;
    plan.concentration = read_option(
        "concentration", options.concentration, [](double x) { return x > 0.0 && x <= 1e6; },
        "a number in (0, 1000000]");
    plan.final_updates =
        static_cast<int>(read_integer_option("final-updates", options.final_updates, 10'000'000));
    plan.discarded = plan.final_updates / 2;
    const std::int64_t runs = read_integer_option("runs", options.runs, 1'000'000);
    require_output_files({options.responses});
    if (options.responses && runs > 1)
        throw Error("--responses writes the answers of one run: leave out --runs");
    const std::vector<SimulationResult> results =
        options.responses ? std::vector{run_written(plan, *options.responses, streams.err)}
                          : run_all(plan, runs, streams.err);

    std::vector<double> errors;
    double size = 0.0;
    double sum_phi = 0.0;
    for (const SimulationResult& result : results) {
        errors.push_back(result.total_variation);
        size += result.mean_subset_size / static_cast<double>(runs);
        sum_phi += result.mean_sum_phi / static_cast<double>(runs);
    }
    const std::vector<double> by_run = errors;
    const bool has_phi = std::holds_alternative<LangevinSettings>(plan.settings.sampler);
    const double expected_sum_phi =
        plan.settings.prior.empty()
            ? mechanism.categories
            : std::accumulate(plan.settings.prior.begin(), plan.settings.prior.end(), 0.0);
    std::ranges::sort(errors);
    if (options.json) {
        streams.out << Json{{"quantity", "total_variation"},
                            {"status", "statistical"},
                            {"privacy", privacy_statement(mechanism)},
                            {"categories", mechanism.categories},
                            {"epsilon", mechanism.epsilon},
                            {"budget_share", mechanism.budget_share},
                            {"variant", to_string(mechanism.variant)},
                            {"concentration", plan.concentration},
                            {"sampler", has_phi ? "langevin" : "gibbs"},
                            {"final_updates", plan.final_updates},
                            {"rule", to_string(plan.settings.rule)},
                            {"reading", rule_statement(plan.settings.rule, asked)},
                            {"users", plan.users},
                            {"runs", runs},
                            {"seed", plan.settings.seed},
                            {"median", sample_quantile(errors, 0.5)},
                            {"lower_quartile", sample_quantile(errors, 0.25)},
                            {"upper_quartile", sample_quantile(errors, 0.75)},
                            {"mean_subset_size", size},
                            {"mean_sum_phi", has_phi ? Json(sum_phi) : Json(nullptr)},
                            {"expected_sum_phi", expected_sum_phi},
                            {"total_variation", by_run},
                            {"truth", results.front().truth},
                            {"estimate", results.front().estimate},
                            {"version", build_info().version}}
                           .dump(2)
                    << '\n';
        return;
    }
    streams.out << fmt::format(
        "total variation between estimate and truth (statistical): median {:.5f}, quartiles "
        "[{:.5f}, {:.5f}]\n"
        "  {} run{} of {} users, rule {}; mean |S| {:.2f}{}\n  {}, budget share {}\n",
        sample_quantile(errors, 0.5), sample_quantile(errors, 0.25), sample_quantile(errors, 0.75),
        runs, runs == 1 ? "" : "s", plan.users, rule_statement(plan.settings.rule, asked), size,
        std::holds_alternative<NonAdaptive>(plan.settings.rule) ? ", no answer is confined" : "",
        privacy_statement(mechanism), mechanism.budget_share);
    if (has_phi)
        streams.out << fmt::format(
            "  mean of sum phi {:.3f}, {:.3f} under the posterior: the rest is the sampler's "
            "bias\n",
            sum_phi, expected_sum_phi);
    if (runs > 1) return;
    streams.out << "  category  theta      estimate\n";
    for (std::size_t i = 0; i < results.front().truth.size() && i < 50; ++i)
        streams.out << fmt::format("  {:8}  {:.6f}   {:.6f}\n", i + 1, results.front().truth[i],
                                   results.front().estimate[i]);
}

}  // namespace ldp_simulate_command

void add_ldp_simulate_command(CLI::App& ldp, Streams& streams, int& exit_code) {
    using namespace ldp_simulate_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = ldp.add_subcommand("simulate", help);
    add_mechanism_options(*command, options->mechanism);
    command->add_option("--users", options->users, "how many answer (required)")
        ->type_name("INTEGER");
    command
        ->add_option("--concentration", options->concentration,
                     "rho of theta ~ Dirichlet(rho, .., rho): small is uneven")
        ->type_name("NUMBER")
        ->capture_default_str();
    command
        ->add_option("--final-updates", options->final_updates,
                     "steps of the sampler after the last answer; the first half is discarded")
        ->type_name("INTEGER")
        ->capture_default_str();
    command->add_option("--runs", options->runs, "independent populations, on all threads")
        ->type_name("INTEGER")
        ->capture_default_str();
    command
        ->add_option("--responses", options->responses,
                     "write the answers there, as `assay ldp estimate` reads them")
        ->type_name("FILE");
    add_posterior_options(*command, options->posterior);
    command->add_flag("--json", options->json, "print one JSON object with every run")
        ->disable_flag_override();
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
