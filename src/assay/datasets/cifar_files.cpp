#include "assay/datasets/cifar_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "assay/datasets/data_folder.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr ImageShape image{.channels = 3, .height = 32, .width = 32};
constexpr int pixels = image.channels * image.height * image.width;

/// One of the labels with which a record begins; the last one is the example's.
struct LabelByte {
    const char* name;
    int classes;
};

struct Format {
    std::string name;
    std::string subfolder;
    std::vector<LabelByte> labels;
};

/// A byte too few or too many moves every record behind it: no label of such a file can be trusted,
/// and none is skipped.
void require_whole_records(const ByteSource& source, std::uint64_t size, std::size_t record) {
    if (size % record != 0)
        throw FileError(
            source.name(), 0,
            fmt::format("has {} bytes, which are no whole number of records of {}", size, record));
}

void parse(const Format& format, std::span<const char> record, Example& example) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(record.data());
    for (const auto& [name, classes] : format.labels) {
        example.label = *bytes++;
        if (example.label >= classes)
            throw BadRecord(
                fmt::format("{} {} is not in 0 .. {}", name, example.label, classes - 1));
    }
    std::transform(bytes, bytes + pixels, example.values.begin(),
                   [](unsigned char byte) { return static_cast<float>(byte) / 255.0F; });
}

Dataset read(const Format& format, const std::filesystem::path& folder,
             const std::vector<std::string>& names, const ReadOptions& options,
             ReadReport& report) {
    std::vector<std::filesystem::path> files;  // all are there before the first is read
    files.reserve(names.size());
    for (const std::string& name : names)
        files.push_back(find_data_file(folder, {format.subfolder}, {name}));
    ExampleCollector collector(format.name,
                               ExampleShape{.image = image,
                                            .values = pixels,
                                            .categories = {},
                                            .classes = format.labels.back().classes},
                               options, report);
    std::vector<char> record(format.labels.size() + static_cast<std::size_t>(pixels));
    for (std::size_t i = 0; i < files.size(); ++i) {
        ByteSource source(files[i]);
        if (const auto size = source.plain_size())  // before a limit ends the reading
            require_whole_records(source, *size, record.size());
        collector.begin_file(source, static_cast<int>(i), static_cast<int>(files.size()));
        for (std::int64_t number = 1; !collector.full(); ++number) {
            const std::size_t got = source.read(record);
            if (got == 0 && number == 1) throw FileError(files[i].string(), 0, "is empty");
            if (got == 0) break;
            if (got < record.size())
                require_whole_records(source,
                                      static_cast<std::uint64_t>(number - 1) * record.size() + got,
                                      record.size());
            collector.take(number, [&](Example& example) { parse(format, record, example); });
        }
    }
    return collector.finish();
}

}  // namespace

Dataset read_cifar10(const std::filesystem::path& folder, DataPart part, const ReadOptions& options,
                     ReadReport& report) {
    const Format format{"CIFAR-10", "cifar-10-batches-bin", {{"label", 10}}};
    std::vector<std::string> names{"test_batch.bin"};
    if (part == DataPart::training)
        names = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                 "data_batch_5.bin"};
    return read(format, folder, names, options, report);
}

Dataset read_cifar100(const std::filesystem::path& folder, DataPart part,
                      const ReadOptions& options, ReadReport& report) {
    const Format format{
        "CIFAR-100", "cifar-100-binary", {{"coarse label", 20}, {"fine label", 100}}};
    const bool training = part == DataPart::training;
    return read(format, folder, {training ? "train.bin" : "test.bin"}, options, report);
}

}  // namespace assay
