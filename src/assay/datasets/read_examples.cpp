#include "assay/datasets/read_examples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::int64_t most_examples = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t look_ahead_every = 1 << 13;
constexpr std::uint64_t settled_after = 1 << 20;

void reserve(Dataset& data, double examples) {
    const auto count = static_cast<std::size_t>(examples);
    data.values.reserve(count * static_cast<std::size_t>(data.shape.values));
    data.categories.reserve(count * data.shape.categories.size());
    data.labels.reserve(count);
}

/// A NUL would end the message, an escape sequence would be obeyed by the terminal.
std::string printable(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f)
            shown += fmt::format("\\x{:02x}", byte);
        else
            shown += c;
    }
    return shown;
}

}  // namespace

BadRecord::BadRecord(std::string_view reason) : std::runtime_error(printable(reason)) {}

ExampleCollector::ExampleCollector(std::string name, ExampleShape shape, const ReadOptions& options,
                                   ReadReport& report)
    : options_(&options), report_(&report), target_(options.limit.value_or(most_examples)) {
    require(target_ >= 1, "limit", static_cast<double>(target_), "at least 1");
    example_.values.resize(static_cast<std::size_t>(shape.values));
    example_.categories.resize(shape.categories.size());
    data_.name = std::move(name);
    data_.shape = std::move(shape);
}

void ExampleCollector::begin_file(const ByteSource& source, int index, int count) {
    source_ = &source;
    file_name_ = source.name();
    file_index_ = index;
    file_count_ = count;
}

bool ExampleCollector::full() const {
    return data_.size() >= target_;
}

void ExampleCollector::refuse(std::int64_t number, const char* reason) {
    const auto line = std::min<std::int64_t>(number, std::numeric_limits<int>::max());
    const FileError error(file_name_, static_cast<int>(line), reason);
    if (!options_->skip_bad) throw error;
    if (report_->skipped++ == 0) report_->first_problem = error.what();
}

void ExampleCollector::append() {
    if (data_.size() == most_examples)
        throw FileError(file_name_, 0, "has more than 4294967295 examples: set a limit");
    if (data_.size() % look_ahead_every == 0) look_ahead();
    data_.values.insert(data_.values.end(), example_.values.begin(), example_.values.end());
    data_.categories.insert(data_.categories.end(), example_.categories.begin(),
                            example_.categories.end());
    data_.labels.push_back(example_.label);
    ++report_->records;
}

void ExampleCollector::look_ahead() {
    const double share = (file_index_ + source_->share()) / file_count_;
    if (options_->progress) options_->progress(share);
    // Records are of about equal lengths: as many again for each share, and 3 % more. The share
    // runs ahead of the records by what is buffered, so it is asked again until that is less than 1
    // %.
    const auto size = static_cast<std::uint64_t>(data_.size());
    const bool early = size <= settled_after && std::has_single_bit(size);
    const bool tight = data_.labels.capacity() < size + look_ahead_every;
    if (size > 0 && share > 0.0 && (early || tight))
        reserve(data_,
                std::min(1.03 * static_cast<double>(size) / share, static_cast<double>(target_)));
}

Dataset ExampleCollector::finish() {
    if (data_.size() == 0) {
        const std::string reason =
            report_->skipped == 0
                ? std::string("has no record")
                : fmt::format("has no good record; the first problem: {}", report_->first_problem);
        throw FileError(file_name_, 0, reason);
    }
    if (options_->progress) options_->progress(1.0);
    return std::move(data_);
}

void collect_lines(TextSource& source, ExampleCollector& collector,
                   const std::function<void(std::string_view, Example&)>& parse) {
    collector.begin_file(source.bytes());
    std::string_view line;
    while (!collector.full() && source.next(line))
        collector.take(source.line(), [&](Example& example) { parse(line, example); });
}

}  // namespace assay
