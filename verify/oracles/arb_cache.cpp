#include "verify/oracles/arb_cache.hpp"

#include <flint/flint.h>

namespace assay::verify {

void free_arb_thread_caches() {
    flint_cleanup();
}

}  // namespace assay::verify
