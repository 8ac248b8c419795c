#include "verify/checks/platform_parts.hpp"

#include <fmt/format.h>

#include "verify/checks/deviance.hpp"

namespace assay::verify {

Check platform_row(const std::string& name, std::string claim, const std::string& unit, int quick,
                   int full, double budget, std::function<double(const Point&)> worst) {
    const Space seeds{{{"seed", Scale::linear, 0, 1e9, true, {}}}, {}};
    Check row = limit_row("platform." + name, std::move(claim),
                          fmt::format("MPFR; the error assumed, in {}", unit), seeds, quick, full,
                          budget, std::move(worst));
    row.subject = fmt::format("{}: worst error of a block of arguments, in {}",
                              row.id.substr(0, row.id.rfind('.')), unit);
    return row;
}

Draws argument_draws(const Point& point, std::string_view name) {
    return {static_cast<std::uint64_t>(point.integer("seed")), name, 0};
}

}  // namespace assay::verify
