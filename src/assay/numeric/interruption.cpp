#include "assay/numeric/interruption.hpp"

#include <utility>

#include "assay/numeric/work_limit.hpp"

namespace assay {

namespace {

thread_local InterruptionScope* current = nullptr;

}  // namespace

InterruptionScope::InterruptionScope(std::function<bool()> ends)
    : ends_(std::move(ends)), outer_(std::exchange(current, this)) {}

InterruptionScope::~InterruptionScope() {
    current = outer_;
}

void allow_interruption(std::uint64_t work) {
    count_work(work);
    if (current != nullptr && current->ends_()) throw Interrupted();
}

}  // namespace assay
