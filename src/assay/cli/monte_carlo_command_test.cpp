#include "assay/cli/monte_carlo_command.hpp"

#include <CLI/CLI.hpp>

#include "assay/monte_carlo/checkpoint.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::cli;
using Catch::Contains;

namespace {

/// What the two commands print.
std::string run_words(const std::string& words) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Streams streams{in, out, err};
    SingleRank alone;
    int exit_code = -1;
    CLI::App program;
    add_monte_carlo_command(program, streams, alone, exit_code);
    add_merge_command(program, streams, exit_code);
    program.parse(words);
    CHECK(exit_code == 0);
    CHECK(err.str().empty());
    return out.str();
}

const std::string small_run =
    "monte-carlo --noise-multiplier 0.5 --batches-per-epoch 40 --epsilons 0.5,1 --samples 60000 "
    "--json ";

}  // namespace

TEST_CASE("threads, checkpoints and shards print the same bits", "[cli]") {
    const ScratchFolder folder("monte_carlo");
    const std::string at = folder.path().string() + "/";
    const std::string truth = run_words(small_run + "--threads 1");
    CHECK_THAT(truth, Contains("\"curves\""));
    CHECK(run_words(small_run + "--threads 2") == truth);
    CHECK(run_words(small_run + "--checkpoint " + at + "c") == truth);
    CHECK(run_words(small_run + "--checkpoint " + at + "c --resume") == truth);
    for (const char* index : {"1", "2", "3"})
        CHECK(run_words(small_run + "--shard " + index + "/3 --out " + at + index).empty());
    CHECK(run_words("merge --json " + at + "3 " + at + "1 " + at + "2") == truth);
    CHECK_THROWS_WITH(run_words("merge " + at + "1 " + at + "3"), Contains("shard 2/3 is missing"));
    // A shard is written over itself, and over nothing else.
    CHECK(run_words(small_run + "--shard 1/3 --out " + at + "1").empty());
    CHECK_THROWS_WITH(run_words(small_run + "--shard 2/3 --out " + at + "1"), Contains("1/3"));
    CHECK_THROWS_WITH(run_words(small_run + "--seed 77 --shard 1/3 --out " + at + "1"),
                      Contains("seed"));
}

TEST_CASE("options that do not fit together are refused and leave nothing", "[cli]") {
    const ScratchFolder folder("monte_carlo");
    const std::string file = folder.path().string() + "/file";
    CHECK_THROWS_WITH(run_words(small_run + "--shard 1/3"), Contains("out is missing"));
    CHECK_THROWS_WITH(run_words(small_run + "--out " + file), Contains("only with --shard"));
    CHECK_THROWS_WITH(run_words(small_run + "--resume"), Contains("checkpoint is missing"));
    CHECK_THROWS_WITH(run_words(small_run + "--shard 0/3 --out " + file), Contains("shard = 0/3"));
    CHECK_THROWS_WITH(run_words(small_run + "--threads 0"), Contains("threads = 0"));
    CHECK_THROWS_WITH(run_words(small_run + "--shard 1/3 --out " + file + " --checkpoint " + file),
                      Contains("another file than the checkpoint"));
    CHECK_THROWS_WITH(run_words(small_run + "--shard 1/3 --out " + file + "/none/shard"),
                      Contains("cannot be written"));
    CHECK_THROWS_WITH(run_words(small_run + "--shard 1/3 --out " + folder.path().string()),
                      Contains("it is a folder"));
    CHECK_THROWS_WITH(run_words("merge " + file), Contains("cannot be read"));
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a shard that says of itself what cannot be is refused", "[cli]") {
    const ScratchFolder folder("monte_carlo");
    const std::string file = folder.path().string() + "/shard";
    run_words(small_run + "--shard 1/1 --out " + file);
    Checkpoint shard = read_checkpoint(file);
    for (auto& [name, value] : shard.identity)
        if (name == "samples") value = "10000";
    write_checkpoint(file, shard);
    CHECK_THROWS_WITH(run_words("merge " + file), Contains("this is of another run"));
}
