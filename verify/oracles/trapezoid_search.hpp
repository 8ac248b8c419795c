#pragma once
#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

namespace assay::verify::trapezoid {

/// A value near the maximum over `root` of a function with upper bounds on cells: the cell with the
/// largest bound is split until that bound is within 10 of a value seen. `known` is such a value.
///   bound(cell)        {psi at least the maximum, somewhere about a value taken}
///   split(cell, out)   appends the parts; appends nothing for a cell not worth splitting
template <class Cell, class Bound, class Split>
double search_highest(const Cell& root, double known, Bound&& bound, Split&& split) {
    using Entry = std::pair<double, Cell>;
    const auto lower = [](const Entry& a, const Entry& b) { return a.first < b.first; };
    std::priority_queue<Entry, std::vector<Entry>, decltype(lower)> open(lower);
    open.push({0.0, root});
    std::vector<Cell> parts{root};
    for (int i = 0; i < 400 && !open.empty(); ++i) {
        open.pop();
        for (const Cell& part : parts) {
            const auto b = bound(part);
            known = std::max(known, b.somewhere);
            open.push({b.psi.upper_double(), part});
        }
        if (open.empty() || open.top().first <= known + 10) break;
        parts.clear();
        split(open.top().second, parts);
    }
    return known;
}

}  // namespace assay::verify::trapezoid
