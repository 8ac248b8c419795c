#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "assay/cli/local_commands.hpp"
#include "assay/cli/local_input.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/cli/output_file.hpp"
#include "assay/cli/response_file.hpp"
#include "assay/files/atomic_file.hpp"
#include "assay/files/file_lock.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/ldp/maximum_likelihood.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace ldp_estimate_command {

constexpr const char* help =
    R"(Estimates the frequencies of categories from private answers.

Examples:
  assay ldp estimate responses.csv --categories 10 --epsilon 1 \
      --budget-share 0.9
  assay ldp estimate today.csv --categories 10 --epsilon 1 --budget-share 0.9 \
      --updates 1 --state collection.state --next-subset next.txt \
      --out estimates.csv
  cat responses.csv | assay ldp estimate - --categories 10 --epsilon 1 \
      --budget-share 0.9

Reads one answer a line, "y,S": the category that was answered and, separated by
blanks, the set it was asked with (nothing: standard randomised response).
Prints CSV: after so many answers, each category's posterior mean and credible
interval. An update of the Gibbs sampler takes K operations for every distinct
set with an answer outside it, one of langevin K times the subsample: with many
distinct sets langevin is faster.
)";

struct Options {
    LocalMechanismOptions mechanism;
    PosteriorOptions posterior;
    std::string responses;
    std::optional<std::string> out, state, next_subset, every, final_updates, level;
    std::string method = "posterior";
    bool again = false;
};

/// What the command line asks the estimates to be.
struct Asked {
    int updates = 10'000;
    double level = 0.95;
    bool maximum_likelihood = false;
    std::int64_t every = 0;  // 0: at the end alone
};

/// What decides theta_t, which only a state and the next set depend on.
void refuse_unused(const PosteriorOptions& given) {
    const std::pair<const char*, const std::optional<std::string>&> all[] = {
        {"sampler", given.sampler},       {"updates", given.updates},
        {"subsample", given.subsample},   {"step", given.step},
        {"step-delay", given.step_delay}, {"step-power", given.step_power},
        {"prior", given.prior},           {"seed", given.seed}};
    for (const auto& [name, text] : all)
        if (text)
            throw DomainError(name, *text,
                              "only with --method posterior, or for --state or --next-subset");
}

