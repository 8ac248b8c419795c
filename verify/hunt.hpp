#pragma once
#include <cstdint>

#include "verify/engine.hpp"

namespace assay::verify {

/// A search of one row's space for a violation.
struct Hunt {
    std::size_t points = 0;
    double seconds = 0.0;
    std::optional<Trial> closest;   // the smallest margin met
    std::optional<Trial> smallest;  // the shrunk violation, where one was found
};

struct HuntOptions {
    std::uint64_t seed = 1;
    int threads = 2;
    double budget = 60.0;
    const std::atomic<bool>* stop = nullptr;
    std::function<void(std::size_t points, double closest)> progress;
};

/// Random draws and walks to smaller margins, walk after walk, until one violates the check or the
/// budget (seconds) is used up.
[[nodiscard]] Hunt hunt(const Check& check, const HuntOptions& options);

}  // namespace assay::verify
