#pragma once
#include <chrono>
#include <cstddef>

namespace assay::verify {

/// Progress on stderr: on a terminal one line that is rewritten, with rate and time left; elsewhere
/// a plain line a minute.
class Progress {
public:
    Progress();
    void show(std::size_t done, std::size_t planned);
    /// Ends the line on a terminal.
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    bool terminal_;
    bool open_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
};

}  // namespace assay::verify
