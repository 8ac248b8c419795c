#include "assay/monte_carlo/checkpoint.hpp"

#include <algorithm>
#include <limits>

#include "assay/files/atomic_file.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using Catch::Contains;

namespace {

Checkpoint example_run() {
    Checkpoint run;
    run.identity = {{"noise-multiplier", "0.4"}, {"orders", "1-500,510-1000:10"}, {"seed", "17"}};
    run.shape = {10, 3};
    run.part = {1, 3};
    run.groups[4] = {1.0 / 3.0, -0.0, std::numeric_limits<double>::infinity()};
    run.groups[5] = {std::numeric_limits<double>::denorm_min(), -1e300, 6.02e23};
    return run;
}

/// The message with which reading `text` is refused.
std::string checkpoint_refusal(const std::filesystem::path& path, const std::string& text) {
    write_file_atomically(path, text);
    try {
        static_cast<void>(read_checkpoint(path));
    } catch (const FileError& error) {
        CHECK(error.file() == path.string());
        return error.what();
    }
    return "";
}

std::vector<std::filesystem::path> write_shards(const std::filesystem::path& folder,
                                                const Checkpoint& whole, std::uint64_t count) {
    std::vector<std::filesystem::path> files;
    for (std::uint64_t index = 0; index < count; ++index) {
        Checkpoint shard = whole;
        shard.part = {index, count};
        shard.groups.clear();
        const GroupRange range = rank_range(whole.shape.groups(), shard.part);
        for (std::uint64_t group = range.first; group < range.last; ++group)
            shard.groups[group] = whole.groups.at(group);
        files.push_back(folder / ("shard" + std::to_string(index + 1)));
        write_checkpoint(files.back(), shard);
    }
    return files;
}

Checkpoint complete() {
    Checkpoint run = example_run();
    run.part = {};
    for (std::uint64_t group = 0; group < 10; ++group)
        run.groups[group] = {1.0 / static_cast<double>(group + 1), 2.0, 3.0};
    return run;
}

}  // namespace

TEST_CASE("a checkpoint reads back to the same bits", "[parallel]") {
    const ScratchFolder folder("checkpoint");
    const auto path = folder.path() / "run.checkpoint";
    const Checkpoint run = example_run();
    write_checkpoint(path, run);
    const Checkpoint back = read_checkpoint(path);
    CHECK(back.identity == run.identity);
    CHECK(back.shape == run.shape);
    CHECK(back.part == run.part);
    CHECK(back.groups == run.groups);
    CHECK(std::signbit(back.groups.at(4)[1]));

    CAPTURE(12345);
    test_support::Random random(12345);
    Checkpoint many = run;
    for (std::uint64_t group = 0; group < 10; ++group)
        for (double& sum : many.groups[group] = std::vector<double>(3))
            sum = random.log_uniform(1e-300, 1e300);
    write_checkpoint(path, many);
    CHECK(read_checkpoint(path).groups == many.groups);
}

TEST_CASE("the directions in files of 0.2.0 get their current names", "[parallel]") {
    const ScratchFolder folder("checkpoint-words");
    for (const auto& [written, read] :
         {std::pair{"remove", "removal"}, {"add", "addition"}, {"both", "both"}}) {
        Checkpoint run = example_run();
        run.identity.push_back({"direction", written});
        run.identity.push_back({"method", "add"});
        write_checkpoint(folder.path() / "file", run);
        const RunIdentity identity = read_checkpoint(folder.path() / "file").identity;
        CHECK(identity[3] == RunField{"direction", read});
        CHECK(identity[4] == RunField{"method", "add"});
    }
}

TEST_CASE("a checkpoint cut anywhere, or with a byte changed, is refused", "[parallel]") {
    const ScratchFolder folder("checkpoint");
    const auto path = folder.path() / "run.checkpoint";
    write_checkpoint(path, example_run());
    const std::string text = read_file(path);
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        const std::string message = checkpoint_refusal(path, text.substr(0, length));
        CHECK_THAT(message, Contains("cut short") || Contains("no checkpoint"));
        CHECK(message.find('\n') == std::string::npos);
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
        CAPTURE(at);
        std::string changed = text;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        CHECK_FALSE(checkpoint_refusal(path, changed).empty());
    }
    CHECK_THAT(checkpoint_refusal(path, text + "more\n"), Contains("this checkpoint is damaged"));
    CHECK_THAT(checkpoint_refusal(path, "order,value\n2,3\n"),
               Contains("this is no checkpoint of assay"));
    CHECK_THAT(checkpoint_refusal(path, "assay checkpoint 1\nseed 17\n"),
               Contains("this checkpoint is of version 1, this program reads version 2"));
    CHECK_THROWS_AS(read_checkpoint(folder.path() / "none"), FileError);
    CHECK_THROWS_AS(read_checkpoint(folder.path()), FileError);
}

