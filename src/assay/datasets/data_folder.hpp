#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "assay/numeric/errors.hpp"

namespace assay {

/// A folder that is there, without a file of the data set.
class MissingDataFile : public FileError {
public:
    using FileError::FileError;
};

/// The file of a data set: one of `names`, as it is or with .gz added, in `folder` or in one of its
/// `subfolders` (what the archive unpacks to).
///   Throws     FileError (folder): it is missing, is no folder, or has none of the names; the line
///              then says what was looked for
[[nodiscard]] std::filesystem::path find_data_file(const std::filesystem::path& folder,
                                                   const std::vector<std::string>& subfolders,
                                                   const std::vector<std::string>& names);

/// The same, where the path may also be the file itself.
[[nodiscard]] std::filesystem::path data_file(const std::filesystem::path& file_or_folder,
                                              const std::vector<std::string>& subfolders,
                                              const std::vector<std::string>& names);

}  // namespace assay
