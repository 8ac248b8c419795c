#include "assay/cli/launched_copies.hpp"

#include <cstdlib>
#include <optional>

#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

std::optional<int> number_in(const char* variable) {
    const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): before any thread
    if (text == nullptr) return std::nullopt;
    const std::optional<int> value = read_integer<int>(text);
    return value && *value >= 0 ? value : std::nullopt;
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
