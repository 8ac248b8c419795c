// assay-documents FOLDER: writes the manual pages of every command and the completions for bash,
// zsh and fish into FOLDER/man1 and FOLDER/completions. A part of the build, not installed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "assay/cli/completions.hpp"
#include "assay/cli/man_page.hpp"
#include "assay/files/build_info.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path);
    file << text << std::flush;
    if (!file) {
        std::cerr << "assay-documents: " << path << " cannot be written\n";
        std::exit(2);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 || argv[1][0] == '-') {
        std::cerr << "usage: assay-documents FOLDER\n";
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const auto table = assay::cli::option_table();
    for (const auto& command : table)
        write(folder / "man1" / (assay::cli::page_name(command) + ".1"),
              assay::cli::man_page(command, assay::build_info().version));
    write(folder / "completions" / "assay.bash", assay::cli::bash_completions(table));
    write(folder / "completions" / "_assay", assay::cli::zsh_completions(table));
    write(folder / "completions" / "assay.fish", assay::cli::fish_completions(table));
    return 0;
}
