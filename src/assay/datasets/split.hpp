#pragma once
#include <cstdint>

#include "assay/datasets/dataset.hpp"

namespace assay {

/// What a model is trained on, chosen by, and judged by. Validation may be empty.
struct DataSplit {
    Dataset training;
    Dataset validation;
    Dataset test;
};

/// How much of a data set is held out; the rest is for training.
struct HeldOut {
    double validation = 0.0;
    double test = 0.2;
};

/// The last examples, in their order, are held out: training, then validation, then test. Each
/// part has round(share * n) examples.
///   Domain     shares >= 0 of sum < 1; a share above 0 must give at least one example, and so must
///              the rest
///   Cost       the arrays given stay those of the training part; beside them only what is held
///              out is copied
///   Throws     DomainError (validation share, test share, examples)
[[nodiscard]] DataSplit split_by_time(Dataset data, const HeldOut& held_out);

/// The same with the examples that are held out drawn at random, uniformly among all subsets of
/// these sizes (selection sampling, from Purpose::data_split); every part keeps the order.
[[nodiscard]] DataSplit split_at_random(Dataset data, const HeldOut& held_out, std::uint64_t seed);

}  // namespace assay
