#include "assay/numeric/window_sums.hpp"

#include <algorithm>

namespace assay {

std::span<double> WindowSums::prepare(std::size_t count, std::int64_t longest) {
    count_ = count;
    levels_ = levels_of(longest);
    sums_.resize(count * static_cast<std::size_t>(levels_));
    return {sums_.data(), count};
}

void WindowSums::add_up() {
    for (int level = 1; level < levels_; ++level) {
        const double* half = ending_at(level - 1);
        double* whole = sums_.data() + static_cast<std::size_t>(level) * count_;
        const std::size_t shift = std::min(std::size_t{1} << (level - 1), count_);
        std::copy(half, half + shift, whole);
        for (std::size_t i = shift; i < count_; ++i) whole[i] = half[i] + half[i - shift];
    }
}

}  // namespace assay
