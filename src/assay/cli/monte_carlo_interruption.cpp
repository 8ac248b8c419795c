#include "assay/cli/monte_carlo_interruption.hpp"

#include <atomic>

namespace assay::cli {

namespace {

constexpr std::array noted{SIGINT, SIGTERM, SIGHUP};
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
    for (std::size_t i = 0; i < noted.size(); ++i) {
        sigaction(noted[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) sigaction(noted[i], &action, nullptr);
    }
}

Interruption::~Interruption() {
    for (std::size_t i = 0; i < noted.size(); ++i) sigaction(noted[i], &before_[i], nullptr);
}

bool Interruption::requested() const {
    return was_requested;
}

}  // namespace assay::cli
