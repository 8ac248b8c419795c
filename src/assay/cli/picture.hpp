#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "assay/cli/json_line.hpp"

namespace CLI {
class App;
}

namespace assay::cli {

/// A picture of an answer, drawn by a script of plots/ with Python and matplotlib.
///   Where      the scripts stand in the repository, or where the program was installed with them
///   Python     $PYTHON, the system's, or the first on PATH
class Picture {
public:
    /// Refuses, before any work, a file that cannot be written or is no FILE.svg, .png or .pdf, and
    /// a program that does not find its scripts. Without a file there is no picture.
    ///   Throws     FileError, Error
    Picture(const std::optional<std::string>& file, const std::string& script);

    [[nodiscard]] bool is_wanted() const { return !file_.empty(); }

    /// Draws what the report says.     Throws  Error with the last line that Python said
    void draw(const Json& report) const;

private:
    std::filesystem::path file_;
    std::filesystem::path script_;
};

void add_plot_option(CLI::App& command, std::optional<std::string>& file);

}  // namespace assay::cli