TEST_CASE("a checkpoint that says of itself what cannot be is refused", "[parallel]") {
    const ScratchFolder folder("checkpoint");
    const auto path = folder.path() / "run.checkpoint";
    const auto damage = [&](auto change) {
        Checkpoint run = example_run();
        change(run);
        write_checkpoint(path, run);
        CHECK_THROWS_WITH(read_checkpoint(path), Contains("this checkpoint is damaged"));
    };
    damage([](Checkpoint& run) { run.groups[10] = {1.0, 2.0, 3.0}; });
    damage([](Checkpoint& run) { run.groups[4].pop_back(); });
    damage([](Checkpoint& run) { run.groups[4][0] = std::nan(""); });
    damage([](Checkpoint& run) { run.part = {3, 3}; });
}

TEST_CASE("fields that would not read back are not written", "[parallel]") {
    const ScratchFolder folder("checkpoint");
    for (const RunField& field :
         {RunField{"two words", "1"}, RunField{"", "1"}, RunField{"name", "two\nlines"}}) {
        Checkpoint run = example_run();
        run.identity.push_back(field);
        CHECK_THROWS_AS(write_checkpoint(folder.path() / "run", run), DomainError);
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("another run is refused with what differs", "[parallel]") {
    const Checkpoint there = example_run();
    CHECK_NOTHROW(require_same_run("file", there, there));
    CHECK_NOTHROW(require_same_part("file", there, there));
    const auto message = [&](const Checkpoint& here) {
        try {
            require_same_run("file", there, here);
            require_same_part("file", there, here);
        } catch (const FileError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Checkpoint here = there;
    here.identity[0].value = "0.5";
    CHECK(message(here) == "file: this is of another run: noise-multiplier 0.4 there, 0.5 here");
    here.identity[2].value = "18";
    CHECK_THAT(message(here), Contains("0.5 here; seed 17 there, 18 here"));
    here = there;
    here.identity.pop_back();
    CHECK_THAT(message(here), Contains("seed 17 there, none here"));
    here = there;
    here.identity.push_back({"method", "plain"});
    CHECK_THAT(message(here), Contains("method none there, plain here"));
    here = there;
    here.shape.blocks = 11;
    CHECK_THAT(message(here), Contains("10 blocks of 3 sums there, 11 of 3 here"));
    here = there;
    here.part = {0, 3};
    CHECK(message(here) == "file: this is of another shard: 2/3 there, 1/3 here");
}

TEST_CASE("long values are cut around their difference", "[parallel]") {
    Checkpoint there = example_run();
    there.identity[1].value = std::string(1000, '7') + "123" + std::string(1000, '8');
    Checkpoint here = there;
    here.identity[1].value[1000] = '5';
    CHECK_THROWS_WITH(require_same_run("file", there, here), Contains("777123888") &&
                                                                 Contains("777523888") &&
                                                                 Catch::Matches("[^\n]{0,200}"));
}

TEST_CASE("the shards of a run make the run", "[parallel]") {
    const ScratchFolder folder("checkpoint");
    const Checkpoint whole = complete();
    for (const std::uint64_t count : {1ULL, 3ULL, 12ULL}) {
        CAPTURE(count);
        auto files = write_shards(folder.path(), whole, count);
        std::reverse(files.begin(), files.end());
        const Checkpoint merged = merge_checkpoints(files);
        CHECK(merged.identity == whole.identity);
        CHECK(merged.shape == whole.shape);
        CHECK(merged.part == Part{});
        CHECK(merged.groups == whole.groups);
    }
}

TEST_CASE("shards that overlap, are missing, or of another run are refused", "[parallel]") {
    const ScratchFolder folder("checkpoint");
    const auto files = write_shards(folder.path(), complete(), 3);
    using Files = std::vector<std::filesystem::path>;
    CHECK_THROWS_WITH(merge_checkpoints(Files{}), "no files to merge");
    CHECK_THROWS_WITH(merge_checkpoints(Files{files[0], files[2]}),
                      "shard 2/3 is missing or unfinished: groups 4 to 6 of 10 in none of the "
                      "files");
    CHECK_THROWS_WITH(merge_checkpoints(Files{files[0], files[1]}),
                      Contains("shard 3/3 is missing"));
    CHECK_THROWS_WITH(merge_checkpoints(Files{files[0], files[1], files[2], files[1]}),
                      Contains("shard2: group 4 is also in") && Contains("may not overlap"));
    CHECK_THROWS_WITH(merge_checkpoints(Files{files[0], files[0], files[2]}),
                      Contains("group 0 is also in"));

    Checkpoint unfinished = read_checkpoint(files[1]);
    unfinished.groups.erase(5);
    write_checkpoint(files[1], unfinished);
    CHECK_THROWS_WITH(merge_checkpoints(files),
                      "shard 2/3 is missing or unfinished: group 5 of 10 in none of the files");

    Checkpoint foreign = read_checkpoint(files[2]);
    foreign.identity[2].value = "18";
    write_checkpoint(files[2], foreign);
    CHECK_THROWS_WITH(merge_checkpoints(files),
                      Contains("shard3: this is of another run: seed 18 there, 17 here"));
}
