#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "assay/account/one_accountant.hpp"
#include "assay/cli/bracket_report.hpp"
#include "assay/cli/commands.hpp"
#include "assay/cli/order_list.hpp"
#include "assay/cli/release_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/rdp/one_step.hpp"

namespace assay::cli {

namespace {

constexpr const char* help =
    R"(Brackets the Renyi divergence of one step, or of all steps together, by order.

Examples:
  assay rdp --sampling fixed-size-without-replacement --adjacency replace-one \
      --noise-multiplier 6 --batch-size 120 --dataset-size 50000
  assay rdp --sampling poisson --adjacency add-remove --noise-multiplier 2 \
      --sampling-probability 0.01 --steps 1000 --orders 2:10:0.1,12,16 --json
  assay rdp --adjacency add-remove --schedule plan.toml --orders opacus

Prints CSV: order, lower and upper bound, best published bound, theorem.
)";

struct Options {
    PrivacyOptions privacy;
    std::string orders = "opacus";
};

/// One order of the composed curve; the theorems of all phases, without repetition.
struct Row {
    double order = 0.0;
    double lower = 0.0;
    double upper = 0.0;
    double published_upper = 0.0;
    std::vector<Theorem> theorems;
    std::vector<Theorem> published_theorems;
};

/// Adds steps * bound to `sum` (upper bounds rounded up, lower ones down) and notes its theorem.
void add(double& sum, const Bound& bound, std::int64_t steps, std::vector<Theorem>* theorems) {
    const real total = sum + static_cast<real>(bound.value) * static_cast<real>(steps);
    // Two roundings to 64 bits; a factor 1 -+ 4u is more than both.
    const bool is_upper = bound.direction == Direction::upper;
    const real slack = 4.0L * unit_roundoff;
    if (steps != 1 || sum != 0.0)
        sum = is_upper ? round_up(total * (1.0L + slack)) : round_down(total * (1.0L - slack));
    else
        sum = bound.value;
    if (theorems == nullptr) return;
    if (std::find(theorems->begin(), theorems->end(), bound.theorem) == theorems->end())
        theorems->push_back(bound.theorem);
}

std::vector<Row> composed_curve(const ReleaseInput& input, const std::vector<double>& orders) {
    std::vector<Row> rows(orders.size());
    for (const Phase& phase : steps_of(input.release)) {
        const auto curve = one_step_rdp(phase.mechanism, input.release.adjacency, orders);
        for (std::size_t i = 0; i < orders.size(); ++i) {
            Row& row = rows[i];
            const OneStep& step = curve[i];
            const bool any = input.standing == StandingFilter::any;
            row.order = orders[i];
            add(row.lower, step.lower, phase.repetitions, nullptr);
            add(row.upper, any ? step.upper : step.published_upper, phase.repetitions,
                &row.theorems);
            add(row.published_upper, step.published_upper, phase.repetitions,
                &row.published_theorems);
        }
    }
    return rows;
}

std::string citations(const std::vector<Theorem>& theorems) {
    std::string text;
    for (const Theorem& theorem : theorems)
        text += (text.empty() ? "" : "; ") + std::string(theorem.citation);
    return text;
}

Standing standing(const std::vector<Theorem>& theorems) {
    const bool published = std::all_of(theorems.begin(), theorems.end(), [](const Theorem& t) {
        return t.standing == Standing::published;
    });
    return published ? Standing::published : Standing::ours;
}

std::string csv(const std::vector<Row>& rows) {
    std::string text = "order,lower,upper,published_upper,theorem\n";
    for (const Row& row : rows)
        text += fmt::format("{},{},{},{},\"{}\"\n", row.order, row.lower, row.upper,
                            row.published_upper, citations(row.theorems));
    return text;
}

Json json(const std::vector<Row>& rows, const ReleaseInput& input) {
    Json curve = Json::array();
    for (const Row& row : rows)
        curve.push_back({{"order", row.order},
                         {"lower", json_number(row.lower)},
                         {"upper", json_number(row.upper)},
                         {"published_upper", json_number(row.published_upper)},
                         {"theorem", citations(row.theorems)},
                         {"standing", to_string(standing(row.theorems))},
                         {"published_theorem", citations(row.published_theorems)},
                         {"status", std::isfinite(row.upper) ? "certified" : "vacuous"}});
    return {{"quantity", "rdp"},
            {"unit", "nats"},
            {"adjacency", to_string(input.release.adjacency)},
            {"phases", input.phases_json()},
            {"standing", input.standing == StandingFilter::any ? "any" : "published"},
            {"curve", curve},
            {"assumptions", input.assumptions()},
            {"version", build_info().version}};
}

void run(const Options& options, Streams& streams) {
    const ReleaseInput input = read_release(options.privacy, 1);
    const std::vector<Row> rows = composed_curve(input, read_orders(options.orders));
    streams.out << (options.privacy.json ? json(rows, input).dump(2) + '\n' : csv(rows));
}

}  // namespace

void add_rdp_command(CLI::App& program, Streams& streams, int& exit_code) {
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
