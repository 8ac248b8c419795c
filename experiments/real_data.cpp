#include "experiments/real_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "assay/datasets/data_folder.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::experiments {

namespace {

/// A folder without a file of any of these sets was not meant.
void require_any_set(const std::string& folder) {
    static_cast<void>(find_data_file(
        folder, {"cifar-10-batches-bin", "cifar-100-binary", "dac", "Criteo_Conversion_Search"},
        {"data_batch_1.bin", "train.bin", "train.txt", "CriteoSearchData", "CriteoSearchData.tsv",
         "CriteoSearchData.csv", "CriteoSearchData.txt"}));
}

}  // namespace

RealData read_real(const Params& params, DataDescription description) {
    const std::string folder = params.text("data_folder");
    const std::string bad = params.text("bad_records");
    if (bad != "stop" && bad != "skip")
        params.refuse("bad_records", "is neither \"stop\" nor \"skip\"");
    if (folder.empty()) return {};
    description.folder = folder;
    description.read.skip_bad = bad == "skip";
    try {
        return {load_dataset(description), ""};
    } catch (const MissingDataFile& missing) {
        require_any_set(folder);
        fmt::print(stderr, "  {}: a stand-in is taken\n", missing.what());
        return {std::nullopt, missing.what()};
    }
}

std::string skipped_text(const ReadReport& report) {
    if (report.skipped == 0) return "";
    return fmt::format("{} bad records left out, the first: {}", report.skipped,
                       report.first_problem);
}

std::string scaled_down(const Params& params, const std::vector<std::string>& apart_from) {
    std::string list;
    for (const auto& [key, here, there] : params.differences_from("paper")) {
        if (key == "notes" || std::ranges::find(apart_from, key) != apart_from.end()) continue;
        std::string words = key;
        std::ranges::replace(words, '_', ' ');
        list += fmt::format("{}{} {} ({})", list.empty() ? "" : "; ", words, here, there);
    }
    if (list.empty()) return "";
    return fmt::format("Scaled, in brackets what PRESET=paper takes: {}.", list);
}

Claim judged_here(Claim claim, const std::string& other) {
    if (other.empty() || claim.verdict != Verdict::differs) return claim;
    claim.verdict = Verdict::undecidable;
    if (auto* found = std::get_if<std::string>(&claim.found))
        *found = fmt::format("undecidable here ({}): {}", other, *found);
    return claim;
}

}  // namespace assay::experiments
