#pragma once
#include <filesystem>

#include "assay/datasets/dataset.hpp"
#include "assay/datasets/read_examples.hpp"

namespace assay {

/// The optical digits (Alpaydin and Kaynak 1998), 8x8: optical_digits.csv, plain or .gz; the path
/// is the file or its folder.
///   Format     65 fields between commas: 64 pixels 0 .. 16, row by row, then the class 0 .. 9
///   Maths      values pixel / 16 in [0, 1]
///   Throws     FileError: no such file; (file, line) the wrong number of fields, a pixel or a
///              class out of range, unless bad records are skipped. DomainError (limit)
[[nodiscard]] Dataset read_optical_digits(const std::filesystem::path& file_or_folder,
                                          const ReadOptions& options, ReadReport& report);

}  // namespace assay
