#include "verify/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

namespace {

/// The columns of a line; a comma within quotes separates nothing.
std::vector<std::string> columns(const std::string& line) {
    std::vector<std::string> found(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            found.emplace_back();
        else
            found.back() += c;
    }
    return found;
}

Table small() {
    return {"small.csv",
            {"alpha", "s", "q", "sigma"},
            {{"exact.poisson_add_remove", {{"alpha", 2.0}, {"s", 1.0}, {"q", 0.5}}},
             {"exact.poisson_add_remove", {{"alpha", 2.0}, {"s", 1.0}, {"q", 0.0}}},
             {"exact.second_order_coefficient", {{"sigma", 2.0}}}}};
}

}  // namespace

TEST_CASE("FNV-1a has its published values", "[verify][tables]") {
    CHECK(fnv1a("") == "cbf29ce484222325");
    CHECK(fnv1a("a") == "af63dc4c8601ec8c");
    CHECK(fnv1a("foobar") == "85944171f73967e8");
}

TEST_CASE("a line has 30 digits rounded outward and its own hash", "[verify][tables]") {
    const Table table = small();
    CHECK(header_line(table) == "quantity,alpha,s,q,sigma,lower,upper,method,precision_bits,hash");
    const std::string line = value_line(table, table.lines[0]);
    CHECK(line.substr(line.rfind(',') + 1) == fnv1a(line.substr(0, line.rfind(','))));
    const auto cells = columns(line);
    REQUIRE(cells.size() == 10);
    CHECK(cells[0] == "exact.poisson_add_remove");
    CHECK(cells[1] + " " + cells[2] + " " + cells[3] + " " + cells[4] == "2 1 0.5 ");
    // log(1 + q^2 (e - 1)), computed independently with 60+ digits (mpmath).
    CHECK(cells[5] == "3.57374019508788537314556771283e-01");
    CHECK(cells[6] == "3.57374019508788537314556771284e-01");
    CHECK(columns(value_line(table, table.lines[1]))[5] == "0");
    CHECK(columns(value_line(table, table.lines[1]))[6] == "0");
    const auto coefficient = columns(value_line(table, table.lines[2]));  // (e - 1)/2
    CHECK(coefficient[1].empty());
    CHECK(coefficient[4] == "2");
    CHECK(coefficient[5] == "8.59140914229522617680143735676e-01");
    CHECK(coefficient[6] == "8.59140914229522617680143735677e-01");
}

TEST_CASE("ends are printed outward and only when they are close", "[verify][tables]") {
    const Interval third = Interval(1.0, 256) / 3.0;
    const auto ends = printed_ends(-third);
    REQUIRE(ends);
    CHECK(ends->lower == "-3.33333333333333333333333333334e-01");
    CHECK(ends->upper == "-3.33333333333333333333333333333e-01");
    const auto wider_by = [&](const char* width) {
        return printed_ends(Interval::between(third, third + Interval::decimal(width, 256)));
    };
    CHECK(wider_by("3e-30"));  // and less than 2e-29 of a third, printed
    CHECK_FALSE(wider_by("7e-30"));
    CHECK_FALSE(printed_ends(Interval::whole_line(64)));
    CHECK(printed_ends(Interval::decimal("1.01e-300", 256)));
    CHECK_FALSE(printed_ends(Interval::decimal("0.99e-300", 256)));
    CHECK_FALSE(printed_ends(Interval::decimal("1.01e300", 256)));
    CHECK_FALSE(printed_ends(Interval::between(Interval(0.0, 64), Interval(1e-200, 64))));
}

TEST_CASE("what no double holds is refused", "[verify][tables]") {
    const Table table{"far.csv", {"c", "T", "eps"}, {}};
    CHECK_THROWS_AS(value_line(table, {"gaussian.delta", {{"c", 0.02}, {"T", 1.0}, {"eps", 20.0}}}),
                    Error);
    CHECK_THROWS_AS(value_line(table, {"no.such_quantity", {{"c", 0.02}}}), Error);
}

TEST_CASE("the tables are large enough and name no point twice", "[verify][tables]") {
    std::size_t lines = 0;
    for (const Table& table : certified_tables()) {
        std::set<std::string> seen;
        for (const Table::Line& line : table.lines) {
            CHECK(seen.insert(line.quantity + " " + line.point.text()).second);
            for (const auto& [name, value] : line.point.coordinates())
                CHECK(std::count(table.parameters.begin(), table.parameters.end(), name) == 1);
        }
        lines += table.lines.size();
    }
    CHECK(lines >= 3000);
}

TEST_CASE("every other route to a tabled value overlaps with it", "[verify][tables]") {
    std::size_t compared = 0;
    std::size_t index = 0;
    for (const Table& table : certified_tables())
        for (const Table::Line& line : table.lines) {
            if (++index % 61 != 0) continue;
            const auto cells = columns(value_line(table, line));
            const std::size_t lower = table.parameters.size() + 1;
            const Interval printed = Interval::between(Interval::decimal(cells[lower], 256),
                                                       Interval::decimal(cells[lower + 1], 256));
            for (const Oracle& oracle : oracles_of(line.quantity, line.point)) {
                if (oracle.method == cells[lower + 2]) continue;
                INFO(line.quantity << " at " << line.point.text() << " by " << oracle.method);
                CHECK(overlap(printed, oracle.evaluate(line.point, 64)));
                ++compared;
            }
        }
    CHECK(compared >= 30);
}

TEST_CASE("what is written is what is checked and damage is noticed", "[verify][tables]") {
    const ScratchFolder folder("tables");
    const std::vector<Table> tables{small()};
    const auto file = folder.path() / "small.csv";
    // The only complaint when all lines or none are computed anew.
    const auto complaint = [&](std::size_t sample) -> std::string {
        const auto all = complaints_about(tables, folder.path(), sample, 7, 2);
        REQUIRE(all.size() <= 1);
        return all.empty() ? "" : all.front();
    };
    CHECK_THAT(complaint(0), Catch::Contains("small.csv"));  // there is none
    CHECK(write_tables(tables, folder.path(), 2) == 3);
    CHECK(complaint(3).empty());
    const std::string text = read_file(file);
    // The first value's line with one text for another, its hash as it was or of the new line.
    const auto edited = [&](const std::string& from, const std::string& to, bool hashed) {
        const std::size_t begin = text.find('\n') + 1;
        const std::size_t end = text.find('\n', begin);
        std::string line = text.substr(begin, end - begin);
        line.replace(line.find(from), from.size(), to);
        if (hashed) {
            const std::string fields = line.substr(0, line.rfind(','));
            line = fmt::format("{},{}", fields, fnv1a(fields));
        }
        return text.substr(0, begin) + line + text.substr(end);
    };
    write_file_atomically(file, edited("3.57374", "3.57375", false));
    CHECK_THAT(complaint(0), Catch::Contains("small.csv:2: the hash"));
    write_file_atomically(file, edited("3.57374", "3.57375", true));
    CHECK(complaint(0).empty());
    CHECK_THAT(complaint(3), Catch::Contains("small.csv:2: computed anew"));
    write_file_atomically(file, edited(",2,1,0.5,", ",2,1,0.4,", true));
    CHECK_THAT(complaint(0), Catch::Contains("small.csv:2: expected the line of"));
    write_file_atomically(file, text.substr(0, text.rfind("exact.")));
    CHECK_THAT(complaint(0), Catch::Contains("2 lines, expected 3"));
    write_file_atomically(file, "x" + text);
    CHECK_THAT(complaint(0), Catch::Contains("under the header"));
}

}  // namespace assay::verify
