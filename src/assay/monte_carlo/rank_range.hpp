#pragma once
#include <cstdint>
#include <string>

namespace assay {

/// Groups first .. last-1 of a run.
struct GroupRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    [[nodiscard]] std::uint64_t size() const { return last - first; }
    friend bool operator==(const GroupRange&, const GroupRange&) = default;
};

/// One of `count` parts into which a run is cut, `index` from 0: a rank, or a shard of a job array.
struct Part {
    std::uint64_t index = 0;
    std::uint64_t count = 1;

    friend bool operator==(const Part&, const Part&) = default;
};

/// The part of `groups` groups: contiguous, sizes differing by at most one; the parts 0 .. count-1
/// hold every group exactly once, in order.
///   Domain     0 <= index < count
///   Throws     DomainError (part)
[[nodiscard]] GroupRange rank_range(std::uint64_t groups, Part part);

/// "2/3" for the second of three, as users write it; and back.
///   Throws     DomainError (shard) unless the text is i/n with 1 <= i <= n <= 1000000
[[nodiscard]] std::string to_string(Part part);
[[nodiscard]] Part read_part(const std::string& text);

}  // namespace assay
