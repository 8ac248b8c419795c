#include "assay/datasets/optical_digits.hpp"

#include <fmt/format.h>

#include <array>

#include "assay/datasets/data_folder.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {

namespace {

constexpr ImageShape image{.channels = 1, .height = 8, .width = 8};
constexpr std::size_t pixels = 64;
constexpr int brightest = 16;
constexpr int classes = 10;

int whole_number(std::string_view text, int largest, const char* what) {
    const int value = read_integer<int>(text).value_or(-1);
    if (value < 0 || value > largest)
        throw BadRecord(fmt::format("{} \"{:.20}\" is not in 0 .. {}", what, text, largest));
    return value;
}

void parse(std::string_view line, Example& example) {
    std::array<std::string_view, pixels + 1> field;
    const std::size_t count = split_fields(line, ',', field);
    if (count != field.size())
        throw BadRecord(fmt::format("fields: {}, not {}", count, field.size()));
    for (std::size_t i = 0; i < pixels; ++i)
        example.values[i] = static_cast<float>(whole_number(field[i], brightest, "pixel")) /
                            static_cast<float>(brightest);
    example.label = whole_number(field[pixels], classes - 1, "class");
}

}  // namespace

Dataset read_optical_digits(const std::filesystem::path& file_or_folder, const ReadOptions& options,
                            ReadReport& report) {
    TextSource source(data_file(file_or_folder, {}, {"optical_digits.csv"}));
    ExampleCollector collector("optical digits, 8x8",
                               ExampleShape{.image = image,
                                            .values = static_cast<int>(pixels),
                                            .categories = {},
                                            .classes = classes},
                               options, report);
    collect_lines(source, collector, parse);
    return collector.finish();
}

}  // namespace assay