Asked read_asked(const Options& options) {
    Asked asked;
    if (options.method != "posterior" && options.method != "maximum-likelihood")
        throw DomainError("method", options.method, "posterior or maximum-likelihood");
    asked.maximum_likelihood = options.method == "maximum-likelihood";
    const char* const what = "only with --method posterior";
    if (options.final_updates) {
        if (asked.maximum_likelihood)
            throw DomainError("final-updates", *options.final_updates, what);
        asked.updates = static_cast<int>(read_option(
            "final-updates", *options.final_updates,
            [](double x) { return x >= 100.0 && x <= 1e7 && x == std::floor(x); },
            "an integer from 100, to have quantiles, to 10000000"));
    }
    if (options.level) {
        if (asked.maximum_likelihood) throw DomainError("level", *options.level, what);
        asked.level = read_option(
            "level", *options.level, [](double x) { return x > 0.0 && x < 1.0; }, "0 < level < 1");
    }
    if (asked.maximum_likelihood && !options.state && !options.next_subset)
        refuse_unused(options.posterior);
    if (options.every) asked.every = read_integer_option("every", *options.every, 4'000'000'000);
    return asked;
}

/// A collection as the options say it.
AdaptiveSettings settings_of(const Options& options) {
    const RestrictedResponse asked = read_mechanism(options.mechanism);
    AdaptiveSettings settings = read_settings(asked, options.posterior, 0);
    settings.mechanism = mechanism_for(settings.rule, asked);
    return settings;
}

/// The same, and what the options leave out as the state has it.
AdaptiveSettings overlaid(const Options& options, const AdaptiveSettings& state) {
    PosteriorOptions given = options.posterior;
    if (!given.sampler)
        given.sampler = std::holds_alternative<GibbsSettings>(state.sampler) ? "gibbs" : "langevin";
    const RestrictedResponse mechanism = read_mechanism(options.mechanism, state.mechanism);
    AdaptiveSettings asked = read_settings(mechanism, given, 0);
    if (!given.rule) asked.rule = state.rule;
    if (!given.prior) asked.prior = state.prior;
    if (!given.seed) asked.seed = state.seed;
    asked.mechanism = mechanism_for(asked.rule, mechanism);
    if (const auto* kept = std::get_if<GibbsSettings>(&state.sampler)) {
        auto* found = std::get_if<GibbsSettings>(&asked.sampler);
        if (found != nullptr && !given.updates) found->updates = kept->updates;
    } else if (auto* found = std::get_if<LangevinSettings>(&asked.sampler)) {
        const auto& langevin = std::get<LangevinSettings>(state.sampler);
        if (!given.updates) found->updates = langevin.updates;
        if (!given.subsample) found->subsample = langevin.subsample;
        if (!given.step && !given.step_delay && !given.step_power) found->step = langevin.step;
    }
    return asked;
}

int updates_of(const AdaptiveSettings& settings) {
    return std::visit([](const auto& sampler) { return sampler.updates; }, settings.sampler);
}

/// Refuses a state that is not what the options ask for, and says in what.
void require_same(const std::string& name, const AdaptiveSettings& there,
                  const AdaptiveSettings& here) {
    const auto compare = [&](const char* what, const auto& a, const auto& b) {
        if (a != b)
            throw DomainError("state", name, fmt::format("{}: {} there, {} here", what, a, b));
    };
    compare("categories", there.mechanism.categories, here.mechanism.categories);
    compare("epsilon", there.mechanism.epsilon, here.mechanism.epsilon);
    compare("budget share", there.mechanism.budget_share, here.mechanism.budget_share);
    compare("variant", to_string(there.mechanism.variant), to_string(here.mechanism.variant));
    compare("rule", to_string(there.rule), to_string(here.rule));
    compare("seed", there.seed, here.seed);
    compare("sampler", there.sampler.index() == 0 ? "langevin" : "gibbs",
            here.sampler.index() == 0 ? "langevin" : "gibbs");
    compare("updates", updates_of(there), updates_of(here));
    if (there.prior != here.prior || there.sampler != here.sampler)
        throw DomainError("state", name, "a state of the prior, subsample and step given");
}

/// The state of the file, where there is one, or a new beginning.
AdaptiveEstimator begin(const Options& options) {
    if (options.state && std::filesystem::exists(*options.state)) {
        AdaptiveEstimator estimator = AdaptiveEstimator::restore(*options.state);
        require_same(*options.state, estimator.settings(), overlaid(options, estimator.settings()));
        return estimator;
    }
    return AdaptiveEstimator(settings_of(options));
}

/// Whether theta, from which the next set is chosen, follows the answers.
bool follows(const AdaptiveSettings& settings) {
    return updates_of(settings) > 0;
}

/// What kind of number follows, and how private the answers were.
std::string heading(const Asked& asked, const AdaptiveSettings& settings,
                    const std::optional<PosteriorEstimate>& last) {
    const std::string sampler =
        last && last->mean_sum_phi
            ? fmt::format(
                  "SGLD, which is approximate (mean of sum phi {:.4g}, {:.4g} under the "
                  "posterior)",
                  *last->mean_sum_phi, last->expected_sum_phi)
            : "the Gibbs sampler";
    // Of the two readings of the rule the mechanism in use tells: at share 1 eps2 is 0.
    const std::string reading =
        std::holds_alternative<SemiAdaptive>(settings.rule)
            ? fmt::format("; {} with eps1 = {} eps", to_string(settings.rule),
                          settings.mechanism.budget_share)
            : "";
    const std::string what =
        asked.maximum_likelihood
            ? "maximum likelihood, without intervals"
            : fmt::format("posterior mean and credible intervals of level {}, {} draws of {}",
                          asked.level, asked.updates - asked.updates / 2, sampler);
    return fmt::format("# statistical: {}; {}{}\nresponses,category,estimate,lower,upper\n", what,
                       privacy_statement(settings.mechanism), reading);
}

/// The lines of all estimates, and the last one of the posterior.
struct Estimates {
    std::string csv{};
    std::optional<PosteriorEstimate> last{};

    void add(const AdaptiveEstimator& estimator, const Asked& asked, std::ostream& err) {
        const auto n = estimator.responses();
        if (asked.maximum_likelihood) {
            const WorkingNotice notice(err, "maximizing the likelihood");
            const MaximumLikelihood found = maximum_likelihood(estimator.history());
            for (std::size_t i = 0; i < found.theta.size(); ++i)
                csv += fmt::format("{},{},{},,\n", n, i + 1, found.theta[i]);
            return;
        }
        ProgressLine line(err);
        double done = 0.0;
        last = estimator.estimate(asked.updates, asked.updates / 2, asked.level, [&](int steps) {
            done += steps;
            line.show({done, static_cast<double>(asked.updates)}, "updates");
        });
        for (std::size_t i = 0; i < last->mean.size(); ++i)
            csv += fmt::format("{},{},{},{},{}\n", n, i + 1, last->mean[i], last->lower[i],
                               last->upper[i]);
    }
};

/// How far a file has been read; each estimate shows its own progress.
class ReadingProgress {
public:
    ReadingProgress(std::istream& in, const std::string& name, const Asked& asked,
                    std::ostream& err)
        : in_(in), line_(err) {
        std::error_code none;
        if (asked.every == 0 && std::filesystem::is_regular_file(name, none))
            bytes_ = static_cast<double>(std::filesystem::file_size(name));
    }

    void add_answer() {
        if (bytes_ == 0.0) return;
        ++answers_;
        if (bytes_ < buffered) {
            line_.show([&] { return fmt::format("{} answers", answers_); });
        } else if (answers_ % 256 == 0) {
            const auto read = static_cast<double>(in_.tellg());
            if (read > 0.0) line_.show({read, bytes_}, "bytes");  // none at the end of the file
        }
    }

private:
    static constexpr double buffered = 0x1p20;  // of smaller files, the bytes read tell nothing

    std::istream& in_;
    ProgressLine line_;
    double bytes_ = 0.0;
    std::int64_t answers_ = 0;
};

/// Fewer answers may be the same by chance: people are often asked one by one.
constexpr std::int64_t same_by_chance = 20;

/// What was taken, and what the state has taken before that it begins with.
struct Taken {
    TakenInput input;
    std::optional<TakenInput> begins_with{};
};

/// Every answer of the input, with an estimate after each `every` of them.
Taken take_all(std::istream& in, const std::string& name, const Asked& asked,
               AdaptiveEstimator& estimator, Estimates& estimates, std::ostream& err) {
    ReadingProgress progress(in, name, asked, err);
    Taken taken;
    const ResponseSummary found = read_responses(
        in, name, estimator.categories(),
        [&](const CategorySubset& subset, int response, const ResponseSummary& so_far) {
            estimator.feed(subset, response);
            for (const TakenInput& earlier : estimator.inputs())
                if (so_far.answers >= same_by_chance &&
                    earlier.is_same({so_far.digest, so_far.answers, 0}))
                    taken.begins_with = earlier;
            progress.add_answer();
            if (asked.every > 0 && estimator.responses() % asked.every == 0)
                estimates.add(estimator, asked, err);
        });
    taken.input = {found.digest, found.answers, std::time(nullptr)};
    return taken;
}

/// Refuses answers that the state has already: all of them, or the first ones.
void require_new(const Taken& taken, const std::string& name, const Options& options,
                 const AdaptiveEstimator& estimator) {
    const TakenInput& input = taken.input;
    if (options.again || (options.responses == "-" && input.answers < same_by_chance)) return;
    std::optional<TakenInput> before = taken.begins_with;
    for (const TakenInput& earlier : estimator.inputs())
        if (earlier.is_same(input)) before = earlier;
    if (!before) return;
    throw Error(fmt::format(
        "responses: the {} {} answers of {} were taken on {:%Y-%m-%d at %H:%M:%S} UTC and would "
        "count twice; --again takes them all the same",
        before->is_same(input) ? "same" : "first", before->answers, name,
        fmt::gmtime(static_cast<std::time_t>(before->taken_at))));
}

void run(const Options& options, Streams& streams) {
    const Asked asked = read_asked(options);
    require_output_files({options.out, options.state, options.next_subset}, options.responses);
    std::optional<FileLock> lock;
    if (options.state) lock.emplace(*options.state);
    AdaptiveEstimator estimator = begin(options);
    if (options.next_subset && !follows(estimator.settings()))
        throw DomainError("next-subset", *options.next_subset,
                          "with --updates 1 or more, which let the set follow the answers");
    Estimates estimates;
    const auto take_from = [&](std::istream& in, const std::string& name) {
        return take_all(in, name, asked, estimator, estimates, streams.err);
    };
    const bool is_standard_input = options.responses == "-";
    const std::string name = is_standard_input ? "standard input" : options.responses;
    Taken taken;
    if (is_standard_input) {
        taken = take_from(streams.in, name);
    } else {
        std::ifstream file = open_file(options.responses);
        taken = take_from(file, name);
    }
    if (estimator.responses() == 0) throw Error("responses: there is no answer to estimate from");
    require_new(taken, name, options, estimator);
    if (taken.input.answers > 0) estimator.note_input(taken.input);
    if (asked.every == 0 || estimator.responses() % asked.every != 0)
        estimates.add(estimator, asked, streams.err);
    const std::string csv = heading(asked, estimator.settings(), estimates.last) + estimates.csv;
    // Nothing is written before everything is known.
    if (options.out)
        write_file_atomically(*options.out, csv);
    else
        streams.out << csv << std::flush;
    if (!streams.out) throw Error("standard output cannot be written");
    if (options.next_subset)
        write_file_atomically(*options.next_subset, members_text(estimator.subset()) + "\n");
    if (options.state) estimator.save(*options.state);
}

}  // namespace ldp_estimate_command

void add_ldp_estimate_command(CLI::App& ldp, Streams& streams, int& exit_code) {
    using namespace ldp_estimate_command;
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
        "steps of the sampler behind an estimate, of which the first half is discarded (10000)");
    add("--level", options->level, "NUMBER", "of the credible intervals (0.95)");
    add("--method", options->method, "NAME", "posterior or maximum-likelihood")
        ->capture_default_str();
    add("--out", options->out, "FILE", "write the estimates there");
    add("--state", options->state, "FILE",
        "go on with the collection kept there, if any, and keep this one");
    command
        ->add_flag("--again", options->again,
                   "take answers that the state has taken before once more")
        ->disable_flag_override();
    add("--next-subset", options->next_subset, "FILE", "write the set to ask the next user with");
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
