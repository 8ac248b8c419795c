#include <malloc.h>

#include <csignal>
#include <iostream>

#include "assay/cli/program.hpp"

namespace {

/// Grids of a few megabytes come and go by the dozen: memory that goes back to the system each time
/// is cleared again each time, a fifth of the time of an answer.
void keep_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    keep_memory();
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes fails with a message
    return assay::cli::run_program(argc, argv, {std::cin, std::cout, std::cerr});
}
