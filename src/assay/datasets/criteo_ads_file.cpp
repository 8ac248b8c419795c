#include "assay/datasets/criteo_ads_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "assay/datasets/category_hash.hpp"
#include "assay/datasets/data_folder.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {

namespace {

constexpr std::size_t integers = 13;
constexpr std::size_t categories = 26;
constexpr std::size_t ad_fields = 1 + integers + categories;

float log_transformed(std::string_view text, std::size_t number) {
    if (text.empty()) return 0.0F;
    const auto value = read_integer<std::int64_t>(text);
    if (!value) throw BadRecord(fmt::format("integer {} is \"{:.20}\"", number, text));
    const auto v = static_cast<double>(*value);
    return static_cast<float>(std::copysign(std::log1p(std::fabs(v)), v));
}

std::int32_t bucket(std::string_view text, std::size_t number, std::int32_t buckets) {
    bool hexadecimal = true;  // without a branch: which digits are letters is not predictable
    for (const char c : text) {
        const auto digit = static_cast<unsigned>(c) - '0';
        const auto letter = (static_cast<unsigned>(c) | 0x20U) - 'a';
        hexadecimal &= (digit < 10U) | (letter < 6U);
    }
    if (!hexadecimal || text.size() > 8)
        throw BadRecord(
            fmt::format("category {} is \"{:.20}\", not up to 8 hexadecimal digits", number, text));
    return category_bucket(text, buckets);
}

void parse_ad(std::string_view line, std::int32_t buckets, Example& example) {
    std::array<std::string_view, ad_fields> field;
    const std::size_t count = split_fields(line, '\t', field);
    if (count + 1 == ad_fields)
        throw BadRecord(fmt::format("fields: {}, not {}: without the label, as in test.txt?", count,
                                    ad_fields));
    if (count != ad_fields) throw BadRecord(fmt::format("fields: {}, not {}", count, ad_fields));
    if (field[0] != "0" && field[0] != "1")
        throw BadRecord(fmt::format("label \"{:.20}\" is not 0 or 1", field[0]));
    example.label = field[0] == "1" ? 1 : 0;
    for (std::size_t i = 0; i < integers; ++i)
        example.values[i] = log_transformed(field[1 + i], i + 1);
    for (std::size_t i = 0; i < categories; ++i)
        example.categories[i] = bucket(field[1 + integers + i], i + 1, buckets);
}

}  // namespace

void validate(const CriteoOptions& criteo) {
    require(criteo.buckets >= 2 && criteo.buckets <= 1 << 30, "buckets", criteo.buckets,
            "2 .. 2^30");
}

Dataset read_criteo_ads(const std::filesystem::path& file_or_folder, const CriteoOptions& criteo,
                        const ReadOptions& options, ReadReport& report) {
    validate(criteo);
    TextSource source(data_file(file_or_folder, {"dac"}, {"train.txt"}));
    ExampleCollector collector(
        "Criteo display ads",
        ExampleShape{.image = {},
                     .values = static_cast<int>(integers),
                     .categories = std::vector<std::int32_t>(categories, criteo.buckets),
                     .classes = 2},
        options, report);
    collect_lines(source, collector, [&](std::string_view line, Example& example) {
        parse_ad(line, criteo.buckets, example);
    });
    return collector.finish();
}

}  // namespace assay
