#pragma once
#include <filesystem>

#include "assay/datasets/dataset.hpp"
#include "assay/datasets/read_examples.hpp"

namespace assay {

enum class DataPart { training, test };

/// CIFAR-10 from the files of its binary version: data_batch_1.bin .. data_batch_5.bin, or
/// test_batch.bin; each plain or .gz, in `folder` or in its cifar-10-batches-bin.
///   Format     records of 3073 bytes: the label 0 .. 9, then 1024 red, green and blue bytes, row
///              by row (Krizhevsky 2009)
///   Maths      values byte / 255 in [0, 1]; nothing is centred
///   Cost       12292 bytes an example
///   Throws     FileError: a folder without the files; (file) a file that is no whole number of
///              records, in which no label can be trusted; (file, record) a label out of range,
///              unless bad records are skipped
[[nodiscard]] Dataset read_cifar10(const std::filesystem::path& folder, DataPart part,
                                   const ReadOptions& options, ReadReport& report);

/// CIFAR-100, with its 100 fine labels: train.bin or test.bin, in `folder` or in its
/// cifar-100-binary. Records of 3074 bytes: the coarse label 0 .. 19, the fine one 0 .. 99, then as
/// CIFAR-10; the rest as read_cifar10.
[[nodiscard]] Dataset read_cifar100(const std::filesystem::path& folder, DataPart part,
                                    const ReadOptions& options, ReadReport& report);

}  // namespace assay
