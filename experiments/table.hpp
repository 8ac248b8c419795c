#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/numeric/bound.hpp"

namespace assay {

/// Of numbers whose grid a search chose: where a processor rounds its functions otherwise, the
/// search may end elsewhere within the gap. (Without fused multiplication: up to 1.4e-6 in all
/// figures.)
inline constexpr double searched_tolerance = 1e-5;

/// A numeric column of a result.
struct Column {
    std::string name;  ///< snake_case, as in the CSV header
    std::string unit;  ///< "nats", "1" for a pure number, ...
    /// Nothing where the column is an input (an abscissa), or where its series tell the side.
    std::optional<Direction> direction = std::nullopt;
    /// Largest relative difference that a comparison with a golden result accepts; 0 is exact.
    double golden_tolerance = 1e-11;

    friend bool operator==(const Column&, const Column&) = default;
};

/// One curve: how its rows are named, on which side of the truth they stand, and why.
struct Series {
    std::string name;   ///< as in the CSV: "theorem_3_4_m4"
    std::string label;  ///< for a legend: "Theorem 3.4, m = 4"
    Direction direction = Direction::estimate;
    Theorem theorem;

    friend bool operator==(const Series&, const Series&) = default;
};

/// A result in long form: one row is a series, a number per column, and a status.
///   Rows       keep the order in which they were added; a NaN is refused
///   Status     certified, statistical, heuristic or vacuous, as in `assay eval`
class Table {
public:
    struct Row {
        std::string series;
        std::vector<double> values;
        std::string status;

        friend bool operator==(const Row&, const Row&) = default;
    };

    /// Throws DomainError where a name is empty, not snake_case, taken or reserved.
    explicit Table(std::vector<Column> columns);

    /// Declares a series; rows can only be added to a declared one.
    void add_series(Series series);

    /// Adds a row, `values` in the order of the columns.
    void add(std::string_view series, std::vector<double> values,
             Status status = Status::certified);
    void add(std::string_view series, std::vector<double> values, std::string_view status);

    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const std::vector<Series>& series() const { return series_; }
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

    /// One column of one series, in row order: for the claims a driver decides.
    [[nodiscard]] std::vector<double> values(std::string_view series,
                                             std::string_view column) const;

    /// The CSV: header "series,<columns>,status", then the rows, doubles with 17 digits.
    [[nodiscard]] std::string to_csv() const;

private:
    std::vector<Column> columns_;
    std::vector<Series> series_;
    std::vector<Row> rows_;
};

/// A CSV as it stands in a file; line i + 2 is row i.
struct CsvContent {
    std::vector<std::string> column_names;
    std::vector<Table::Row> rows;
};

/// Reads a CSV that Table::to_csv wrote; `name` stands for the file in messages.
///   Throws     FileError (file, line)
[[nodiscard]] CsvContent csv_from_text(std::string_view text, const std::string& name);

}  // namespace assay
