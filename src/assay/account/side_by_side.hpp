#pragma once
#include <cstddef>
#include <functional>

namespace assay {

/// Runs task(0) .. task(count - 1), each once, as many at a time as there are processors. Tasks may
/// not depend on each other; what they compute does not depend on the number of threads.
///   Throws     what the first task in order threw, when all have ended; Interrupted where the
///              caller's scope says so: the tasks are ended then as well
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& task);

}  // namespace assay
