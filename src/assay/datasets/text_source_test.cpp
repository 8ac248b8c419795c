#include "assay/datasets/text_source.hpp"

#include <array>
#include <sstream>

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    TextSource source(path);
    std::vector<std::string> lines;
    std::string_view line;
    while (source.next(line)) {
        lines.emplace_back(line);
        CHECK(source.line() == static_cast<std::int64_t>(lines.size()));
    }
    CHECK_FALSE(source.next(line));
    return lines;
}

/// The same by the standard library.
std::vector<std::string> lines_by_getline(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_CASE("lines end with LF, CR LF or the file", "[dpsgd][data]") {
    const ScratchFolder folder("text_source");
    const auto path = folder.path() / "text";
    using Lines = std::vector<std::string>;
    CHECK(lines_of(write_plain(path, "")).empty());
    CHECK(lines_of(write_plain(path, "\n")) == Lines{""});
    CHECK(lines_of(write_plain(path, "a")) == Lines{"a"});
    CHECK(lines_of(write_plain(path, "a\r\nb\n")) == Lines{"a", "b"});
    CHECK(lines_of(write_plain(path, "a\n\n\nb\r")) == Lines{"a", "", "", "b"});
    CHECK(lines_of(write_gz(path, "a\rb\n\r\n")) == Lines{"a\rb", ""});
}

TEST_CASE("lines that cross the buffer's end are whole", "[dpsgd][data]") {
    const ScratchFolder folder("text_source_long");
    Random random(64);
    CAPTURE(random.seed());
    for (int run = 0; run < 2 * effort(); ++run) {
        std::string text;
        while (text.size() < 5'000'000) {
            const auto length = static_cast<std::size_t>(random.log_uniform(1.0, 900'000.0));
            text.append(length - 1, static_cast<char>('a' + random.integer(0, 25)));
            text += random.integer(0, 1) == 0 ? "\n" : "\r\n";
        }
        if (run % 2 == 0) text += "the last one";
        const auto expected = lines_by_getline(text);
        CHECK((lines_of(write_plain(folder.path() / "plain", text)) == expected));
        CHECK((lines_of(write_gz(folder.path() / "text.gz", text)) == expected));
    }
}

TEST_CASE("a line longer than 1 MiB is refused with its number", "[dpsgd][data]") {
    const ScratchFolder folder("text_source_too_long");
    const auto path = folder.path() / "text";
    const std::string longest(std::size_t{1} << 20U, 'x');
    CHECK(lines_of(write_plain(path, "a\n" + longest)).size() == 2);
    write_plain(path, "a\n" + longest + "x\nb\n");
    CHECK_THAT(complaint([&] { return lines_of(path); }), Contains("text:2: this line is longer"));
}

TEST_CASE("fields are cut at every separator and all counted", "[dpsgd][data]") {
    std::array<std::string_view, 3> fields;
    CHECK(split_fields("a\tbc\t", '\t', fields) == 3);
    CHECK(fields == std::array<std::string_view, 3>{"a", "bc", ""});
    CHECK(split_fields("", '\t', fields) == 1);
    CHECK(fields[0].empty());
    CHECK(split_fields("1,2,3,4,5", ',', fields) == 5);
    CHECK(fields == std::array<std::string_view, 3>{"1", "2", "3"});
}
