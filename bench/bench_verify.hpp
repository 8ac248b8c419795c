#pragma once

namespace assay::bench {

/// One benchmark per oracle and precision: the rows are only known at run time.
void register_oracle_benchmarks();

}  // namespace assay::bench
