#include "assay/datasets/criteo_search_file.hpp"

#include <fmt/format.h>

#include <array>

#include "assay/datasets/category_hash.hpp"
#include "assay/datasets/data_folder.hpp"

namespace assay {

namespace {

constexpr std::size_t search_fields = 23;
constexpr std::size_t sale = 0;
constexpr std::size_t click_timestamp = 3;  // after Sale, SalesAmountInEuro and the delay
constexpr std::size_t product_price = 5;
constexpr std::size_t features = search_fields - click_timestamp - 1;

void parse_search(std::string_view line, std::int32_t buckets, Example& example) {
    std::array<std::string_view, search_fields> field;
    const std::size_t count = split_fields(line, '\t', field);
    if (count != search_fields)
        throw BadRecord(fmt::format("fields: {}, not {}", count, search_fields));
    if (field[sale] != "0" && field[sale] != "1")
        throw BadRecord(fmt::format("label (Sale) \"{:.20}\" is not 0 or 1", field[sale]));
    example.label = field[sale] == "1" ? 1 : 0;
    std::size_t feature = 0;
    for (std::size_t i = click_timestamp; i < search_fields; ++i)
        if (i != product_price)
            example.categories[feature++] =
                field[i] == "-1" ? 0 : category_bucket(field[i], buckets);
}

}  // namespace

Dataset read_criteo_search(const std::filesystem::path& file_or_folder, const CriteoOptions& criteo,
                           const ReadOptions& options, ReadReport& report) {
    validate(criteo);
    TextSource source(data_file(file_or_folder, {"Criteo_Conversion_Search"},
                                {"CriteoSearchData", "CriteoSearchData.tsv", "CriteoSearchData.csv",
                                 "CriteoSearchData.txt"}));
    ExampleCollector collector(
        "Criteo sponsored search",
        ExampleShape{.image = {},
                     .values = 0,
                     .categories = std::vector<std::int32_t>(features, criteo.buckets),
                     .classes = 2},
        options, report);
    collector.begin_file(source.bytes());
    std::string_view line;
    while (!collector.full() && source.next(line)) {
        if (source.line() == 1 && line.starts_with("Sale\t")) continue;
        collector.take(source.line(),
                       [&](Example& example) { parse_search(line, criteo.buckets, example); });
    }
    return collector.finish();
}

}  // namespace assay
