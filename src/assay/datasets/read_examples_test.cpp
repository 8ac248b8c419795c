#include "assay/datasets/read_examples.hpp"

#include <algorithm>

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

const ExampleShape shape{.image = {}, .values = 1, .categories = {10}, .classes = 2};

/// Lines are one digit; "bad" is none.
Dataset read_digits(const std::filesystem::path& path, const ReadOptions& options,
                    ReadReport& report) {
    TextSource source(path);
    ExampleCollector collector("digits", shape, options, report);
    collect_lines(source, collector, [](std::string_view line, Example& example) {
        // What is written before the refusal must not show up.
        example.values[0] = -1.0F;
        if (line.size() != 1) throw BadRecord("this is no digit");
        example.categories[0] = line[0] - '0';
        example.values[0] = static_cast<float>(line[0] - '0') / 10.0F;
        example.label = (line[0] - '0') % 2;
    });
    return collector.finish();
}

}  // namespace

TEST_CASE("a bad record stops the reading or is counted", "[dpsgd][data]") {
    const ScratchFolder folder("read_examples");
    const auto path = write_plain(folder.path() / "digits", "3\nbad\n4\n\n5\n");
    ReadReport report;
    CHECK(complaint([&] { return read_digits(path, {}, report); }) ==
          path.string() + ":2: this is no digit");

    report = {};
    const Dataset data = read_digits(path, {.skip_bad = true}, report);
    CHECK_NOTHROW(validate(data));
    CHECK(data.name == "digits");
    CHECK(data.shape == shape);
    CHECK(data.categories == std::vector<std::int32_t>{3, 4, 5});
    CHECK(data.values == std::vector{0.3F, 0.4F, 0.5F});
    CHECK(data.labels == std::vector<std::int32_t>{1, 0, 1});
    CHECK(report.records == 3);
    CHECK(report.skipped == 2);
    CHECK(report.first_problem == path.string() + ":2: this is no digit");

    // A second reading adds to the report and keeps the first problem.
    write_plain(path, "bad\n7\n");
    static_cast<void>(read_digits(path, {.skip_bad = true}, report));
    CHECK(report.records == 4);
    CHECK(report.skipped == 3);
    CHECK(report.first_problem == path.string() + ":2: this is no digit");
}

TEST_CASE("the limit counts good records and the rest is not looked at", "[dpsgd][data]") {
    const ScratchFolder folder("read_examples_limit");
    const auto path = write_plain(folder.path() / "digits", "3\nbad\n4\nbad\n5\n");
    ReadReport report;
    const ReadOptions options{.skip_bad = true, .limit = 2};
    CHECK(read_digits(path, options, report).categories == std::vector<std::int32_t>{3, 4});
    CHECK(report.skipped == 1);
    CHECK(refused([&] { return read_digits(path, {.skip_bad = true, .limit = 0}, report); }) ==
          "limit");
}

TEST_CASE("a file without a good record is refused", "[dpsgd][data]") {
    const ScratchFolder folder("read_examples_empty");
    const auto path = write_plain(folder.path() / "digits", "");
    ReadReport report;
    CHECK(complaint([&] { return read_digits(path, {}, report); }) ==
          path.string() + ": has no record");
    write_plain(path, "bad\nbad\n");
    CHECK(complaint([&] { return read_digits(path, {.skip_bad = true}, report); }) ==
          path.string() + ": has no good record; the first problem: " + path.string() +
              ":1: this is no digit");
}

TEST_CASE("a long file is read whole, told about, and without room to spare", "[dpsgd][data]") {
    const ScratchFolder folder("read_examples_long");
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += static_cast<char>('0' + i % 10);
        text += '\n';
    }
    std::vector<double> shares;
    ReadReport report;
    const Dataset data =
        read_digits(write_plain(folder.path() / "digits", text),
                    {.progress = [&](double share) { shares.push_back(share); }}, report);
    REQUIRE(data.size() == 100'000);
    bool right = true;
    for (std::size_t i = 0; i < 100'000; ++i)
        right = right && data.categories[i] == static_cast<std::int32_t>(i % 10);
    CHECK(right);
    CHECK(data.labels.capacity() < 140'000);
    REQUIRE(shares.size() > 5);
    CHECK(std::is_sorted(shares.begin(), shares.end()));
    CHECK(shares.front() >= 0.0);
    CHECK(shares.back() == 1.0);
}
