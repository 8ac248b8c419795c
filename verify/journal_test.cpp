#include "verify/journal.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "test_support/scratch_folder.hpp"
#include "verify/test_rows.hpp"

using namespace assay;
using namespace assay::verify;

namespace {

BlockRecord sample() {
    BlockRecord record{"test.square", 3, 0.25, {judge(testing::square_row(1e-10), {{"x", 0.3}})}};
    record.trials.front().margin = -std::numeric_limits<double>::infinity();
    return record;
}

}  // namespace

TEST_CASE("a journal gives back its blocks and cuts off a torn line", "[journal]") {
    const ScratchFolder folder("journal");
    const auto path = folder.path() / "journal.jsonl";
    const JournalKey key{7, "quick", "test"};
    { Journal(path, key, false).append(sample()); }
    write_file_atomically(path, read_file(path) + "{\"row\": \"test.sq");
    const Journal again(path, key, true);
    const BlockRecord* record = again.finished("test.square", 3);
    REQUIRE(record != nullptr);
    CHECK(record->trials.front().verdict == Verdict::violated);
    CHECK(record->trials.front().point == Point{{"x", 0.3}});
    CHECK(record->trials.front().subject == sample().trials.front().subject);
    CHECK(record->trials.front().margin == -std::numeric_limits<double>::infinity());
    CHECK(again.finished("test.square", 4) == nullptr);
}

TEST_CASE("a journal of another run or of no run is refused and a new run begins anew",
          "[journal]") {
    const ScratchFolder folder("journal-foreign");
    const auto path = folder.path() / "journal.jsonl";
    { Journal(path, {7, "quick", "test"}, false).append(sample()); }
    CHECK_THROWS_AS(Journal(path, {8, "quick", "test"}, true), FileError);
    CHECK_THROWS_AS(Journal(path, {7, "full", "test"}, true), FileError);
    const Journal anew(path, {8, "quick", "test"}, false);
    CHECK(anew.finished("test.square", 3) == nullptr);
    write_file_atomically(path, "nonsense\n");
    CHECK_THROWS_AS(Journal(path, {8, "quick", "test"}, true), FileError);
}
