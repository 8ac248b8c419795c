#include "assay/cli/picture.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <system_error>

#include "assay/cli/output_file.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// build/release/assay of a repository, or bin/assay of an installation.
fs::path script_named(const std::string& name) {
    std::error_code none;
    const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
    for (const fs::path& plots : {folder.parent_path().parent_path() / "plots",
                                  folder.parent_path() / "share" / "assay" / "plots"})
        if (fs::is_regular_file(plots / name, none)) return plots / name;
    throw Error(
        fmt::format("--plot: {} is neither in the repository nor beside the program", name));
}

std::string python() {
    if (const char* named = std::getenv("PYTHON"); named != nullptr && *named != '\0') return named;
    constexpr const char* of_the_system = "/usr/bin/python3";
    return ::access(of_the_system, X_OK) == 0 ? of_the_system : "python3";
}

/// A file that is gone at the end of its scope.
class TemporaryFile {
public:
    TemporaryFile() {
        std::string name = (fs::temp_directory_path() / "assay.XXXXXX").string();
        const int descriptor = ::mkstemp(name.data());
        if (descriptor < 0) throw Error(fmt::format("{}: {}", name, std::strerror(errno)));
        ::close(descriptor);
        name_ = name;
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { ::unlink(name_.c_str()); }
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    std::string name_;
};

std::string last_line(const std::string& file) {
    std::ifstream in(file);
    std::string last;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) last = line;
    return last;
}

/// Its exit code; what it says goes into a file.
int run(const std::vector<std::string>& words, const std::string& said) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_APPEND,
                                       0);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw Error(fmt::format("--plot: {}: {}", words[0], std::strerror(error)));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

Picture::Picture(const std::optional<std::string>& file, const std::string& script) {
    if (!file) return;
    const fs::path path(*file);
    const fs::path kind = path.extension();
    if (kind != ".svg" && kind != ".png" && kind != ".pdf")
        throw DomainError("plot", *file, "FILE.svg, FILE.png or FILE.pdf");
    require_output_file(path);
    script_ = script_named(script);
    file_ = path;
}

void Picture::draw(const Json& report) const {
    if (!is_wanted()) return;
    const TemporaryFile input;
    const TemporaryFile said;
    const WorkingNotice notice(std::cerr, "drawing");
    std::ofstream(input.name()) << report.dump() << '\n';
    if (run({python(), script_.string(), input.name(), file_.string()}, said.name()) != 0)
        throw Error(
            fmt::format("--plot: {} was not drawn: {}", file_.string(), last_line(said.name())));
}

void add_plot_option(CLI::App& command, std::optional<std::string>& file) {
    command
        .add_option("--plot", file,
                    "draw the answer as well: FILE.svg, .png or .pdf (Python 3 and matplotlib)")
        ->type_name("FILE");
}

}  // namespace assay::cli
