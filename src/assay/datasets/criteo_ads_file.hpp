#pragma once
#include <cstdint>
#include <filesystem>

#include "assay/datasets/dataset.hpp"
#include "assay/datasets/read_examples.hpp"

namespace assay {

/// How the categories of Criteo's files become numbers.
struct CriteoOptions {
    std::int32_t buckets = 1 << 16;  // of each field: one for a missing category, the others hashed
};

/// Throws DomainError (buckets) outside 2 .. 2^30.
void validate(const CriteoOptions& criteo);

/// Criteo's display advertising challenge (Kaggle 2014): train.txt, plain or .gz, in time order;
/// the path is the file, or the folder that has it (or has its dac/).
///   Format     40 fields between tabs: label 0 or 1, 13 integers, 26 categories of up to 8
///              hexadecimal digits; an integer or a category that is missing is empty
///   Maths      an integer v gives sign(v) log(1 + |v|), a missing one 0 (chua2025 App. C: "a log
///              transform"); a category gives category_bucket of its text
///   Domain     buckets 2 .. 2^30
///   Cost       160 bytes an example
///   Throws     FileError: no such file; (file, line) the wrong number of fields, a label, an
///              integer or a category that is none, unless bad records are skipped.
///              DomainError (buckets, limit)
[[nodiscard]] Dataset read_criteo_ads(const std::filesystem::path& file_or_folder,
                                      const CriteoOptions& criteo, const ReadOptions& options,
                                      ReadReport& report);

}  // namespace assay
