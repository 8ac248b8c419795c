#pragma once
#include <optional>
#include <string>
#include <vector>

#include "assay/datasets/load_dataset.hpp"
#include "experiments/claims.hpp"
#include "experiments/params.hpp"

/// What a figure of training runs is made from: the data of the paper or a stand-in, its sizes or
/// smaller ones. The figure says which.
namespace assay::experiments {

/// This data set from the user's folder.
struct RealData {
    std::optional<LoadedData> loaded;  ///< none: a stand-in is needed
    std::string missing;  ///< why, where there is a folder: "<folder> has no train.txt"
};

/// Nothing where data_folder is empty or has no files of this set; the standard error says so.
///   Keys       data_folder, bad_records ("stop" or "skip")
///   Throws     FileError where there is no such folder, it has no set at all, or a file of this
///              one is missing or damaged
[[nodiscard]] RealData read_real(const Params& params, DataDescription description);

/// "3 bad records left out, the first: ..", or nothing.
[[nodiscard]] std::string skipped_text(const ReadReport& report);

/// What differs from [preset.paper], with the paper's values in brackets; empty where nothing does.
///   apart_from keys that make no run smaller
[[nodiscard]] std::string scaled_down(const Params& params,
                                      const std::vector<std::string>& apart_from);

/// Runs of other data or sizes than the paper's refute nothing it says of its own: `differs`
/// becomes `undecidable`, the criterion says why, and `would_decide` what would decide it.
///   other      "stand-in data", "scaled network"; empty where the runs are the paper's
[[nodiscard]] Claim judged_here(Claim claim, const std::string& other,
                                const std::string& would_decide);

}  // namespace assay::experiments
