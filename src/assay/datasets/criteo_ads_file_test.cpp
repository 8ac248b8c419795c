#include "assay/datasets/criteo_ads_file.hpp"

#include "assay/datasets/category_hash.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;

namespace {

using Fields = std::vector<std::string>;

/// Label, 13 integers, 26 categories.
Fields ad_fields() {
    Fields fields{"1", "1", "-2", "0", "", "23", "1382", "4", "15", "2", "181", "1", "", "2"};
    for (int i = 0; i < 26; ++i) fields.push_back(i == 3 ? "" : "68fd1e6" + std::to_string(i % 10));
    return fields;
}

/// What is said of a file whose second line has one field replaced.
std::string complaint_with(std::size_t field, const std::string& text) {
    const ScratchFolder folder("criteo_ads_field");
    Fields fields = ad_fields();
    fields[field] = text;
    write_plain(folder.path() / "train.txt", tab_separated(ad_fields()) + tab_separated(fields));
    ReadReport report;
    const std::string said =
        complaint([&] { return read_criteo_ads(folder.path(), {}, {}, report); });
    const std::string where = (folder.path() / "train.txt").string() + ":2: ";
    if (said.empty()) return "";
    CHECK(said.starts_with(where));
    return said.substr(where.size());
}

}  // namespace

TEST_CASE("display ads are read with logarithms and buckets", "[dpsgd][data]") {
    const ScratchFolder folder("criteo_ads");
    Fields second = ad_fields();
    second[0] = "0";
    second[39] = "FFFFFFFF";
    const std::string text = tab_separated(ad_fields()) + tab_separated(second);
    std::string dos = text;
    for (std::size_t at = 0; (at = dos.find('\n', at)) != std::string::npos; at += 2)
        dos.insert(at, "\r");
    ReadReport report;
    const CriteoOptions criteo{.buckets = 97};
    const Dataset data =
        read_criteo_ads(write_plain(folder.path() / "some.tsv", text), criteo, {}, report);
    CHECK_NOTHROW(validate(data));
    CHECK(data.size() == 2);
    CHECK(report.records == 2);
    CHECK(data.labels == std::vector<std::int32_t>{1, 0});
    CHECK(data.shape.values == 13);
    CHECK(data.shape.categories == std::vector<std::int32_t>(26, 97));
    CHECK(data.shape.classes == 2);
    const auto values = data.values_of(0);
    // ln 2, -ln 3, 0, missing, ln 24, ln 1383, ln 5, ln 16, ln 3, ln 182, ln 2, missing, ln 3
    const std::vector<double> expected{0.6931471805599453,
                                       -1.0986122886681098,
                                       0.0,
                                       0.0,
                                       3.1780538303479458,
                                       7.232010331664759,
                                       1.6094379124341003,
                                       2.772588722239781,
                                       1.0986122886681098,
                                       5.204006687076795,
                                       0.6931471805599453,
                                       0.0,
                                       1.0986122886681098};
    for (std::size_t i = 0; i < 13; ++i) CHECK(values[i] == static_cast<float>(expected[i]));
    const auto categories = data.categories_of(1);
    CHECK(categories[0] == category_bucket("68fd1e60", 97));
    CHECK(categories[3] == 0);
    CHECK(categories[24] == category_bucket("68fd1e64", 97));
    CHECK(categories[25] == category_bucket("FFFFFFFF", 97));

    // CR LF, gz, the folder, the archive's folder: all the same.
    const auto same = [&](const std::filesystem::path& path) {
        const Dataset other = read_criteo_ads(path, criteo, {}, report);
        return other.values == data.values && other.categories == data.categories &&
               other.labels == data.labels;
    };
    CHECK(same(write_plain(folder.path() / "dos.tsv", dos)));
    std::filesystem::create_directories(folder.path() / "dac");
    write_gz(folder.path() / "dac" / "train.txt.gz", text);
    CHECK(same(folder.path()));
    CHECK(same(folder.path() / "dac"));
}

