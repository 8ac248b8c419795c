#include "assay/dpsgd/training_state.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/sealed_state.hpp"

FUZZ_TARGET(training_state) {
    const auto file =
        fuzz::input_file("state", fuzz::sealed_state("assay training state 2\n", input));
    static_cast<void>(assay::read_training_state(file));
}
