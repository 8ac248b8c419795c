#include "bench_verify.hpp"
#include "run_benchmarks.hpp"

int main(int argc, char** argv) {
    assay::bench::register_oracle_benchmarks();
    return assay::bench::run_benchmarks(argc, argv);
}
