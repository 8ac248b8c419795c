#include "experiments/mironov2019/mironov2019.hpp"

#include <fmt/format.h>

#include "assay/rdp/collinear_pair.hpp"
#include "assay/rdp/divergence_curve.hpp"

namespace assay::experiments::mironov2019 {

std::vector<Enclosure> exact_curve(std::span<const double> orders, double sigma, double q) {
    return divergence_curve(CollinearPair(q, 1.0L / static_cast<real>(sigma), 0.0L), orders);
}

std::string below(double difference, double tolerance) {
    if (difference <= tolerance) return fmt::format("below {:g}", tolerance);
    return fmt::format("{:.3g}", difference);
}

Claim claim(std::string id, std::string where, std::string statement,
            std::variant<double, std::string> found, Verdict verdict, Basis basis) {
    return {.id = "mironov2019-" + std::move(id),
            .paper = "mironov2019",
            .where = std::move(where),
            .statement = std::move(statement),
            .found = std::move(found),
            .verdict = verdict,
            .basis = std::move(basis)};
}

}  // namespace assay::experiments::mironov2019
