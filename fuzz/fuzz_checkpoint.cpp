#include "assay/monte_carlo/checkpoint.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/sealed_state.hpp"

FUZZ_TARGET(checkpoint) {
    const auto file = fuzz::input_file("state", fuzz::sealed_state("assay checkpoint 2\n", input));
    static_cast<void>(assay::read_checkpoint(file));
}
