#include "assay/datasets/load_dataset.hpp"

#include <fmt/format.h>

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;

namespace {

/// Ads whose first integer is the number of the line.
std::string ads(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("{}\t{}{:\t>38}\n", i % 2, i, "");
    return text;
}

std::string searches(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("{}{:\t>22}user{}\n", i % 2, "", i);
    return text;
}

void check_parts(const LoadedData& loaded, std::int64_t training, std::int64_t validation,
                 std::int64_t test) {
    CHECK(loaded.split.training.size() == training);
    CHECK(loaded.split.validation.size() == validation);
    CHECK(loaded.split.test.size() == test);
    CHECK(loaded.split.validation.shape == loaded.split.training.shape);
    CHECK(loaded.split.test.shape == loaded.split.training.shape);
    CHECK(loaded.split.validation.name == loaded.split.training.name);
    CHECK_NOTHROW(validate(loaded.split.training));
    CHECK_NOTHROW(validate(loaded.split.test));
}

}  // namespace

TEST_CASE("data kinds have names", "[dpsgd][data]") {
    for (const char* name : {"optical-digits", "cifar-10", "cifar-100", "criteo-ads",
                             "criteo-search", "synthetic-clicks"})
        CHECK(to_string(data_kind_from_string(name)) == name);
    CHECK(to_string(DataKind::synthetic_clicks) == "synthetic-clicks");
    CHECK(complaint([] { return data_kind_from_string("mnist"); }) ==
          "data = mnist is not admitted: one of optical-digits, cifar-10, cifar-100, criteo-ads, "
          "criteo-search, synthetic-clicks");
}

TEST_CASE("the digits and the synthetic clicks need no download", "[dpsgd][data]") {
    DataDescription data;
    const LoadedData digits = load_dataset(data);
    check_parts(digits, 1438, 0, 359);
    CHECK(digits.report.records == 1797);
    CHECK_FALSE(digits.stand_in);
    data.split_seed = 1;
    CHECK(load_dataset(data).split.test.labels != digits.split.test.labels);

    data.kind = DataKind::synthetic_clicks;
    data.folder = "";
    data.synthetic.examples = 1000;
    const LoadedData clicks = load_dataset(data);
    check_parts(clicks, 800, 100, 100);
    CHECK(clicks.stand_in);
    CHECK(clicks.report.records == 1000);
    CHECK_THAT(clicks.split.training.name, Contains("synthetic"));
}

TEST_CASE("the display ads are divided by time", "[dpsgd][data]") {
    const ScratchFolder folder("load_ads");
    write_gz(folder.path() / "train.txt.gz", ads(50));
    DataDescription data{.kind = DataKind::criteo_ads, .folder = folder.path()};
    const LoadedData loaded = load_dataset(data);
    check_parts(loaded, 40, 5, 5);
    for (int i = 0; i < 5; ++i) {
        CHECK(loaded.split.validation.values_of(i)[0] == static_cast<float>(std::log1p(40.0 + i)));
        CHECK(loaded.split.test.values_of(i)[0] == static_cast<float>(std::log1p(45.0 + i)));
    }
    data.read.limit = 10;
    check_parts(load_dataset(data), 8, 1, 1);
    data.read.limit = 2;
    CHECK(complaint([&] { return load_dataset(data); }) ==
          "examples = 2 is not admitted: enough that no part of the split is empty");
}

TEST_CASE("the sponsored search is divided at random", "[dpsgd][data]") {
    const ScratchFolder folder("load_search");
    write_plain(folder.path() / "CriteoSearchData", searches(100) + "bad\n");
    DataDescription data{.kind = DataKind::criteo_search, .folder = folder.path()};
    CHECK_THAT(complaint([&] { return load_dataset(data); }),
               Contains("CriteoSearchData:101: fields: 1, not 23"));
    data.read.skip_bad = true;
    const LoadedData loaded = load_dataset(data);
    check_parts(loaded, 80, 0, 20);
    CHECK(loaded.report.records == 100);
    CHECK(loaded.report.skipped == 1);
    data.split_seed = 1;
    CHECK(load_dataset(data).split.test.categories != loaded.split.test.categories);
}

TEST_CASE("CIFAR is divided as its files are", "[dpsgd][data]") {
    const ScratchFolder folder("load_cifar");
    const auto records = [](std::size_t count, std::size_t size) {
        return std::string(count * size, '\1');
    };
    for (int i = 1; i <= 5; ++i)
        write_plain(folder.path() / fmt::format("data_batch_{}.bin", i), records(2, 3073));
    write_plain(folder.path() / "test_batch.bin", records(3, 3073));
    write_plain(folder.path() / "train.bin", records(4, 3074));
    DataDescription data{.kind = DataKind::cifar_10, .folder = folder.path()};
    const LoadedData loaded = load_dataset(data);
    check_parts(loaded, 10, 0, 3);
    CHECK(loaded.report.records == 13);
    data.kind = DataKind::cifar_100;
    CHECK_THAT(complaint([&] { return load_dataset(data); }), Contains("has no test.bin"));
    write_plain(folder.path() / "test.bin", records(1, 3074));
    check_parts(load_dataset(data), 4, 0, 1);
    data.folder = folder.path() / "none";
    CHECK_THAT(complaint([&] { return load_dataset(data); }), Contains("there is no such folder"));
}
