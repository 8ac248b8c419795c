#include "experiments/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {
namespace {

constexpr std::string_view known_statuses[] = {"certified", "statistical", "heuristic", "vacuous"};

bool is_status(std::string_view text) {
    return std::ranges::find(known_statuses, text) != std::end(known_statuses);
}

/// Letters, digits, '_', '.', '-': no name ever needs quoting in a CSV.
void require_name(const std::string& name, const char* what) {
    const bool plain = !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-';
    });
    if (!plain) throw DomainError(what, name, "letters, digits, '_', '.', '-'");
}

std::vector<std::string> split(std::string_view line) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
        if (c == ',')
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
    if (columns_.empty()) throw DomainError("columns", "none", "a table has at least one column");
    std::vector<std::string> taken = {"series", "status"};
    for (const Column& column : columns_) {
        require_name(column.name, "column");
        if (std::ranges::find(taken, column.name) != taken.end())
            throw DomainError("column", column.name, "each name once, not series or status");
        taken.push_back(column.name);
        require(column.golden_tolerance >= 0.0 && column.golden_tolerance < 1.0, "golden_tolerance",
                column.golden_tolerance, "in [0, 1)");
    }
}

void Table::add_series(Series series) {
    require_name(series.name, "series");
    if (std::ranges::find(series_, series.name, &Series::name) != series_.end())
        throw DomainError("series", series.name, "each series is declared once");
    series_.push_back(std::move(series));
}

void Table::add(std::string_view series, std::vector<double> values, Status status) {
    add(series, std::move(values), to_string(status));
}

void Table::add(std::string_view series, std::vector<double> values, std::string_view status) {
    if (std::ranges::find(series_, series, &Series::name) == series_.end())
        throw DomainError("series", std::string(series), "a declared series");
    if (values.size() != columns_.size())
        throw DomainError("values", fmt::format("{} numbers", values.size()),
                          fmt::format("one for each of {} columns", columns_.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isnan(values[i]))
            throw DomainError(fmt::format("{}.{}", series, columns_[i].name), "nan",
                              "a number that is recorded is not NaN");
    if (!is_status(status))
        throw DomainError("status", std::string(status),
                          fmt::format("{}", fmt::join(known_statuses, ", ")));
    rows_.push_back({std::string(series), std::move(values), std::string(status)});
}

std::vector<double> Table::values(std::string_view series, std::string_view column) const {
    const auto found = std::ranges::find(columns_, column, &Column::name);
    if (found == columns_.end())
        throw DomainError("column", std::string(column), "a column of this table");
    if (std::ranges::find(series_, series, &Series::name) == series_.end())
        throw DomainError("series", std::string(series), "a declared series");
    const auto index = static_cast<std::size_t>(found - columns_.begin());
    std::vector<double> chosen;
    for (const Row& row : rows_)
        if (row.series == series) chosen.push_back(row.values[index]);
    return chosen;
}

std::string Table::to_csv() const {
    std::string text = "series";
    for (const Column& column : columns_) text += "," + column.name;
    text += ",status\n";
    for (const Row& row : rows_) {
        text += row.series;
        for (const double value : row.values) text += "," + number_to_text(value);
        text += "," + row.status + "\n";
    }
    return text;
}

CsvContent csv_from_text(std::string_view text, const std::string& name) {
    CsvContent content;
    int line_number = 0;
    const auto fail = [&](const std::string& reason) {
        throw FileError(name, line_number, reason);
    };
    while (!text.empty()) {
        ++line_number;
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) fail("the last line is not complete");
        const auto fields = split(text.substr(0, end));
        text.remove_prefix(end + 1);
        if (line_number == 1) {
            if (fields.size() < 3 || fields.front() != "series" || fields.back() != "status")
                fail("the header is not series,...,status");
            content.column_names.assign(fields.begin() + 1, fields.end() - 1);
            continue;
        }
        if (fields.size() != content.column_names.size() + 2)
            fail(fmt::format("has {} fields, not {}", fields.size(),
                             content.column_names.size() + 2));
        Table::Row row{fields.front(), {}, fields.back()};
        if (!is_status(row.status)) fail(fmt::format("status \"{}\" is unknown", row.status));
        for (std::size_t i = 1; i + 1 < fields.size(); ++i) {
            const auto value = number_from_text(fields[i]);
            if (!value) fail(fmt::format("\"{}\" is not a number", fields[i]));
            row.values.push_back(*value);
        }
        content.rows.push_back(std::move(row));
    }
    if (line_number == 0) fail("is empty");
    return content;
}

}  // namespace assay
