#include "assay/files/guarded_main.hpp"

#include <csignal>
#include <cstdio>
#include <exception>

#include "assay/numeric/errors.hpp"

namespace assay {

int guarded_main(const char* program, int (*run)(int argc, char** argv), int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        const int status = run(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            throw Error("standard output cannot be written");
        return status;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", program, error.what());
        return 2;
    }
}

}  // namespace assay
