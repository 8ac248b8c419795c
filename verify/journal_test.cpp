#include "verify/journal.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <limits>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"
#include "verify/test_rows.hpp"

using namespace assay;
using namespace assay::verify;

namespace {

BlockRecord sample_block() {
    BlockRecord record{"test.square", 3, 0.25, {judge(testing::square_row(1e-10), {{"x", 0.3}})}};
    record.trials.front().margin = -std::numeric_limits<double>::infinity();
    return record;
}

}  // namespace

TEST_CASE("a journal gives back its blocks and cuts off a torn line", "[journal]") {
    const ScratchFolder folder("journal");
    const auto path = folder.path() / "journal.jsonl";
    const JournalKey key{7, "quick", "test"};
    { Journal(path, key, false).append(sample_block()); }
    write_file_atomically(path, read_file(path) + "{\"row\": \"test.sq");
    const Journal again(path, key, true);
    const BlockRecord* record = again.finished("test.square", 3);
    REQUIRE(record != nullptr);
    CHECK(record->trials.front().verdict == Verdict::violated);
    CHECK(record->trials.front().point == Point{{"x", 0.3}});
    CHECK(record->trials.front().subject == sample_block().trials.front().subject);
    CHECK(record->trials.front().margin == -std::numeric_limits<double>::infinity());
    CHECK(again.finished("test.square", 4) == nullptr);
}

TEST_CASE("a journal that was changed is refused by name and line", "[journal]") {
    const ScratchFolder folder("journal-damaged");
    const auto path = folder.path() / "journal.jsonl";
    const JournalKey key{7, "quick", "test"};
    {
        Journal journal(path, key, false);
        for (std::size_t block = 0; block < 3; ++block) {
            BlockRecord record = sample_block();
            record.block = block;
            record.trials.front().margin = 0.125;
            journal.append(record);
        }
    }
    const std::string text = read_file(path);
    const auto refusal = [&](const std::string& changed) {
        std::ofstream(path, std::ios::binary) << changed;
        try {
            const Journal journal(path, key, true);
        } catch (const FileError& error) {
            CHECK(read_file(path) == changed);
            CHECK_THAT(error.what(), Catch::Contains("journal.jsonl:") &&
                                         Catch::Contains("this journal is damaged") &&
                                         Catch::Contains("without --resume"));
            return error.line();
        }
        return 0;
    };
    CHECK(refusal(text) == 0);
    std::string edited = text;
    const std::size_t margin = edited.find("0.125");
    REQUIRE(margin != std::string::npos);
    edited[margin] = '9';
    CHECK(refusal(edited) == 2);
    const std::size_t second = text.find('\n') + 1;
    const std::size_t third = text.find('\n', second) + 1;
    CHECK(refusal(text.substr(0, second) + text.substr(third)) == 2);
    CHECK(refusal(text.substr(second)) == 1);
    for (std::size_t at = 0; at < text.size() - 1; ++at) {
        std::string changed = text;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        CAPTURE(at);
        CHECK(refusal(changed) > 0);
    }
    // The end may be missing, and is computed again.
    for (std::size_t length = 0; length < text.size(); length += 23) {
        std::ofstream(path, std::ios::binary) << text.substr(0, length);
        const Journal journal(path, key, true);
        const auto whole = static_cast<std::size_t>(
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
        CAPTURE(length);
        for (std::size_t block = 0; block < 3; ++block)
            CHECK((journal.finished("test.square", block) != nullptr) == (block + 2 <= whole));
    }
}

TEST_CASE("a resumed journal is gone on with", "[journal]") {
    const ScratchFolder folder("journal-resumed");
    const auto path = folder.path() / "journal.jsonl";
    const JournalKey key{7, "quick", "test"};
    { Journal(path, key, false).append(sample_block()); }
    write_file_atomically(path, read_file(path) + "{\"row\": \"te");
    BlockRecord next = sample_block();
    next.block = 4;
    { Journal(path, key, true).append(next); }
    const Journal journal(path, key, true);
    CHECK(journal.finished("test.square", 3) != nullptr);
    CHECK(journal.finished("test.square", 4) != nullptr);
}

TEST_CASE("a journal of another run or of no run is refused and a new run begins anew",
          "[journal]") {
    const ScratchFolder folder("journal-foreign");
    const auto path = folder.path() / "journal.jsonl";
    { Journal(path, {7, "quick", "test"}, false).append(sample_block()); }
    CHECK_THROWS_AS(Journal(path, {8, "quick", "test"}, true), FileError);
    CHECK_THROWS_AS(Journal(path, {7, "full", "test"}, true), FileError);
    const Journal anew(path, {8, "quick", "test"}, false);
    CHECK(anew.finished("test.square", 3) == nullptr);
    write_file_atomically(path, "nonsense\n");
    CHECK_THROWS_AS(Journal(path, {8, "quick", "test"}, true), FileError);
}
