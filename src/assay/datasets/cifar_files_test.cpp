#include "assay/datasets/cifar_files.hpp"

#include <algorithm>

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;

namespace {

/// A record with these label bytes and pixel bytes (first + 7 i) mod 256.
std::string record(const std::vector<int>& labels, int first) {
    std::string bytes;
    for (const int label : labels) bytes += static_cast<char>(label);
    for (int i = 0; i < 3072; ++i) bytes += static_cast<char>((first + 7 * i) % 256);
    return bytes;
}

bool has_pixels(const Dataset& data, std::int64_t example, int first) {
    const auto values = data.values_of(example);
    for (int i = 0; i < 3072; ++i)
        if (values[static_cast<std::size_t>(i)] !=
            static_cast<float>((first + 7 * i) % 256) / 255.0F)
            return false;
    return true;
}

/// Five training files of two records each, the third compressed, and a test file of one.
void write_cifar10(const std::filesystem::path& folder) {
    for (int file = 1; file <= 5; ++file) {
        const auto name = "data_batch_" + std::to_string(file) + ".bin";
        const std::string text = record({file}, file) + record({file + 4}, 100 + file);
        if (file == 3)
            write_gz(folder / (name + ".gz"), text);
        else
            write_plain(folder / name, text);
    }
    write_plain(folder / "test_batch.bin", record({9}, 200));
}

Dataset read10(const std::filesystem::path& folder, const ReadOptions& options = {}) {
    ReadReport report;
    return read_cifar10(folder, DataPart::training, options, report);
}

}  // namespace

TEST_CASE("CIFAR-10 is read file after file", "[dpsgd][data]") {
    const ScratchFolder folder("cifar10");
    write_cifar10(folder.path());
    ReadReport report;
    const Dataset data = read_cifar10(folder.path(), DataPart::training, {}, report);
    CHECK_NOTHROW(validate(data));
    CHECK(report.records == 10);
    CHECK(data.shape.image == ImageShape{3, 32, 32});
    CHECK(data.shape.classes == 10);
    CHECK(data.labels == std::vector<std::int32_t>{1, 5, 2, 6, 3, 7, 4, 8, 5, 9});
    for (int file = 1; file <= 5; ++file) {
        CHECK(has_pixels(data, 2 * file - 2, file));
        CHECK(has_pixels(data, 2 * file - 1, 100 + file));
    }
    // Byte 0 is 0 and byte 255 is 1.
    CHECK(data.values[0] == 1.0F / 255.0F);
    CHECK(*std::min_element(data.values.begin(), data.values.end()) == 0.0F);
    CHECK(*std::max_element(data.values.begin(), data.values.end()) == 1.0F);

    const Dataset test = read_cifar10(folder.path(), DataPart::test, {}, report);
    CHECK(test.labels == std::vector<std::int32_t>{9});
    CHECK(has_pixels(test, 0, 200));
    CHECK(read10(folder.path(), {.limit = 5}).labels == std::vector<std::int32_t>{1, 5, 2, 6, 3});
}

TEST_CASE("CIFAR-100 has the fine label and checks the coarse one", "[dpsgd][data]") {
    const ScratchFolder folder("cifar100");
    const auto inner = folder.path() / "cifar-100-binary";
    std::filesystem::create_directories(inner);
    write_gz(inner / "train.bin.gz", record({0, 99}, 1) + record({19, 0}, 2));
    write_plain(inner / "test.bin", record({3, 42}, 3) + record({20, 1}, 4) + record({1, 100}, 5));
    ReadReport report;
    const Dataset data = read_cifar100(folder.path(), DataPart::training, {}, report);
    CHECK_NOTHROW(validate(data));
    CHECK(data.shape.classes == 100);
    CHECK(data.labels == std::vector<std::int32_t>{99, 0});
    CHECK(has_pixels(data, 1, 2));
    const auto read_test = [&](const ReadOptions& options) {
        return read_cifar100(folder.path(), DataPart::test, options, report);
    };
    CHECK(complaint([&] { return read_test({}); }) ==
          (inner / "test.bin").string() + ":2: coarse label 20 is not in 0 .. 19");
    report = {};
    CHECK(read_test({.skip_bad = true}).labels == std::vector<std::int32_t>{42});
    CHECK(report.skipped == 2);
}

