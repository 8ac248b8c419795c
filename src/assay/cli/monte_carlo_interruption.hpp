#pragma once
#include <array>
#include <csignal>

namespace assay::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP is noted and the run stops by itself; a
/// second one ends the program as usual. A signal that is ignored (nohup) stays ignored.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] bool requested() const;

private:
    std::array<struct sigaction, 3> before_{};
};

}  // namespace assay::cli
