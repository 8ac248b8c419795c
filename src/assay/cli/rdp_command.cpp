#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "assay/account/one_accountant.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/order_list.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/rdp/rdp_sum.hpp"

namespace assay::cli {

namespace rdp_command {

constexpr const char* help =
    R"(Brackets the Renyi divergence of one step, or of all steps together, by order.

Examples:
  assay rdp --sampling fixed-size-without-replacement --adjacency replace-one \
      --noise-multiplier 6 --batch-size 120 --dataset-size 50000
  assay rdp --sampling poisson --adjacency add-remove --noise-multiplier 2 \
      --sampling-probability 0.01 --steps 1000 --orders 2:10:0.1,12,16 --json
  assay rdp --adjacency add-remove --schedule plan.toml --orders opacus

Prints CSV: order, lower and upper bound, best published bound, theorem. Without
--steps it is one step. Epoch samplers and poisson-truncated are refused: there
are no bounds of their Renyi divergences here.
)";

struct Options {
    PrivacyOptions privacy;
    std::string orders = "opacus";
};

/// Of the theorems that are admitted.
const RdpSum& upper_of(const ComposedRdp& row, const ReleaseInput& input) {
    return input.standing == StandingFilter::any ? row.upper : row.published_upper;
}

std::string citations(const std::vector<Theorem>& theorems) {
    std::string text;
    for (const Theorem& theorem : theorems)
        text += (text.empty() ? "" : "; ") + std::string(theorem.citation);
    return text;
}

std::string csv(const std::vector<ComposedRdp>& rows, const ReleaseInput& input) {
    std::string text = "order,lower,upper,published_upper,theorem\n";
    for (const ComposedRdp& row : rows) {
        const RdpSum& upper = upper_of(row, input);
        text += fmt::format("{},{},{},{},\"{}\"\n", row.order, row.lower.value(), upper.value(),
                            row.published_upper.value(), citations(upper.theorems()));
    }
    return text;
}

Json json(const std::vector<ComposedRdp>& rows, const ReleaseInput& input) {
    Json curve = Json::array();
    for (const ComposedRdp& row : rows) {
        const RdpSum& upper = upper_of(row, input);
        curve.push_back({{"order", row.order},
                         {"lower", json_number(row.lower.value())},
                         {"upper", json_number(upper.value())},
                         {"published_upper", json_number(row.published_upper.value())},
                         {"theorem", citations(upper.theorems())},
                         {"standing", to_string(upper.standing())},
                         {"published_theorem", citations(row.published_upper.theorems())},
                         {"status", std::isfinite(upper.value()) ? "certified" : "vacuous"}});
    }
    return {{"quantity", "rdp"},
            {"unit", "nats"},
            {"adjacency", to_string(input.release.adjacency)},
            {"phases", input.phases_json()},
            {"release", release_json(input.release)},
            {"standing", input.standing == StandingFilter::any ? "any" : "published"},
            {"curve", curve},
            {"assumptions", input.assumptions()},
            {"version", build_info().version}};
}

void run(const Options& options, Streams& streams) {
    const ReleaseInput input = read_release(options.privacy, 1);
    const WorkingNotice notice(streams.err, "bounding the Renyi divergences");
    const std::vector<ComposedRdp> rows =
        composed_rdp(steps_of(input.release), input.release.adjacency, read_orders(options.orders));
    streams.out << (options.privacy.json ? json(rows, input).dump(2) + '\n' : csv(rows, input));
}

}  // namespace rdp_command

void add_rdp_command(CLI::App& program, Streams& streams, int& exit_code) {
    using namespace rdp_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("rdp", help);
    add_release_options(*command, options->privacy);
    add_standing_option(*command, options->privacy);
    command
        ->add_option("--orders", options->orders, "2,4,8 or first:last:step or opacus, also mixed")
        ->type_name("LIST")
        ->capture_default_str();
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
