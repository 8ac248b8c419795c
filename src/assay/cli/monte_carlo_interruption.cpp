#include "assay/cli/monte_carlo_interruption.hpp"

#include <atomic>

namespace assay::cli {

namespace {

std::atomic<bool> was_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

void note(int) {
    was_requested = true;
}

}  // namespace

Interruption::Interruption() {
    was_requested = false;
    struct sigaction action {};
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigaction(SIGINT, &action, &before_interrupt_);
    sigaction(SIGTERM, &action, &before_terminate_);
}

Interruption::~Interruption() {
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_terminate_, nullptr);
}

bool Interruption::requested() const {
    return was_requested;
}

}  // namespace assay::cli
