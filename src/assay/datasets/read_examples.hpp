#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/datasets/byte_source.hpp"
#include "assay/datasets/dataset.hpp"
#include "assay/datasets/text_source.hpp"

namespace assay {

/// How a data set is read from its files.
struct ReadOptions {
    bool skip_bad = false;                             // leave bad records out and count them
    std::optional<std::int64_t> limit = std::nullopt;  // stop after this many good records
    std::function<void(double share)> progress = {};   // how much is read, in [0, 1]
};

/// What came of it; several readings add up.
struct ReadReport {
    std::int64_t records = 0;   // good ones, which became examples
    std::int64_t skipped = 0;   // bad ones, left out
    std::string first_problem;  // of the first bad one: file, number and reason
};

/// What is wrong with the record at hand; its reader knows neither the file nor the number. Control
/// characters of the record are shown as \\x00.
class BadRecord : public std::runtime_error {
public:
    explicit BadRecord(std::string_view reason);
};

/// One example on its way from a record to a Dataset.
struct Example {
    std::vector<float> values;
    std::vector<std::int32_t> categories;
    std::int32_t label = 0;
};

/// Collects the records of one data set, from one file or from several.
///   Cost       the arrays of the Dataset, reserved from the share of the file read so far, so that
///              they are not moved while they grow
class ExampleCollector {
public:
    /// Throws DomainError (limit) unless it is at least 1.
    ExampleCollector(std::string name, ExampleShape shape, const ReadOptions& options,
                     ReadReport& report);

    /// Says which file is read now: number `index` of `count`.
    void begin_file(const ByteSource& source, int index = 0, int count = 1);

    /// Whether the limit is reached.
    [[nodiscard]] bool full() const;

    /// Lets `parse(Example&)` make an example of record `number` and adds it.
    ///   Throws     FileError (file, number, reason) when parse throws BadRecord, unless bad
    ///              records are skipped; FileError at example 2^32
    template <class Parse>
    void take(std::int64_t number, const Parse& parse) {
        try {
            parse(example_);
        } catch (const BadRecord& bad) {
            refuse(number, bad.what());
            return;
        }
        append();
    }

    /// The data set.
    ///   Throws     FileError when no file had a good record
    [[nodiscard]] Dataset finish();

private:
    void refuse(std::int64_t number, const char* reason);
    void append();
    void look_ahead();

    const ReadOptions* options_;
    ReadReport* report_;
    const ByteSource* source_ = nullptr;  // of the file that is being read: gone with it
    std::string file_name_;
    int file_index_ = 0;
    int file_count_ = 1;
    std::int64_t target_;
    Example example_;
    Dataset data_;
};

/// Reads the lines of one text file; `parse(line, example)` fills the example or throws BadRecord.
void collect_lines(TextSource& source, ExampleCollector& collector,
                   const std::function<void(std::string_view line, Example& example)>& parse);

}  // namespace assay
