#include "verify/checks/control_parts.hpp"
#include "verify/rows.hpp"

namespace assay::verify {

std::vector<Check> control_rows() {
    std::vector<Check> rows;
    for (Control& one : all_controls()) rows.push_back(std::move(one.row));
    return rows;
}

}  // namespace assay::verify
