#include "experiments/chua2025/chua2025.hpp"

namespace assay::experiments::chua2025 {

Claim claim(std::string_view id, std::string where, std::string statement,
            std::variant<double, std::string> found, Verdict verdict, Basis basis) {
    return {.id = "chua2025-" + std::string(id),
            .paper = "chua2025",
            .where = std::move(where),
            .statement = std::move(statement),
            .found = std::move(found),
            .verdict = verdict,
            .basis = std::move(basis)};
}

}  // namespace assay::experiments::chua2025
