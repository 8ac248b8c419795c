#pragma once
#include <csignal>

namespace assay::cli {

/// While it lives, the first SIGINT or SIGTERM is noted and the run stops by itself; a second one
/// ends the program as usual.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] bool requested() const;

private:
    struct sigaction before_interrupt_ {};
    struct sigaction before_terminate_ {};
};

}  // namespace assay::cli
