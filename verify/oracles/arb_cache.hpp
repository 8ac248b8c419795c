#pragma once

namespace assay::verify {

/// Frees what Arb and FLINT keep for the calling thread (quadrature nodes, constants). A thread
/// that ends without calling it leaks them; one that goes on afterwards computes them again.
void free_arb_thread_caches();

}  // namespace assay::verify
