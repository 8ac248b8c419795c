#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "assay/monte_carlo/loss_second_moment.hpp"
#include "assay/monte_carlo/monte_carlo.hpp"

/// What several tests of the Monte Carlo estimates begin with.
namespace assay::test_support {

inline std::vector<double> moments_of(const MonteCarloPlan& plan) {
    return loss_second_moments(plan.mechanism, plan.direction, plan.epochs, plan.epsilons);
}

/// 1, 2, .., n
inline std::vector<std::int64_t> up_to(std::int64_t n) {
    std::vector<std::int64_t> orders(static_cast<std::size_t>(n));
    std::iota(orders.begin(), orders.end(), 1);
    return orders;
}

/// Sums that round differently in every other order of adding.
inline void toy_block(std::uint64_t block, std::span<double> sums) {
    std::mt19937_64 draw(block);
    for (double& sum : sums) sum = std::exp(static_cast<double>(draw() >> 40U) * 0x1p-20);
}

}  // namespace assay::test_support
