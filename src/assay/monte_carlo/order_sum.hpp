#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/epochs/dominating_pair.hpp"
#include "assay/numeric/tail_table.hpp"

namespace assay {

/// Uniform tail probabilities within (floor, 1), width = 1 - floor: normals below a threshold.
struct Above {
    double floor = 0.0;
    double width = 1.0;

    /// The signed tail of floor + width p, given p and 1 - p.
    [[nodiscard]] double tail(double p, double rest) const {
        return width * rest < 0.5 ? -(width * rest) : floor + width * p;
    }
    /// The same, given the signed tail of p.
    [[nodiscard]] double tail(double p) const {
        return p < 0.0 ? tail(1.0 + p, -p) : tail(p, 1.0 - p);
    }
};

/// Bounds of a sum of R independent lognormals from some of their order statistics.
///   Maths      y^(1) >= y^(2) >= ..;  removal (upper): sum_i (k_{i+1} - k_i) y^(k_i), k_{r+1} =
///   R+1;
///              addition (lower): sum_i (k_i - k_{i-1}) y^(k_i), k_0 = 0
///   Source     chua2025 (4), (5), with R+1 where it prints R. The tails of the largest are
///              S_k / S_{R+1}, S_k sums of k exponentials: gaps are gamma variates by inversion
///   Cost       two table rows an order
class OrderSum {
public:
    /// Its tables, one for each distinct gap, are made on so many threads.
    OrderSum(std::vector<std::int64_t> orders, std::int64_t count, LossDirection direction,
             int threads = 1);

    /// Four independent sums; their tails within `above`. `table` maps tails to
    /// lognormals. Every tail is moved by the tables' error to the side that keeps the bound.
    [[nodiscard]] std::array<double, 4> draw(RandomStream& stream, const TailTable& table,
                                             const std::array<Above, 4>& above,
                                             std::vector<double>& scratch) const;

private:
    struct Run {
        std::size_t gaps;   // that follow each other
        std::size_t gamma;  // index of their table
    };
    std::vector<Run> runs_;
    std::vector<TailTable> gammas_;
    std::vector<double> weights_;
    double margin_;  // factor of every tail
};

}  // namespace assay
