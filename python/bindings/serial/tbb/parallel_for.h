#pragma once

// What the samplers take of oneTBB, on the calling thread: an extension module then links no shared
// library, and batches do not depend on the number of threads.
namespace tbb {

template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body) {
    for (Index i = first; i < last; ++i) body(i);
}

}  // namespace tbb
