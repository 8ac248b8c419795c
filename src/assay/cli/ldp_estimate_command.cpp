#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "assay/cli/local_commands.hpp"
#include "assay/cli/local_input.hpp"
#include "assay/cli/output_file.hpp"
#include "assay/cli/phase_input.hpp"
#include "assay/cli/response_file.hpp"
#include "assay/ldp/maximum_likelihood.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/record/atomic_file.hpp"

namespace assay::cli {

namespace {

constexpr const char* help =
    "Examples:\n"
    "  assay ldp estimate responses.csv --categories 10 --epsilon 1 --budget-share 0.9\n"
    "  assay ldp estimate today.csv --categories 10 --epsilon 1 --budget-share 0.9 \\\n"
    "      --updates 1 --state collection.state --next-subset next.txt --out estimates.csv\n"
    "  cat responses.csv | assay ldp estimate - --categories 10 --epsilon 1 --budget-share 0.9\n\n"
    "Estimates theta from answers. One answer a line, \"y,S\": the category that was answered "
    "and,\n"
    "separated by blanks, the set it was asked with (nothing: standard randomised response).\n"
    "Prints CSV: after so many answers, each category's posterior mean and credible interval.\n";

struct Options {
    LocalMechanismOptions mechanism;
    PosteriorOptions posterior;
    std::string responses;
    std::optional<std::string> out, state, next_subset, every, final_updates, level;
    std::string method = "posterior";
};

/// What the command line asks the estimates to be.
struct Asked {
    int updates = 10'000;
    double level = 0.95;
    bool maximum_likelihood = false;
    std::int64_t every = 0;  // 0: at the end alone
};

Asked read_asked(const Options& options) {
    Asked asked;
    if (options.method != "posterior" && options.method != "maximum-likelihood")
        throw DomainError("method", options.method, "posterior or maximum-likelihood");
    asked.maximum_likelihood = options.method == "maximum-likelihood";
    const char* const what = "only with --method posterior";
    if (options.final_updates) {
        if (asked.maximum_likelihood)
            throw DomainError("final-updates", *options.final_updates, what);
        asked.updates = static_cast<int>(
            read_integer_option("final-updates", *options.final_updates, 10'000'000));
        require(asked.updates >= 100, "final-updates", asked.updates,
                "100 or more, to have quantiles");
    }
    if (options.level) {
        if (asked.maximum_likelihood) throw DomainError("level", *options.level, what);
        asked.level = read_option(
            "level", *options.level, [](double x) { return x > 0.0 && x < 1.0; }, "0 < level < 1");
    }
    if (options.every) asked.every = read_integer_option("every", *options.every, 4'000'000'000);
    return asked;
}

/// A collection as the options say it.
AdaptiveSettings settings_of(const Options& options, const RestrictedResponse& mechanism) {
    AdaptiveSettings settings = read_settings(mechanism, options.posterior, 1);
    // How many will answer is not known: 0.5/(1 + t) is the paper's step once T = t answered.
    if (auto* langevin = std::get_if<LangevinSettings>(&settings.sampler);
        langevin != nullptr && !options.posterior.step)
        langevin->step = {.first = 0.5, .delay = 1.0, .power = 1.0};
    return settings;
}

/// The same, and what the options leave out as the state has it.
AdaptiveSettings overlaid(const Options& options, const AdaptiveSettings& state) {
    const PosteriorOptions& given = options.posterior;
    const bool has_mechanism =
        options.mechanism.categories || options.mechanism.epsilon || options.mechanism.budget_share;
    AdaptiveSettings asked =
        settings_of(options, has_mechanism ? read_mechanism(options.mechanism) : state.mechanism);
    if (!given.rule) asked.rule = state.rule;
    if (!given.prior) asked.prior = state.prior;
    if (!given.seed) asked.seed = state.seed;
    if (!given.sampler && !given.updates && !given.subsample && !given.step)
        asked.sampler = state.sampler;
    return asked;
}

bool is_same(const AdaptiveSettings& a, const AdaptiveSettings& b) {
    return a.mechanism.categories == b.mechanism.categories &&
           a.mechanism.epsilon == b.mechanism.epsilon &&
           a.mechanism.budget_share == b.mechanism.budget_share &&
           a.mechanism.variant == b.mechanism.variant && a.rule == b.rule && a.prior == b.prior &&
           a.seed == b.seed && a.sampler == b.sampler;
}

/// The state of the file, where there is one, or a new beginning.
AdaptiveEstimator begin(const Options& options) {
    if (options.state && std::filesystem::exists(*options.state)) {
        std::istringstream in(read_file(*options.state));
        AdaptiveEstimator estimator = AdaptiveEstimator::restore(in, *options.state);
        if (!is_same(overlaid(options, estimator.settings()), estimator.settings()))
            throw DomainError("state", *options.state,
                              "a state of the mechanism, rule, sampler, prior and seed given");
        return estimator;
    }
    return AdaptiveEstimator(settings_of(options, read_mechanism(options.mechanism)));
}

/// Whether theta, from which the next set is chosen, follows the answers.
bool follows(const AdaptiveSettings& settings) {
    return std::visit([](const auto& sampler) { return sampler.updates > 0; }, settings.sampler);
}

/// What kind of number follows, and how private the answers were.
std::string heading(const Asked& asked, const AdaptiveSettings& settings) {
    const bool is_exact = std::holds_alternative<GibbsSettings>(settings.sampler);
    const std::string what =
        asked.maximum_likelihood
            ? "maximum likelihood, without intervals"
            : fmt::format("posterior mean and credible intervals of level {}, {} draws of {}",
                          asked.level, asked.updates - asked.updates / 2,
                          is_exact ? "the Gibbs sampler" : "SGLD, which is approximate");
    return fmt::format("# statistical: {}; {}\nresponses,category,estimate,lower,upper\n", what,
                       privacy_statement(settings.mechanism));
}

void append_estimate(std::string& csv, const AdaptiveEstimator& estimator, const Asked& asked) {
    const auto n = estimator.responses();
    if (asked.maximum_likelihood) {
        const MaximumLikelihood found = maximum_likelihood(estimator.history());
        for (std::size_t i = 0; i < found.theta.size(); ++i)
            csv += fmt::format("{},{},{},,\n", n, i + 1, found.theta[i]);
        return;
    }
    const PosteriorEstimate found =
        estimator.estimate(asked.updates, asked.updates / 2, asked.level);
    for (std::size_t i = 0; i < found.mean.size(); ++i)
        csv += fmt::format("{},{},{},{},{}\n", n, i + 1, found.mean[i], found.lower[i],
                           found.upper[i]);
}

std::string text_of(const CategorySubset& subset) {
    std::vector<int> members;
    members.reserve(static_cast<std::size_t>(subset.size()));
    for (int i = 0; i < subset.size(); ++i) members.push_back(subset.member(i) + 1);
    return fmt::format("{}\n", fmt::join(members, " "));
}

/// Every answer of the input, with an estimate after each `every` of them.
void take_all(std::istream& in, const std::string& name, const Asked& asked,
              AdaptiveEstimator& estimator, std::string& csv) {
    read_responses(in, name, estimator.categories(),
                   [&](const CategorySubset& subset, int response) {
                       estimator.feed(subset, response);
                       if (asked.every > 0 && estimator.responses() % asked.every == 0)
                           append_estimate(csv, estimator, asked);
                   });
}

void run(const Options& options, Streams& streams) {
    const Asked asked = read_asked(options);
    require_output_files({options.out, options.state, options.next_subset});
    for (const auto& output : {options.out, options.state, options.next_subset})
        if (output && options.responses == *output)
            throw FileError(*output, 0, "cannot be written: it is the input");
    AdaptiveEstimator estimator = begin(options);
    if (options.next_subset && !follows(estimator.settings()))
        throw DomainError("next-subset", *options.next_subset,
                          "with --updates 1 or more, which let the set follow the answers");
    std::string csv = heading(asked, estimator.settings());
    if (options.responses == "-") {
        take_all(streams.in, "standard input", asked, estimator, csv);
    } else {
        std::ifstream file(options.responses);
        if (!file || std::filesystem::is_directory(options.responses))
            throw FileError(options.responses, 0, "cannot be read");
        take_all(file, options.responses, asked, estimator, csv);
    }
    if (estimator.responses() == 0) throw Error("responses: there is no answer to estimate from");
    if (asked.every == 0 || estimator.responses() % asked.every != 0)
        append_estimate(csv, estimator, asked);
    // Nothing is written before everything is known.
    if (options.out)
        write_file_atomically(*options.out, csv);
    else
        streams.out << csv << std::flush;
    if (!streams.out) throw Error("standard output cannot be written");
    if (options.next_subset)
        write_file_atomically(*options.next_subset, text_of(estimator.subset()));
    if (options.state) {
        std::ostringstream state;
        estimator.save(state, *options.state);
        write_file_atomically(*options.state, state.str());
    }
}

}  // namespace

void add_ldp_estimate_command(CLI::App& ldp, Streams& streams, int& exit_code) {
    auto options = std::make_shared<Options>();
    // The answers are there already: nothing need be drawn between them, and the exact sampler is
    // affordable.
    options->posterior.default_sampler = "gibbs";
    options->posterior.default_updates = 0;
    CLI::App* command = ldp.add_subcommand("estimate", help);
    command->add_option("responses", options->responses, "CSV of answers, - for standard input")
        ->type_name("FILE")
        ->required();
    add_mechanism_options(*command, options->mechanism);
    add_posterior_options(*command, options->posterior);
    const auto add = [&](const char* name, auto& target, const char* type, const char* text) {
        return command->add_option(name, target, text)->type_name(type);
    };
    add("--every", options->every, "INTEGER", "an estimate after each so many answers");
    add("--final-updates", options->final_updates, "INTEGER",
        "steps of the sampler behind an estimate; the first half is discarded; 10000");
    add("--level", options->level, "NUMBER", "of the credible intervals; 0.95");
    add("--method", options->method, "NAME", "posterior or maximum-likelihood")
        ->capture_default_str();
    add("--out", options->out, "FILE", "write the estimates there");
    add("--state", options->state, "FILE",
        "go on with the collection kept there, if any, and keep this one");
    add("--next-subset", options->next_subset, "FILE", "write the set to ask the next user with");
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