TEST_CASE("a bad record of the display ads is named by line and reason", "[dpsgd][data]") {
    CHECK(complaint_with(5, "-9223372036854775808").empty());
    CHECK(complaint_with(20, "a").empty());
    CHECK(complaint_with(0, "2") == "label \"2\" is not 0 or 1");
    CHECK(complaint_with(0, "") == "label \"\" is not 0 or 1");
    CHECK(complaint_with(0, "1.0") == "label \"1.0\" is not 0 or 1");
    CHECK(complaint_with(1, "12a") == "integer 1 is \"12a\"");
    CHECK(complaint_with(2, std::string("1\0"
                                        "2\x1b[",
                                        5)) == "integer 2 is \"1\\x002\\x1b[\"");
    CHECK(complaint_with(13, " 1") == "integer 13 is \" 1\"");
    CHECK(complaint_with(2, "9223372036854775808") == "integer 2 is \"9223372036854775808\"");
    CHECK(complaint_with(3, "nan") == "integer 3 is \"nan\"");
    CHECK(complaint_with(14, "68fd1e6g") ==
          "category 1 is \"68fd1e6g\", not up to 8 hexadecimal digits");
    CHECK(complaint_with(39, "68fd1e640") ==
          "category 26 is \"68fd1e640\", not up to 8 hexadecimal digits");
    CHECK(complaint_with(39, "a\tb") == "fields: 41, not 40");
    CHECK(complaint_with(20, "a\nb") == "fields: 21, not 40");
}

TEST_CASE("files that are no display ads are refused", "[dpsgd][data]") {
    const ScratchFolder folder("criteo_ads_bad");
    const auto path = folder.path() / "train.txt";
    ReadReport report;
    const auto read = [&] { return read_criteo_ads(folder.path(), {}, {}, report); };
    CHECK_THAT(complaint(read), Contains("has no train.txt, plain or .gz"));
    const std::string unlabelled = tab_separated(ad_fields()).substr(2);
    write_plain(path, unlabelled);
    CHECK_THAT(complaint(read), Contains("fields: 39, not 40: without the label, as in test.txt?"));
    write_plain(path, "");
    CHECK_THAT(complaint(read), Contains("train.txt: has no record"));
    write_plain(path, tab_separated(ad_fields()) + "\n");
    CHECK_THAT(complaint(read), Contains("train.txt:2: fields: 1, not 40"));
    const auto with_buckets = [&](std::int32_t buckets) {
        return refused([&] { return read_criteo_ads(path, {buckets}, {}, report); });
    };
    CHECK(with_buckets(1) == "buckets");
    CHECK(with_buckets((1 << 30) + 1) == "buckets");
}

TEST_CASE("damaged display ads are refused or counted and never crash", "[dpsgd][data]") {
    const ScratchFolder folder("criteo_ads_fuzz");
    const auto path = folder.path() / "train.txt";
    Random random(65);
    CAPTURE(random.seed());
    const std::string special(
        "\t\n\r\0g-\"\xff"
        "01",
        10);
    for (int run = 0; run < 150 * effort(); ++run) {
        std::string text;
        for (int i = 0; i < 5; ++i) text += tab_separated(ad_fields());
        for (int change = random.integer(1, 4); change > 0; --change) {
            const auto at =
                static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()) - 1));
            text[at] = special[static_cast<std::size_t>(random.integer(0, 9))];
        }
        if (random.integer(0, 3) == 0)
            text.resize(static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()))));
        write_plain(path, text);
        CAPTURE(text);
        ReadReport strict;
        const std::string said = complaint([&] { return read_criteo_ads(path, {}, {}, strict); });
        ReadReport lenient;
        Dataset data;
        const std::string empty = complaint([&] {
            data = read_criteo_ads(path, {}, {.skip_bad = true}, lenient);
            return 0;
        });
        CHECK(lenient.records == data.size());
        CHECK((lenient.skipped == 0) == (said.empty() || lenient.first_problem.empty()));
        if (lenient.skipped > 0) CHECK(said == lenient.first_problem);
        if (empty.empty()) CHECK_NOTHROW(validate(data));
    }
}
