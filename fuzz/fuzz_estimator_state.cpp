#include "assay/ldp/adaptive_estimator.hpp"
#include "assay/ldp/estimator_state.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/sealed_state.hpp"

FUZZ_TARGET(estimator_state) {
    const auto file =
        fuzz::input_file("state", fuzz::sealed_state("assay adaptive estimator 3\n", input));
    static_cast<void>(assay::read_state(file));
}
