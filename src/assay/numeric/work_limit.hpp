#pragma once
#include <cstdint>
#include <exception>

namespace assay {

/// Leaves a computation that has taken all the work it may take. No Error: a caller that holds a
/// bracket already catches it and answers with that.
class WorkEnded : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "the work allowed is done"; }
};

/// While it lives, computations of this thread may take so much more work, roughly in ns of one
/// processor; then they throw WorkEnded. Work is counted (allow_interruption), not clocked: the
/// bits of an answer depend neither on the machine nor on the number of threads.
///   Scopes     nest: an outer limit holds within an inner one, and is charged no more than the
///              inner one allows; each belongs to the thread that made it
class WorkLimit {
public:
    explicit WorkLimit(std::uint64_t most);
    ~WorkLimit();
    WorkLimit(const WorkLimit&) = delete;
    WorkLimit& operator=(const WorkLimit&) = delete;

private:
    std::uint64_t outer_done_;
    std::uint64_t outer_most_;
};

/// What the limits of this thread leave: a huge number where there are none.
[[nodiscard]] std::uint64_t work_left();

/// Counts work that was done or is about to be.               Throws  WorkEnded
void count_work(std::uint64_t work);

/// The note of an answer that a limit has cut short.
inline constexpr const char* more_work = "the gap asked for needs more work than the effort allows";

/// A limit of this part of what is left.
[[nodiscard]] inline WorkLimit part_of_work(double part) {
    return WorkLimit(static_cast<std::uint64_t>(part * static_cast<double>(work_left())));
}

/// Calls `use` with this part of the work that is left.
///   Returns    false where that was not enough: then `use` was left where it stood
template <class Use>
bool within_part(double part, const Use& use) {
    const WorkLimit limit = part_of_work(part);
    try {
        use();
        return true;
    } catch (const WorkEnded&) {
        return false;
    }
}

}  // namespace assay
