#include "assay/datasets/criteo_ads_file.hpp"
#include "assay/datasets/criteo_search_file.hpp"
#include "fuzz/input_file.hpp"

// The first byte says which format, packed or not, and whether bad records are skipped.
FUZZ_TARGET(criteo) {
    if (input.empty()) return;
    const int kind = input.front();
    const bool packed = kind % 8 == 1;
    const auto file = fuzz::input_file(packed ? "clicks.gz" : "clicks", input.substr(1));
    assay::ReadReport report;
    assay::ReadOptions options;
    options.skip_bad = kind % 4 < 2;
    static_cast<void>((kind % 2 == 0 ? assay::read_criteo_ads : assay::read_criteo_search)(
        file, {.buckets = 100}, options, report));
}
