#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "assay/datasets/criteo_ads_file.hpp"
#include "assay/datasets/read_examples.hpp"
#include "assay/datasets/split.hpp"
#include "assay/datasets/synthetic_clicks.hpp"

namespace assay {

enum class DataKind {
    optical_digits,
    cifar_10,
    cifar_100,
    criteo_ads,
    criteo_search,
    synthetic_clicks,
};

/// The name as written in options and parameter files: optical-digits, cifar-10, ..
[[nodiscard]] std::string to_string(DataKind kind);
/// The kind of this name.
///   Throws     DomainError (data), with the list of the names
[[nodiscard]] DataKind data_kind_from_string(const std::string& name);

/// A data set and how it is divided.
struct DataDescription {
    DataKind kind = DataKind::optical_digits;
    std::filesystem::path folder = "data";  // not read for synthetic_clicks
    ReadOptions read = {};                  // the limit holds for training and test files each
    CriteoOptions criteo = {};
    SyntheticClicks synthetic = {};
    std::uint64_t split_seed = 0;  // of the splits at random
};

/// What came of the reading, and the parts.
struct LoadedData {
    DataSplit split;
    ReadReport report;
    bool stand_in = false;  // synthetic: figures have to say so
};

/// Reads and divides: CIFAR as its files do, without a validation part; the display ads and the
/// synthetic clicks 80/10/10 in their order, the sponsored search and the optical digits 80/20 at
/// random (chua2025 Sec. 5).
///   Throws     FileError, DomainError: those of the reader and of the split
[[nodiscard]] LoadedData load_dataset(const DataDescription& description);

}  // namespace assay
