#pragma once

/// Before a function: it is compiled twice, for x86-64 as it is everywhere and with 256-bit
/// vectors, and the processor decides at run time. Both do the same operations on every element
/// (contraction is off and the wide target has no fused instructions), so the results are the same
/// bits. Helpers that such a function calls have to be inlined into it: ASSAY_INLINE. (A
/// sanitizer's runtime is not ready when the choice is made, so there is one version under it.)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ASSAY_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define ASSAY_VECTOR_CLONES
#endif

#define ASSAY_INLINE inline __attribute__((always_inline))
