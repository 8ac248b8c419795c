#include "assay/datasets/byte_source.hpp"

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;

namespace {

/// The whole content, asked for in pieces of `piece` bytes.
std::string read_all(const std::filesystem::path& path, std::size_t piece) {
    ByteSource source(path);
    std::string all;
    std::string buffer(piece, '\0');
    for (;;) {
        const std::size_t got = source.read(buffer);
        all.append(buffer, 0, got);
        if (got < piece) break;
    }
    CHECK(source.read(buffer) == 0);
    CHECK(source.share() == (all.empty() ? source.share() : 1.0));
    return all;
}

std::string random_text(Random& random, int size) {
    std::string text;
    for (int i = 0; i < size; ++i) text += static_cast<char>(random.integer(0, 255));
    return text;
}

}  // namespace

TEST_CASE("gz and plain files give the same bytes", "[dpsgd][data]") {
    const ScratchFolder folder("byte_source");
    Random random(61);
    CAPTURE(random.seed());
    for (const int size : {0, 1, 2, 1000, 700'000}) {
        const std::string text = random_text(random, size);
        CHECK(read_all(write_plain(folder.path() / "plain", text), 997) == text);
        CHECK(read_all(write_gz(folder.path() / "text.gz", text), 997) == text);
        CHECK(read_all(write_gz(folder.path() / "no_ending", text), 1 << 20) == text);
    }
}

TEST_CASE("gz files one behind the other are one", "[dpsgd][data]") {
    const ScratchFolder folder("byte_source_members");
    const std::string first = content(write_gz(folder.path() / "a.gz", "one\n"));
    const std::string second = content(write_gz(folder.path() / "b.gz", "two\n"));
    CHECK(read_all(write_plain(folder.path() / "c.gz", first + second), 3) == "one\ntwo\n");
}

TEST_CASE("the share read grows to one", "[dpsgd][data]") {
    const ScratchFolder folder("byte_source_share");
    Random random(62);
    ByteSource source(write_gz(folder.path() / "text.gz", random_text(random, 4'000'000)));
    std::string buffer(1'000'000, '\0');
    for (const double expected : {0.25, 0.5, 0.75, 1.0}) {
        CHECK(source.read(buffer) == buffer.size());
        CHECK(source.share() == Approx(expected).margin(0.08));
    }
}

TEST_CASE("what is no readable file is refused", "[dpsgd][data]") {
    const ScratchFolder folder("byte_source_bad");
    const auto open = [&](const std::string& name) {
        return complaint([&] { return ByteSource(folder.path() / name).share(); });
    };
    CHECK_THAT(open("none"), Contains("none: there is no such file"));
    CHECK_THAT(open(""), Contains("this is a folder, not a file"));
    write_plain(folder.path() / "text.gz", "not compressed");
    CHECK_THAT(open("text.gz"), Contains("is named .gz but is not compressed"));
    write_plain(folder.path() / "empty.gz", "");
    CHECK(open("empty.gz").empty());
}

TEST_CASE("compressed data that are cut short or damaged are refused", "[dpsgd][data]") {
    const ScratchFolder folder("byte_source_damage");
    Random random(63);
    CAPTURE(random.seed());
    const std::string text = random_text(random, 3000);
    const std::string whole = content(write_gz(folder.path() / "whole.gz", text));
    const auto path = folder.path() / "damaged.gz";
    for (int i = 0; i < 60 * effort(); ++i) {
        const auto cut =
            static_cast<std::size_t>(random.integer(18, static_cast<int>(whole.size()) - 1));
        CAPTURE(cut);
        write_plain(path, whole.substr(0, cut));
        CHECK_THAT(complaint([&] { return read_all(path, 100); }), Contains("cut short"));

        // The last eight bytes are the checksum and the length; the first ten the header.
        const auto at =
            static_cast<std::size_t>(random.integer(10, static_cast<int>(whole.size()) - 1));
        CAPTURE(at);
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.integer(0, 7)));
        write_plain(path, damaged);
        CHECK_FALSE(complaint([&] { return read_all(path, 100); }).empty());
    }
}
