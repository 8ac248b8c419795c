#pragma once
#include <string>
#include <vector>

namespace assay::cli {

/// Orders from "2,4,8" and "1.1:10.9:0.1" (first:last:step, both ends included), also mixed;
/// "opacus" is the grid of that library. Each order is the double nearest to its decimal.
///   Throws     DomainError (orders)
[[nodiscard]] std::vector<double> read_orders(const std::string& text);

}  // namespace assay::cli
