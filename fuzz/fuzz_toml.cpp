#include "assay/cli/schedule.hpp"
#include "fuzz/target.hpp"

FUZZ_TARGET(toml) {
    assay::cli::parse_schedule(input, "schedule", [](const assay::cli::Fields& fields) {
        static_cast<void>(assay::cli::read_phase(fields, 1));
    });
}
