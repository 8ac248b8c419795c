#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// Windows of 2^level successive values that make up a longer one.
struct WindowParts {
    static constexpr std::size_t most = 3;  // that one pass over the values takes
    struct Part {
        int level;
        std::int64_t distance;  // to the last value of the window
    };
    std::array<Part, most> part{};
    std::size_t count = 0;
};

/// Sums of 2^k successive values: any window is a sum of few of them, without a subtraction.
///   Cost    one addition for each value and level
///   Errors  a sum of 2^k values has passed through k additions
class WindowSums {
public:
    /// Room for `count` values and windows of up to `longest`; where the values are to be put.
    std::span<double> prepare(std::size_t count, std::int64_t longest);
    void add_up();

    /// At i: values[i - 2^level + 1] + .. + values[i]; zeros before the first value.
    [[nodiscard]] const double* ending_at(int level) const {
        return sums_.data() + static_cast<std::size_t>(level) * count_;
    }

private:
    std::vector<double> sums_;
    std::size_t count_ = 0;
    int levels_ = 0;
};

/// Levels of a table of windows of up to `longest` values.
[[nodiscard]] inline int levels_of(std::int64_t longest) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest)));
}

/// take(parts) for disjoint parts of the window of the distances first .. first + width - 1.
template <class Take>
void for_each_pass(std::int64_t first, std::int64_t width, const Take& take) {
    WindowParts parts;
    while (width > 0) {
        const int level = levels_of(width) - 1;
        parts.part[parts.count++] = {level, first};
        first += std::int64_t{1} << level;
        width -= std::int64_t{1} << level;
        if (parts.count == WindowParts::most || width == 0) {
            take(parts);
            parts.count = 0;
        }
    }
}
/// How often it calls, at most.
[[nodiscard]] inline std::int64_t passes_of(std::int64_t width) {
    const std::int64_t parts = std::popcount(static_cast<std::uint64_t>(width));
    return parts / std::int64_t{WindowParts::most} + 1;
}

}  // namespace assay
