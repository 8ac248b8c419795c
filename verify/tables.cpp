#include "verify/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/oracles/oracle.hpp"
#include "verify/space.hpp"

namespace assay::verify {

namespace {

constexpr int digits = 30;
constexpr double widest = 2e-29;  // outward rounding moves either end by a unit of the last digit
constexpr long first_bits = 128;
constexpr long last_bits = 512;

std::string quoted(std::string_view text) {
    return text.find(',') == text.npos ? std::string(text) : fmt::format("\"{}\"", text);
}

std::string key(const Table& table, const Table::Line& line) {
    std::string text = line.quantity;
    for (const std::string& name : table.parameters)
        text += line.point.has(name) ? fmt::format(",{}", line.point[name]) : ",";
    return text;
}

/// work(0), .., work(count-1), on threads that leave nothing behind; the first error is thrown on.
template <class Work>
void for_each(std::size_t count, int threads, const Work& work) {
    std::atomic<std::size_t> next = 0;
    tbb::task_arena arena(threads);
    arena.execute([&] {
        tbb::task_group group;
        for (int i = 0; i < threads; ++i)
            group.run([&] {
                for (std::size_t at = next++; at < count; at = next++) work(at);
                free_oracle_caches();
            });
        group.wait();
    });
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

bool hash_fits(const std::string& line) {
    const std::size_t comma = line.rfind(',');
    return comma != line.npos && fnv1a(std::string_view(line).substr(0, comma)) ==
                                     std::string_view(line).substr(comma + 1);
}

/// A line of a file beside what it should be the value of.
struct Found {
    const Table* table = nullptr;
    const Table::Line* line = nullptr;
    std::string text;
    std::string where;
};

void read_table(const Table& table, const std::filesystem::path& folder, std::vector<Found>& found,
                std::vector<std::string>& complaints) {
    std::vector<std::string> lines;
    try {
        lines = lines_of(read_file(folder / table.file));
    } catch (const FileError& error) {
        complaints.emplace_back(error.what());
        return;
    }
    if (lines.empty() || lines.front() != header_line(table) ||
        lines.size() != table.lines.size() + 1) {
        complaints.push_back(fmt::format("{}: {} lines, expected {} under the header {}",
                                         table.file, lines.empty() ? 0 : lines.size() - 1,
                                         table.lines.size(), header_line(table)));
        return;
    }
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
        Found one{&table, &table.lines[i], lines[i + 1], fmt::format("{}:{}", table.file, i + 2)};
        if (!one.text.starts_with(key(table, *one.line) + ","))
            complaints.push_back(
                fmt::format("{}: expected the line of {}", one.where, key(table, *one.line)));
        else if (!hash_fits(one.text))
            complaints.push_back(fmt::format("{}: the hash does not fit the line", one.where));
        else
            found.push_back(std::move(one));
    }
}

}  // namespace

std::string fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
}

std::optional<Ends> printed_ends(const Interval& value) {
    if (value.is_zero()) return Ends{"0", "0"};
    if (!value.is_finite()) return std::nullopt;
    Ends ends{value.lower_text(digits), value.upper_text(digits)};
    const Interval printed = Interval::between(Interval::decimal(ends.lower, last_bits),
                                               Interval::decimal(ends.upper, last_bits));
    const double size = std::max(std::abs(value.lower_double()), std::abs(value.upper_double()));
    if (size < 1e-300 || size > 1e300 || printed.relative_width() > widest) return std::nullopt;
    return ends;
}

std::string header_line(const Table& table) {
    return fmt::format("quantity,{},lower,upper,method,precision_bits,hash",
                       fmt::join(table.parameters, ","));
}

std::string value_line(const Table& table, const Table::Line& line) {
    for (const Oracle& oracle : oracles_of(line.quantity, line.point))
        for (long bits = first_bits; bits <= last_bits; bits *= 2)
            if (const auto ends = printed_ends(oracle.evaluate(line.point, bits))) {
                const std::string text =
                    fmt::format("{},{},{},{},{}", key(table, line), ends->lower, ends->upper,
                                quoted(oracle.method), bits);
                return text + "," + fnv1a(text);
            }
    throw Error(fmt::format("{}: no oracle is sharp enough for {} at {}", table.file, line.quantity,
                            line.point.text()));
}

std::size_t write_tables(std::span<const Table> tables, const std::filesystem::path& folder,
                         int threads) {
    std::size_t count = 0;
    for (const Table& table : tables) {
        std::vector<std::string> lines(table.lines.size());
        for_each(lines.size(), threads,
                 [&](std::size_t i) { lines[i] = value_line(table, table.lines[i]); });
        write_file_atomically(folder / table.file,
                              fmt::format("{}\n{}\n", header_line(table), fmt::join(lines, "\n")));
        count += lines.size();
    }
    return count;
}

std::vector<std::string> complaints_about(std::span<const Table> tables,
                                          const std::filesystem::path& folder, std::size_t sample,
                                          std::uint64_t seed, int threads) {
    std::vector<Found> found;
    std::vector<std::string> complaints;
    for (const Table& table : tables) read_table(table, folder, found, complaints);
    Draws draws(seed, "certified tables", 0);
    sample = std::min(sample, found.size());
    for (std::size_t i = 0; i < sample; ++i)
        std::swap(found[i], found[i + draws.below(found.size() - i)]);
    std::mutex mutex;
    for_each(sample, threads, [&](std::size_t i) {
        const std::string anew = value_line(*found[i].table, *found[i].line);
        if (anew == found[i].text) return;
        const std::scoped_lock lock(mutex);
        complaints.push_back(fmt::format("{}: computed anew: {}", found[i].where, anew));
    });
    std::sort(complaints.begin(), complaints.end());
    return complaints;
}

}  // namespace assay::verify
