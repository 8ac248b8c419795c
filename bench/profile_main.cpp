#include "run_benchmarks.hpp"

// What `make profile` counts: the library's benchmarks, without the oracles of the verification.
int main(int argc, char** argv) {
    return assay::bench::run_benchmarks(argc, argv);
}
