#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/oracles/interval.hpp"
#include "verify/point.hpp"

namespace assay::verify {

/// Certified values for other libraries to test against: one file, its lines and their columns.
struct Table {
    struct Line {
        std::string quantity;
        Point point;
    };
    std::string file;                     // "poisson_add_remove.csv"
    std::vector<std::string> parameters;  // columns; a quantity without one leaves it empty
    std::vector<Line> lines;
};

/// Every table with the points at which its quantities are computed.
[[nodiscard]] std::span<const Table> certified_tables();

/// "quantity,alpha,s,q,lower,upper,method,precision_bits,hash".
[[nodiscard]] std::string header_line(const Table& table);

/// The ends of an interval with 30 significant digits, rounded outward.
struct Ends {
    std::string lower;
    std::string upper;
};

/// Nothing where the ends are further apart than 2e-29 of the value, or beyond what a double holds;
/// {0} is "0" twice.
[[nodiscard]] std::optional<Ends> printed_ends(const Interval& value);

/// One line without its end; the hash is of the line's text before its comma.
///   Throws     Error where no oracle is that sharp, or the value is no ordinary double
[[nodiscard]] std::string value_line(const Table& table, const Table::Line& line);

/// FNV-1a with 64 bits, as 16 hexadecimal digits.
[[nodiscard]] std::string fnv1a(std::string_view text);

/// Computes every line on `threads` threads, writes one file each; returns the number of lines.
///   Throws     Error, FileError
std::size_t write_tables(std::span<const Table> tables, const std::filesystem::path& folder,
                         int threads);

/// What is wrong with the files in the folder, one complaint each: a missing file, other lines than
/// certified_tables() has, a hash that does not fit, and, among `sample` lines chosen by `seed`,
/// those whose text differs when computed anew.
[[nodiscard]] std::vector<std::string> complaints_about(std::span<const Table> tables,
                                                        const std::filesystem::path& folder,
                                                        std::size_t sample, std::uint64_t seed,
                                                        int threads);

}  // namespace assay::verify
