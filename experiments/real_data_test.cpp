#include "experiments/real_data.hpp"

#include <fmt/format.h>

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::experiments;
using Catch::Contains;

namespace {

Params with_folder(const std::string& folder, const std::string& bad = "stop") {
    return Params::from_text(fmt::format("data_folder = '{}'\nbad_records = '{}'\n", folder, bad),
                             "figure.toml");
}

const DataDescription cifar{.kind = DataKind::cifar_10};

/// A record of class `label`.
std::string image_record(char label) {
    return label + std::string(3072, '\x01');
}

}  // namespace

TEST_CASE("a folder without the files gives nothing and says what is missing", "[experiments]") {
    const ScratchFolder folder("real_data");
    CHECK(!read_real(with_folder(""), cifar).loaded);
    CHECK(read_real(with_folder(""), cifar).missing.empty());
    CHECK_THROWS_WITH(read_real(with_folder(folder.path().string()), cifar),
                      Contains("has no file of CIFAR-10, CIFAR-100, Criteo display ads"));
    test_support::write_plain(folder.path() / "CriteoSearchData.csv", "of another set");
    const RealData none = read_real(with_folder(folder.path().string()), cifar);
    CHECK(!none.loaded);
    CHECK_THAT(none.missing, Contains("has no data_batch_1.bin"));
    // Not there at all is a mistake, not a wish for the stand-in.
    CHECK_THROWS_AS(read_real(with_folder((folder.path() / "none").string()), cifar), FileError);
    CHECK_THROWS_AS(read_real(with_folder("", "perhaps"), cifar), FileError);
}

TEST_CASE("of a set that is there no file may be missing", "[experiments]") {
    const ScratchFolder folder("real_data_part");
    const std::string path = folder.path().string();
    for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_4.bin"})
        test_support::write_plain(folder.path() / name, image_record(1));
    CHECK_THROWS_WITH(read_real(with_folder(path), cifar), Contains("has no data_batch_3.bin"));
    std::filesystem::create_directories(folder.path() / "cifar-100-binary");
    test_support::write_plain(folder.path() / "cifar-100-binary" / "test.bin",
                              "\x01" + image_record(1));
    CHECK_THROWS_WITH(read_real(with_folder(path), {.kind = DataKind::cifar_100}),
                      Contains("has no train.bin"));
    CHECK(!read_real(with_folder(path), {.kind = DataKind::criteo_ads}).loaded);
}

TEST_CASE("real data are read, and bad records skipped where that is asked", "[experiments]") {
    const ScratchFolder folder("real_data_bad");
    for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                             "data_batch_4.bin", "test_batch.bin"})
        test_support::write_plain(folder.path() / name, image_record(1));
    test_support::write_plain(folder.path() / "data_batch_5.bin",
                              image_record(2) + image_record(11));
    const std::string path = folder.path().string();
    CHECK_THROWS_AS(read_real(with_folder(path), cifar), FileError);
    const RealData real = read_real(with_folder(path, "skip"), cifar);
    REQUIRE(real.loaded);
    CHECK(real.loaded->split.training.size() == 5);
    CHECK_THAT(skipped_text(real.loaded->report),
               Contains("1 bad records") && Contains("data_batch_5.bin:2"));
    CHECK(skipped_text({}).empty());
}

TEST_CASE("what was scaled is what differs from the paper's preset", "[experiments]") {
    const char* text =
        "epochs = 10\nchannels = [4, 8]\nrates = [1, 2, 3, 4, 5, 6, 7]\n"
        "[ads]\nexamples = 50\nseed = 1\n"
        "[preset.paper]\nnotes = ['x']\nepochs = 250\nrates = [1, 2]\nstates = 'x'\n"
        "[preset.paper.ads]\nexamples = 4600\nseed = 1\n";
    const auto scaled = [&](const char* preset) {
        return scaled_down(Params::from_text(text, "figure.toml", preset), {"states"});
    };
    CHECK(scaled("") ==
          "Scaled, in brackets what PRESET=paper takes: ads.examples 50 (4600); epochs 10 (250); "
          "rates 1 .. 7 (1, 2).");
    CHECK(scaled("paper").empty());
}

TEST_CASE("runs that are not the paper's refute nothing of it", "[experiments]") {
    const Claim claim{"id", "paper", "where", "statement", "12 %", Verdict::differs, {}};
    CHECK(judged_here(claim, "", "more") == claim);
    const Claim scaled = judged_here(claim, "scaled network", "more");
    CHECK(scaled.verdict == Verdict::undecidable);
    CHECK(scaled.found == claim.found);
    CHECK(scaled.basis.would_decide == "more");
    CHECK(scaled.basis.criterion == "Runs on scaled network cannot refute the paper.");
    Claim holds = claim;
    holds.verdict = Verdict::reproduced;
    CHECK(judged_here(holds, "scaled network", "more") == holds);
}
