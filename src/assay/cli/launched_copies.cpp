#include "assay/cli/launched_copies.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace assay::cli {

namespace {

std::optional<int> number_in(const char* variable) {
    const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): before any thread
    if (text == nullptr) return std::nullopt;
    int value = 0;
    const char* end = text + std::strlen(text);
    const auto [stop, failure] = std::from_chars(text, end, value);
    if (failure != std::errc{} || stop != end || value < 0) return std::nullopt;
    return value;
}

}  // namespace

LaunchedCopies launched_copies() {
    if (const auto count = number_in("OMPI_COMM_WORLD_SIZE"))
        return {*count, number_in("OMPI_COMM_WORLD_RANK").value_or(0)};
    const bool by_srun = std::getenv("SLURM_STEP_ID") != nullptr;  // NOLINT(concurrency-mt-unsafe)
    if (by_srun) return {};
    if (const auto count = number_in("PMI_SIZE"))
        return {*count, number_in("PMI_RANK").value_or(0)};
    return {};
}

}  // namespace assay::cli
