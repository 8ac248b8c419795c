#pragma once
#include <cstdint>
#include <exception>
#include <functional>

namespace assay {

/// Leaves a computation that its caller has asked to end. No Error: nothing is wrong.
class Interrupted : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// While it lives, long computations of this thread ask now and then whether they are to end, some
/// hundred times a second or more often. Without one they are never interrupted. The bits of an
/// answer do not depend on it.
///   Scopes     nest; each belongs to the thread that made it
class InterruptionScope {
public:
    /// `ends` may throw, too: what it throws leaves the computation.
    explicit InterruptionScope(std::function<bool()> ends);
    ~InterruptionScope();
    InterruptionScope(const InterruptionScope&) = delete;
    InterruptionScope& operator=(const InterruptionScope&) = delete;

private:
    friend void allow_interruption(std::uint64_t work);
    std::function<bool()> ends_;
    InterruptionScope* outer_;
};

/// Called by loops that may take long, between pieces of at most some ms. `work` is that of the
/// next piece, roughly in ns, where a WorkLimit may hold.
///   Throws     Interrupted where the thread's scope says so, WorkEnded where a limit is reached
///   Cost       2 ns without a scope
void allow_interruption(std::uint64_t work = 0);

}  // namespace assay
