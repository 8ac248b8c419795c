#include "experiments/real_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "assay/datasets/data_folder.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::experiments {

namespace {

/// The files of a set, and the folders that its archive unpacks to.
struct DataFiles {
    DataKind kind;
    std::vector<std::string> folders;
    std::vector<std::string> names;
};

const std::vector<DataFiles>& known_files() {
    static const std::vector<DataFiles> known{
        {DataKind::cifar_10,
         {"cifar-10-batches-bin"},
         {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
          "data_batch_5.bin", "test_batch.bin"}},
        {DataKind::cifar_100, {"cifar-100-binary"}, {"train.bin", "test.bin"}},
        {DataKind::criteo_ads, {"dac"}, {"train.txt"}},
        {DataKind::criteo_search,
         {"Criteo_Conversion_Search"},
         {"CriteoSearchData", "CriteoSearchData.tsv", "CriteoSearchData.csv",
          "CriteoSearchData.txt"}}};
    return known;
}

/// Why there is no file at all of the sets that are asked for; empty where there is one.
template <class Asked>
std::string why_none(const std::string& folder, const Asked& is_asked_for) {
    std::vector<std::string> folders;
    std::vector<std::string> names;
    for (const DataFiles& files : known_files()) {
        if (!is_asked_for(files.kind)) continue;
        folders.insert(folders.end(), files.folders.begin(), files.folders.end());
        names.insert(names.end(), files.names.begin(), files.names.end());
    }
    try {
        static_cast<void>(find_data_file(folder, folders, names));
    } catch (const MissingDataFile& missing) {
        return missing.what();
    }
    return "";
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
    const std::string none =
        why_none(folder, [&](DataKind kind) { return kind == description.kind; });
    // A set of which something is there was meant, and has to be whole.
    if (none.empty()) return {load_dataset(description), ""};
    // A folder without a file of any set was not meant.
    if (!why_none(folder, [](DataKind) { return true; }).empty())
        throw FileError(folder, 0,
                        "has no file of CIFAR-10, CIFAR-100, Criteo display ads or Criteo "
                        "sponsored search, plain or .gz");
    fmt::print(stderr, "  {}: a stand-in is taken\n", none);
    return {std::nullopt, none};
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

Claim judged_here(Claim claim, const std::string& other, const std::string& would_decide) {
    if (other.empty() || claim.verdict != Verdict::differs) return claim;
    claim.verdict = Verdict::undecidable;
    claim.basis.would_decide = would_decide;
    std::string& criterion = claim.basis.criterion;
    criterion +=
        fmt::format("{}Runs on {} cannot refute the paper.", criterion.empty() ? "" : " ", other);
    return claim;
}

}  // namespace assay::experiments
