#pragma once
#include <cstddef>
#include <functional>

namespace assay::python {

/// Answers questions 0 .. count-1 on so many threads, the calling one among them.
///   Called     with the GIL, which it releases; `answer(question, worker)` runs without it
///   Ctrl-C     the calling thread looks for signals twenty times a second; what a handler raises
///              ends all threads and is raised here
///   Throws     what the question of the smallest number threw that any thread came to
void answer_all(std::size_t count, std::size_t threads,
                const std::function<void(std::size_t question, std::size_t worker)>& answer);

}  // namespace assay::python
