#include "assay/files/state_file.hpp"

#include <cmath>
#include <fstream>
#include <limits>

#include "assay/files/atomic_file.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using Catch::Contains;

namespace {

constexpr StateFormat format{"sample", 3};

const RunIdentity identity{{"noise-multiplier", "0.4"}, {"orders", "1-500,510-1000:10"}};

void write_sample(const std::filesystem::path& path) {
    StateWriter writer(format, identity);
    writer.number(std::int32_t{-7});
    writer.numbers(std::vector<double>{1.0 / 3.0, -0.0, std::numeric_limits<double>::denorm_min()});
    writer.numbers(std::vector<float>{});
    writer.write(path);
}

/// The message with which a file of this text is refused.
std::string state_refusal(const std::filesystem::path& path, const std::string& text,
                          const StateFormat& asked = format) {
    std::ofstream(path, std::ios::binary) << text;
    try {
        const StateReader reader(path, asked);
    } catch (const FileError& error) {
        CHECK(error.file() == path.string());
        CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a state reads back to the same bits", "[state]") {
    const ScratchFolder folder("state_file");
    const auto path = folder.path() / "state";
    write_sample(path);
    StateReader reader(path, format);
    CHECK(reader.identity() == identity);
    CHECK(reader.number<std::int32_t>() == -7);
    CHECK_THROWS_WITH(reader.require_end(), Contains("this sample is damaged"));
    const auto numbers = reader.numbers<double>();
    CHECK(numbers[0] == 1.0 / 3.0);
    CHECK(std::signbit(numbers[1]));
    CHECK(numbers[2] == std::numeric_limits<double>::denorm_min());
    CHECK(reader.numbers<float>().empty());
    CHECK_NOTHROW(reader.require_end());
    CHECK_THROWS_AS(reader.number<char>(), FileError);
}

TEST_CASE("the bytes of a state are those of its format", "[state]") {
    const ScratchFolder folder("state_file");
    const auto path = folder.path() / "state";
    StateWriter writer({"check", 1});
    writer.number(std::uint8_t{'9'});
    writer.write(path);
    const std::string bytes = read_file(path);
    const std::string start = "assay check 1\n" + std::string("\x09\0\0\0\0\0\0\0", 8);
    CHECK(bytes.starts_with(start));
    CHECK(bytes.size() == start.size() + 8 + 9);
    CHECK(bytes.ends_with(std::string("\0\0\0\0\0\0\0\0", 8) + "9"));
    // CRC-32 of the content, as zlib computes it.
    CHECK(bytes.substr(start.size(), 4) == "\xA6\x9C\x0C\xB9");
}

TEST_CASE("a state cut or changed anywhere is refused for what it is", "[state]") {
    const ScratchFolder folder("state_file");
    const auto path = folder.path() / "state";
    write_sample(path);
    const std::string text = read_file(path);
    CHECK_THAT(state_refusal(path, ""), Contains("this is no sample of assay"));
    for (std::size_t length = 1; length < text.size(); ++length) {
        CAPTURE(length);
        CHECK_THAT(state_refusal(path, text.substr(0, length)),
                   Contains("this sample is cut short"));
    }
    const std::size_t first_line = text.find('\n') + 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
        CAPTURE(at);
        std::string changed = text;
        changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
        const std::string message = state_refusal(path, changed);
        CHECK_FALSE(message.empty());
        if (at >= first_line) CHECK_THAT(message, Contains("this sample is damaged"));
    }
    CHECK_THAT(state_refusal(path, text + "x"), Contains("damaged: it goes on behind its end"));
}

TEST_CASE("other files are refused by what they are", "[state]") {
    const ScratchFolder folder("state_file");
    const auto path = folder.path() / "state";
    for (const char* text : {"order,value\n2,3\n", "\n", "assay \n", "assay A 3\n", "assaying 3\n"})
        CHECK_THAT(state_refusal(path, text), Contains("this is no sample of assay"));
    CHECK_THAT(state_refusal(path, std::string(1000, 'a')), Contains("this is no sample of assay"));
    CHECK_THAT(state_refusal(path, "assay sample 2\nwhatever"),
               Contains("this sample is of version 2, this program reads version 3"));
    CHECK_THAT(state_refusal(path, "assay sample\n\x01"), Contains("this sample is of version 1"));
    write_sample(path);
    CHECK_THAT(state_refusal(path, read_file(path), {"other sample", 3}),
               Contains("no other sample of assay but another kind of state: sample"));
    CHECK_THROWS_AS(StateReader(folder.path() / "none", format), FileError);
    CHECK_THROWS_AS(StateReader(folder.path(), format), FileError);
}

TEST_CASE("a file without an end is refused at its beginning", "[state]") {
    CHECK_THROWS_WITH(StateReader("/dev/zero", format),
                      "/dev/zero: this is no " + std::string(format.kind) + " of assay");
}

TEST_CASE("a long count that no content follows asks for no memory", "[state]") {
    const ScratchFolder folder("state_file");
    const auto path = folder.path() / "state";
    StateWriter writer(format);
    writer.number(~std::uint64_t{0});
    writer.write(path);
    StateReader reader(path, format);
    CHECK_THROWS_WITH(reader.numbers<double>(), Contains("this sample is damaged"));
}

TEST_CASE("fields that would not read in one line are not written", "[state]") {
    for (const RunField& field :
         {RunField{"two words", "1"}, RunField{"", "1"}, RunField{"name", "two\nlines"}})
        CHECK_THROWS_AS(StateWriter(format, {field}), DomainError);
}

TEST_CASE("the state of another run is refused by what differs", "[state]") {
    const auto message = [](const RunIdentity& here) {
        try {
            require_same_run("file", identity, here);
        } catch (const FileError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message(identity).empty());
    RunIdentity here = identity;
    here[0].value = "0.5";
    CHECK(message(here) == "file: this is of another run: noise-multiplier 0.4 there, 0.5 here");
    here = {identity[0]};
    CHECK_THAT(message(here), Contains("orders 1-500,510-1000:10 there, none here"));
    here = identity;
    here.push_back({"method", "plain"});
    CHECK_THAT(message(here), Contains("method none there, plain here"));
}
