#include "experiments/resident_set.hpp"

#include <fstream>
#include <string>

namespace assay::experiments {

void reset_peak_resident_set() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::optional<std::int64_t> peak_resident_set() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::int64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes) return 1024 * kibibytes;
    }
    return std::nullopt;
}

}  // namespace assay::experiments
