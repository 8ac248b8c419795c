#include "experiments/aydin2024/aydin2024.hpp"

namespace assay::experiments::aydin2024 {

Claim claim(std::string_view id, std::string where, std::string statement,
            std::variant<double, std::string> found, Verdict verdict, Basis basis) {
    return {.id = "aydin2024-" + std::string(id),
            .paper = "aydin2024",
            .where = std::move(where),
            .statement = std::move(statement),
            .found = std::move(found),
            .verdict = verdict,
            .basis = std::move(basis)};
}

}  // namespace assay::experiments::aydin2024
