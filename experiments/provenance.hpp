#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/claims.hpp"
#include "experiments/table.hpp"

namespace assay {

/// Where a result comes from.
struct Provenance {
    std::string stem;   ///< "birrell2024/fig03_epsilon_by_delta"
    std::string paper;  ///< "birrell2024"
    std::string title;
    std::vector<std::string> notes;      ///< what has to be said on the figure
    std::string parameters;              ///< JSON text, see Params::to_json
    std::optional<std::int64_t> seed{};  ///< nothing where no randomness is used
    double seconds = 0.0;                ///< this run; not compared with a golden result
    int threads = 1;                     ///< this run; not compared with a golden result
    std::string table_crc32{};           ///< of the CSV; not compared with a golden result
};

/// The vendor of this machine's processor, as Linux tells it; "unknown" elsewhere.
[[nodiscard]] std::string processor_make();

/// The JSON that stands beside a CSV: stem, paper, title, notes, parameters, seed, columns, series,
/// claims; `build` (commit, compiler, flags, library versions) and `run` (seconds, threads, make
/// of processor, checksum of the CSV), which a comparison with a golden result skips.
[[nodiscard]] std::string provenance_to_json(const Provenance& provenance, const Table& table,
                                             const std::vector<Claim>& claims);

}  // namespace assay
