#include "assay/datasets/optical_digits.hpp"

#include <algorithm>
#include <numeric>

#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;

namespace {

std::string line_of(int pixel, int digit) {
    std::string line;
    for (int i = 0; i < 64; ++i) line += std::to_string(pixel) + ",";
    return line + std::to_string(digit) + "\n";
}

}  // namespace

TEST_CASE("the optical digits are those of the file", "[dpsgd][data]") {
    ReadReport report;
    const Dataset data = read_optical_digits("data", {}, report);
    CHECK_NOTHROW(validate(data));
    CHECK(report.records == 1797);
    CHECK(report.skipped == 0);
    CHECK(data.shape.image == ImageShape{1, 8, 8});
    CHECK(data.shape.classes == 10);
    // Counted with another program.
    std::vector<int> counts(10, 0);
    for (const std::int32_t label : data.labels) ++counts[static_cast<std::size_t>(label)];
    CHECK(counts == std::vector<int>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180});
    CHECK(std::accumulate(data.values.begin(), data.values.end(), 0.0) == 561718.0 / 16.0);
    CHECK(data.labels.front() == 0);
    CHECK(data.values_of(0)[2] == 5.0F / 16.0F);
    CHECK(data.labels.back() == 8);
    CHECK(data.values_of(1796)[61] == 12.0F / 16.0F);
}

TEST_CASE("bad digits are named by line and reason", "[dpsgd][data]") {
    const ScratchFolder folder("optical_digits");
    const auto path = folder.path() / "optical_digits.csv";
    ReadReport report;
    const auto said = [&](const std::string& text) {
        write_plain(path, text);
        return complaint([&] { return read_optical_digits(folder.path(), {}, report); });
    };
    CHECK(said(line_of(0, 0) + line_of(16, 9)).empty());
    CHECK(said(line_of(17, 0)) == path.string() + ":1: pixel \"17\" is not in 0 .. 16");
    CHECK(said(line_of(-1, 0)) == path.string() + ":1: pixel \"-1\" is not in 0 .. 16");
    CHECK(said(line_of(0, 3) + line_of(0, 10)) ==
          path.string() + ":2: class \"10\" is not in 0 .. 9");
    CHECK(said("1,2,3\n") == path.string() + ":1: fields: 3, not 65");
    CHECK(said("0," + line_of(0, 0)) == path.string() + ":1: fields: 66, not 65");
    std::string text = line_of(3, 3);
    text[6] = 'x';
    CHECK_THAT(said(text), Contains("pixel \"x\" is not in 0 .. 16"));
    CHECK_THAT(said(""), Contains("has no record"));
}

TEST_CASE("damaged digits are refused or counted and never crash", "[dpsgd][data]") {
    const ScratchFolder folder("optical_digits_fuzz");
    const auto path = folder.path() / "optical_digits.csv";
    Random random(68);
    CAPTURE(random.seed());
    const std::string special = ",\n\r-19x ";
    for (int run = 0; run < 100 * effort(); ++run) {
        std::string text;
        for (int digit = 0; digit < 5; ++digit) text += line_of(random.integer(0, 16), digit);
        for (int change = random.integer(1, 4); change > 0; --change)
            text[static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()) - 1))] =
                special[static_cast<std::size_t>(random.integer(0, 7))];
        write_plain(path, text);
        CAPTURE(text);
        ReadReport strict;
        const std::string said = complaint([&] { return read_optical_digits(path, {}, strict); });
        ReadReport lenient;
        const Dataset data = read_optical_digits(path, {.skip_bad = true}, lenient);
        CHECK_NOTHROW(validate(data));
        CHECK(data.size() == lenient.records);
        CHECK(*std::max_element(data.values.begin(), data.values.end()) <= 1.0F);
        CHECK(*std::min_element(data.values.begin(), data.values.end()) >= 0.0F);
        CHECK(said == lenient.first_problem);
    }
}
