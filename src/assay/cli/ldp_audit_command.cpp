#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

#include "assay/cli/json_number.hpp"
#include "assay/cli/local_commands.hpp"
#include "assay/cli/local_input.hpp"
#include "assay/cli/option_text.hpp"
#include "assay/files/bounded_input.hpp"
#include "assay/files/build_info.hpp"
#include "assay/ldp/response_audit.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace ldp_audit_command {

constexpr const char* help =
    R"(Finds the true epsilon of a local mechanism, by enumeration.

Examples:
  assay ldp audit --categories 20 --epsilon 1 --budget-share 0.9
  assay ldp audit --categories 20 --epsilon 1 --budget-share 0.9 \
      --variant as-released
  assay ldp audit --matrix mechanism.csv --json

Prints epsilon and the worst case: the answer whose probabilities under two
categories have the largest ratio. A matrix has one line for each category, the
probabilities of the answers separated by commas.
)";

struct Options {
    LocalMechanismOptions mechanism;
    std::optional<std::string> subset_size, matrix;
    bool json = false;
};

struct Matrix {
    std::vector<double> values;  // row-major
    int rows = 0;
    int columns = 0;
};

/// Why a cell is none; what stands there may hold tabs, which a message does not show.
std::string refusal(const std::string& cell) {
    if (cell.find('\t') != cell.npos)
        return "a tab between probabilities: they are separated by commas";
    return fmt::format("\"{}\" is no probability", cell);
}

Matrix read_matrix(const std::string& file) {
    Matrix matrix;
    std::istringstream lines(read_file_of_at_most(file, largest_matrix));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // byte order mark
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty() || line.starts_with('#')) continue;
        int columns = 0;
        for (const std::string& cell : list_items(line)) {
            const std::size_t first = std::min(cell.find_first_not_of(" \t"), cell.size());
            const std::size_t last = cell.find_last_not_of(" \t");
            const std::string_view text =
                std::string_view(cell).substr(first, last == cell.npos ? 0 : last + 1 - first);
            const auto value = read_decimal(text);
            if (!value || !(*value >= 0.0 && *value <= 1.0) || is_underflow(text))
                throw FileError(file, number, refusal(cell));
            matrix.values.push_back(*value);
            ++columns;
        }
        if (matrix.rows > 0 && columns != matrix.columns)
            throw FileError(
                file, number,
                fmt::format("{} probabilities where {} are due", columns, matrix.columns));
        matrix.columns = columns;
        ++matrix.rows;
    }
    if (matrix.rows < 2) throw FileError(file, 0, "a matrix needs two lines or more");
    return matrix;
}

ResponseAudit audit_mechanism(const Options& options, const RestrictedResponse& mechanism) {
    if (!options.subset_size) return audit_worst_size(mechanism);
    const std::optional<double> size = read_decimal(*options.subset_size);
    if (!size || !as_integer(*size) || *size < 0.0 || *size > mechanism.categories)
        throw DomainError(
            "subset-size", *options.subset_size,
            fmt::format("an integer from 0 to {}, the categories", mechanism.categories));
    return audit_response(mechanism, static_cast<int>(*size));
}

void report(const ResponseAudit& audit, const std::optional<RestrictedResponse>& mechanism,
            bool json, Streams& streams) {
    if (json) {
        Json answer{{"quantity", "true_epsilon"},
                    {"lower", json_number(audit.epsilon.lower)},
                    {"upper", json_number(audit.epsilon.upper)},
                    {"status", "certified"},
                    {"x", audit.truth + 1},
                    {"other_x", audit.other_truth + 1},
                    {"y", audit.response + 1}};
        if (mechanism) {
            answer["claimed_epsilon"] = mechanism->epsilon;
            answer["exceeds_claim"] = audit.epsilon.lower > mechanism->epsilon;
            answer["variant"] = to_string(mechanism->variant);
            answer["subset_size"] = audit.subset_size;
        }
        answer["version"] = build_info().version;
        streams.out << answer.dump(2) << '\n';
        return;
    }
    streams.out << fmt::format("true epsilon in [{}, {}]\n", audit.epsilon.lower,
                               audit.epsilon.upper);
    if (mechanism && audit.epsilon.lower > mechanism->epsilon)
        streams.out << fmt::format("  not {}-LDP: true epsilon = {}\n", mechanism->epsilon,
                                   audit.epsilon.upper);
    if (mechanism)
        streams.out << fmt::format(
            "  claimed {}, {}; worst with |S| = {}, S = the first of the {} categories\n",
            mechanism->epsilon, to_string(mechanism->variant), audit.subset_size,
            mechanism->categories);
    streams.out << fmt::format(
        "  answer {} is e^{:.6g} times as likely from category {} as from category {}\n",
        audit.response + 1, audit.epsilon.midpoint(), audit.truth + 1, audit.other_truth + 1);
}

void run(const Options& options, Streams& streams) {
    if (options.matrix) {
        const LocalMechanismOptions& given = options.mechanism;
        if (given.categories || given.epsilon || given.budget_share || given.variant ||
            options.subset_size)
            throw DomainError("matrix", *options.matrix, "a mechanism or a matrix, not both");
        const Matrix matrix = read_matrix(*options.matrix);
        report(audit_matrix(matrix.values, matrix.rows, matrix.columns), std::nullopt, options.json,
               streams);
        return;
    }
    const RestrictedResponse mechanism = read_mechanism(options.mechanism);
    report(audit_mechanism(options, mechanism), mechanism, options.json, streams);
}

}  // namespace ldp_audit_command

void add_ldp_audit_command(CLI::App& ldp, Streams& streams, int& exit_code) {
    using namespace ldp_audit_command;
    auto options = std::make_shared<Options>();
    CLI::App* command = ldp.add_subcommand("audit", help);
    add_mechanism_options(*command, options->mechanism);
    command
        ->add_option("--subset-size", options->subset_size,
                     "|S|; without it the worst over all sizes")
        ->type_name("INTEGER");
    command
        ->add_option("--matrix", options->matrix,
                     "audit this response matrix instead; the mechanism is left out then")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "print one JSON object")->disable_flag_override();
    command->callback([options, &streams, &exit_code] {
        run(*options, streams);
        exit_code = 0;
    });
}

}  // namespace assay::cli
