#pragma once
#include <zlib.h>

#include <boost/algorithm/string/join.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "assay/numeric/errors.hpp"

/// Files in the formats of the data readers, for their tests.
namespace assay::test_support {

inline std::filesystem::path write_plain(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary)
        .write(text.data(), static_cast<std::streamsize>(text.size()));
    return path;
}

inline std::filesystem::path write_gz(const std::filesystem::path& path, std::string_view text) {
    gzFile file = gzopen(path.c_str(), "wb6");
    if (!text.empty()) gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return path;
}

inline std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string tab_separated(const std::vector<std::string>& fields) {
    return boost::algorithm::join(fields, "\t") + "\n";
}

/// The message of the FileError or DomainError that the call ends with; empty without one.
template <class Call>
std::string complaint(Call&& call) {
    try {
        static_cast<void>(call());
    } catch (const FileError& error) {
        return error.what();
    } catch (const DomainError& error) {
        return error.what();
    }
    return "";
}

}  // namespace assay::test_support
