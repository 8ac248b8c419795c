#pragma once
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "fuzz/target.hpp"

namespace fuzz {

/// A folder in memory for the file that a reader asks for; one a process.
inline const std::filesystem::path& input_folder() {
    struct Folder {
        Folder() {
            const std::filesystem::path memory("/dev/shm");
            path = (std::filesystem::exists(memory) ? memory
                                                    : std::filesystem::temp_directory_path()) /
                   ("assay_fuzz_" + std::to_string(::getpid()));
            std::filesystem::create_directories(path);
        }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
        Folder(const Folder&) = delete;
        Folder& operator=(const Folder&) = delete;
        std::filesystem::path path;
    };
    static const Folder folder;
    return folder.path;
}

/// Writes `content` to a file of that name in the folder.
inline std::filesystem::path input_file(const char* name, std::string_view content) {
    std::filesystem::path path = input_folder() / name;
    std::FILE* file = std::fopen(path.c_str(), "w");
    require(file != nullptr, "no file to write the input to");
    std::fwrite(content.data(), 1, content.size(), file);
    std::fclose(file);
    return path;
}

}  // namespace fuzz
