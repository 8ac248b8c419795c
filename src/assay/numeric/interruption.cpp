#include "assay/numeric/interruption.hpp"

#include <utility>

namespace assay {

namespace {

thread_local InterruptionScope* current = nullptr;

}  // namespace

InterruptionScope::InterruptionScope(std::function<bool()> ends)
    : ends_(std::move(ends)), outer_(std::exchange(current, this)) {}

InterruptionScope::~InterruptionScope() {
    current = outer_;
}

void allow_interruption() {
    if (current != nullptr && current->ends_()) throw Interrupted();
}

}  // namespace assay
