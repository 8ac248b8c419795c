#pragma once
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// What this binary was made from.
struct BuildInfo {
    std::string version;     ///< of the project, "0.2.0"
    std::string commit;      ///< twelve digits, or "unknown" outside a repository
    bool dirty = false;      ///< a source differed from that commit
    std::string compiler;    ///< name and version
    std::string build_type;  ///< "Release", ...
    std::string flags;
    std::vector<std::pair<std::string, std::string>> libraries;  ///< name, version
};

/// Build information of the running binary.
[[nodiscard]] const BuildInfo& build_info();

/// "0.2.0 (commit 0123456789ab)", with "+ changes" where a source differed.
[[nodiscard]] std::string version_line();

}  // namespace assay
