#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "assay/cli/program.hpp"

namespace {

/// Somebody may be waiting for each line, unless it goes into a file.
bool is_waited_for(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode);
}

}  // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes fails with a message
    return assay::cli::run_program(argc, argv,
                                   {std::cin, std::cout, std::cerr, is_waited_for(STDOUT_FILENO)});
}