TEST_CASE("bad CIFAR files are named with the record", "[dpsgd][data]") {
    const ScratchFolder scratch("cifar_bad");
    const auto& folder = scratch.path();
    CHECK_THAT(complaint([&] { return read10(folder / "none"); }),
               Contains("there is no such folder"));
    CHECK_THAT(complaint([&] { return read10(folder); }),
               Contains("has no data_batch_1.bin, plain or .gz"));
    write_cifar10(folder);
    CHECK_THAT(complaint([&] { return read10(folder / "test_batch.bin"); }),
               Contains("this is a file"));

    const auto second = folder / "data_batch_2.bin";
    write_plain(second, record({2}, 2) + record({10}, 102));
    CHECK(complaint([&] { return read10(folder); }) ==
          second.string() + ":2: label 10 is not in 0 .. 9");
    write_plain(second, record({2}, 2) + record({255}, 102) + record({6}, 102));
    CHECK(read10(folder, {.skip_bad = true}).size() == 10);
    write_plain(second, record({2}, 2) + record({6}, 102).substr(0, 3072));
    const std::string misfit =
        second.string() + ": has 6145 bytes, which are no whole number of records of 3073";
    CHECK(complaint([&] { return read10(folder); }) == misfit);
    CHECK(complaint([&] { return read10(folder, {.skip_bad = true}); }) == misfit);
    CHECK(complaint([&] { return read10(folder, {.limit = 1}); }) == misfit);
    std::filesystem::remove(second);
    write_gz(folder / "data_batch_2.bin.gz", record({2}, 2) + record({6}, 102).substr(0, 3072));
    CHECK_THAT(complaint([&] { return read10(folder, {.skip_bad = true}); }),
               Contains("data_batch_2.bin.gz: has 6145 bytes"));
    std::filesystem::remove(folder / "data_batch_2.bin.gz");

    write_plain(second, "");
    CHECK(complaint([&] { return read10(folder); }) == second.string() + ": is empty");
    std::filesystem::remove(second);
    CHECK_THAT(complaint([&] { return read10(folder); }), Contains("has no data_batch_2.bin"));
    const std::string compressed = content(folder / "data_batch_3.bin.gz");
    write_plain(folder / "data_batch_2.bin.gz", compressed.substr(0, compressed.size() / 2));
    CHECK_THAT(complaint([&] { return read10(folder, {.skip_bad = true}); }),
               Contains("data_batch_2.bin.gz: the compressed data are cut short"));
}

TEST_CASE("random bytes for CIFAR are refused or counted and never crash", "[dpsgd][data]") {
    const ScratchFolder folder("cifar_fuzz");
    const auto path = folder.path() / "test.bin";
    Random random(69);
    CAPTURE(random.seed());
    for (int run = 0; run < 20 * effort(); ++run) {
        std::string bytes(static_cast<std::size_t>(random.integer(1, 40'000)), '\0');
        for (char& byte : bytes) byte = static_cast<char>(random.integer(0, 255));
        bytes[0] = 7;  // neither gzip nor a coarse label out of range
        bytes[1 % bytes.size()] = 7;
        if (run % 2 == 0) bytes.resize((bytes.size() + 3073) / 3074 * 3074, '\x05');
        write_plain(path, bytes);
        // Records by the format: two labels in range, and all of its 3074 bytes.
        std::int64_t good = 0;
        for (std::size_t at = 0; at + 3074 <= bytes.size(); at += 3074)
            good += static_cast<unsigned char>(bytes[at]) < 20 &&
                    static_cast<unsigned char>(bytes[at + 1]) < 100;
        const bool is_whole = bytes.size() % 3074 == 0;
        const auto all = static_cast<std::int64_t>(bytes.size() / 3074);
        CAPTURE(bytes.size());
        ReadReport report;
        const std::string said = complaint([&] {
            const Dataset data =
                read_cifar100(folder.path(), DataPart::test, {.skip_bad = true}, report);
            validate(data);
            CHECK(data.size() == good);
            return 0;
        });
        CHECK(said.empty() == (is_whole && good > 0));
        if (!is_whole) continue;
        CHECK(report.records == good);
        CHECK(report.skipped == all - good);
    }
}
