#include "assay/datasets/criteo_search_file.hpp"

#include "assay/datasets/category_hash.hpp"
#include "test_support/scratch_folder.hpp"
#include "test_support/test_support.hpp"
#include "test_support/written_files.hpp"

using namespace assay;
using namespace assay::test_support;
using Catch::Contains;

namespace {

using Fields = std::vector<std::string>;

const char* const header =
    "Sale\tSalesAmountInEuro\ttime_delay_for_conversion\tclick_timestamp\tnb_clicks_1week\t"
    "product_price\tproduct_age_group\tdevice_type\taudience_id\tproduct_gender\tproduct_brand\t"
    "product_category(1)\tproduct_category(2)\tproduct_category(3)\tproduct_category(4)\t"
    "product_category(5)\tproduct_category(6)\tproduct_category(7)\tproduct_country\tproduct_id\t"
    "product_title\tpartner_id\tuser_id\n";

Fields search_fields() {
    return {
        "1",        "28.9",    "12345",    "1596439471", "42",       "28.9",     "4C90FD52",
        "7E56C27B", "-1",      "C45F9AC5", "",           "80C1D2A3", "80C1D2A4", "80C1D2A5",
        "80C1D2A6", "-1",      "-1",       "-1",         "57A1D462", "09F2A3B4", "words of a title",
        "E3DDEB04", "5D73B0C1"};
}

}  // namespace

TEST_CASE("sponsored search keeps 19 features and no outcome", "[dpsgd][data]") {
    const ScratchFolder folder("criteo_search");
    const auto path = folder.path() / "CriteoSearchData";
    Fields fields = search_fields();
    write_plain(path, tab_separated(fields));
    ReadReport report;
    const CriteoOptions criteo{.buckets = 1000};
    const Dataset data = read_criteo_search(folder.path(), criteo, {}, report);
    CHECK_NOTHROW(validate(data));
    CHECK(data.labels == std::vector<std::int32_t>{1});
    CHECK(data.shape.values == 0);
    CHECK(data.shape.categories == std::vector<std::int32_t>(19, 1000));
    std::vector<std::int32_t> expected;
    for (const std::size_t i :
         {3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
        expected.push_back(fields[i] == "-1" ? 0 : category_bucket(fields[i], 1000));
    CHECK(data.categories == expected);

    // Outcomes and the price change nothing but the label.
    fields[0] = "0";
    fields[1] = "-1";
    fields[2] = "-1";
    fields[5] = "0.0";
    write_plain(path, tab_separated(fields));
    const Dataset other = read_criteo_search(folder.path(), criteo, {}, report);
    CHECK(other.categories == expected);
    CHECK(other.labels == std::vector<std::int32_t>{0});
    // Any feature does.
    for (std::size_t i = 3; i < 23; ++i) {
        Fields changed = fields;
        changed[i] = "different";
        write_plain(path, tab_separated(changed));
        CAPTURE(i);
        CHECK((read_criteo_search(path, criteo, {}, report).categories != expected) == (i != 5));
    }
}

TEST_CASE("sponsored search may have a header line and be compressed", "[dpsgd][data]") {
    const ScratchFolder folder("criteo_search_header");
    std::filesystem::create_directories(folder.path() / "Criteo_Conversion_Search");
    const auto path = folder.path() / "Criteo_Conversion_Search" / "CriteoSearchData.gz";
    ReadReport report;
    const auto read = [&] { return read_criteo_search(folder.path(), {}, {}, report); };
    write_gz(path, header + tab_separated(search_fields()));
    CHECK(read().size() == 1);
    CHECK(report.records == 1);
    write_gz(path, tab_separated(search_fields()) + header);
    CHECK(complaint(read) == path.string() + ":2: label (Sale) \"Sale\" is not 0 or 1");
    write_gz(path, header);
    CHECK(complaint(read) == path.string() + ": has no record");
}

TEST_CASE("a bad record of the sponsored search is named by line and reason", "[dpsgd][data]") {
    const ScratchFolder folder("criteo_search_bad");
    const auto path = folder.path() / "CriteoSearchData";
    ReadReport report;
    const auto read = [&] { return read_criteo_search(folder.path(), {}, {}, report); };
    CHECK_THAT(complaint(read), Contains("has no CriteoSearchData or CriteoSearchData.tsv"));
    const std::string good = tab_separated(search_fields());
    Fields fields = search_fields();
    fields[0] = "-1";
    write_plain(path, good + tab_separated(fields));
    CHECK(complaint(read) == path.string() + ":2: label (Sale) \"-1\" is not 0 or 1");
    fields = search_fields();
    fields.pop_back();
    write_plain(path, good + good + tab_separated(fields) + good);
    CHECK(complaint(read) == path.string() + ":3: fields: 22, not 23");
    const Dataset rest = read_criteo_search(path, {}, {.skip_bad = true}, report);
    CHECK(rest.size() == 3);
    CHECK(report.skipped == 1);
    CHECK(refused([&] { return read_criteo_search(path, {.buckets = 0}, {}, report); }) ==
          "buckets");
}

TEST_CASE("damaged sponsored search is refused or counted and never crashes", "[dpsgd][data]") {
    const ScratchFolder folder("criteo_search_fuzz");
    const auto path = folder.path() / "CriteoSearchData";
    Random random(67);
    CAPTURE(random.seed());
    for (int run = 0; run < 100 * effort(); ++run) {
        std::string text = header;
        for (int i = 0; i < 5; ++i) text += tab_separated(search_fields());
        const auto place = [&] {
            return static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()) - 1));
        };
        for (int change = random.integer(1, 4); change > 0; --change)
            text[place()] =
                random.integer(0, 1) == 0 ? '\t' : static_cast<char>(random.integer(0, 255));
        if (random.integer(0, 3) == 0) text.resize(place());
        write_plain(path, text);
        CAPTURE(text);
        ReadReport strict;
        const std::string said =
            complaint([&] { return read_criteo_search(path, {}, {}, strict); });
        ReadReport lenient;
        const std::string empty = complaint([&] {
            const Dataset data = read_criteo_search(path, {}, {.skip_bad = true}, lenient);
            validate(data);
            CHECK(data.size() == lenient.records);
            return 0;
        });
        if (lenient.skipped > 0) CHECK(said == lenient.first_problem);
        if (lenient.skipped == 0) CHECK(said == empty);
    }
}
