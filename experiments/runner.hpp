#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/figure.hpp"

namespace assay::experiments {

/// Where a run reads and writes, and with how many threads.
struct RunOptions {
    std::filesystem::path parameters = "experiments";  ///< holds <stem>.toml
    std::filesystem::path out = "results/latest";
    int threads = 1;
    std::string preset{};       ///< of the parameters, for the figures that have one of this name
    std::string data_folder{};  ///< of real data, for the figures that can be made from them
    bool skip_bad = false;      ///< leave bad records of these out, and count them
    bool stale_only = false;    ///< leave a result that is newer than `program` and its parameters
    std::filesystem::path program = "/proc/self/exe";
    /// Told each figure that ends, and how many of all have; calls do not overlap.
    std::function<void(const std::string& stem, std::size_t done, std::size_t all)> progress{};
};

/// Runs figures in parallel and writes their results and claims.json. Every TOML is parsed, and the
/// folder tried, before the first figure starts. A figure that fails does not stop the others.
///   Returns    one line for each figure that failed
///   Throws     FileError where nothing could be started
[[nodiscard]] std::vector<std::string> run_figures(const std::vector<Figure>& all,
                                                   const std::vector<Figure>& chosen,
                                                   const RunOptions& options);

}  // namespace assay::experiments
