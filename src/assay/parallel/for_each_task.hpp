#pragma once
#include <cstdint>

#include "assay/parallel/workers.hpp"

namespace assay {

/// Workers::for_each with threads of its own: for tasks that take a millisecond or more together.
///   Domain     threads >= 1
template <class Run>
void for_each_task(int threads, std::int64_t count, const Run& run) {
    Workers(threads).for_each(count, run);
}

}  // namespace assay
