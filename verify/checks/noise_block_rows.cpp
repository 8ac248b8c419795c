#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/dpsgd/gradient_noise.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/noise_statistics.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The noise of gradients of any size: of millions of elements, and of the last few after the last
// whole block.

namespace assay::verify {

namespace {

constexpr std::size_t large = std::size_t{1} << 21U;
constexpr std::size_t block_size = 4096;

std::vector<float> unit_noise(const Point& p, std::int64_t later, std::size_t count) {
    std::vector<float> gradient(count, 0.0F);
    Workers workers(1);
    add_gradient_noise(gradient, 1.0, static_cast<std::uint64_t>(p.integer("seed")),
                       p.integer("step") + later, workers);
    return gradient;
}

Space steps_space() {
    return {{{"step", Scale::linear, 0, 4e9, true, {0, 1, 255, 256}}, seed_dimension()}, {}};
}

// ---- two steps of a large gradient ---------------------------------------------------------

using Block = std::span<const float>;

std::vector<Block> blocks_of(const std::vector<float>& gradient) {
    std::vector<Block> blocks;
    for (std::size_t at = 0; at < gradient.size(); at += block_size)
        blocks.push_back(Block(gradient).subspan(at, block_size));
    return blocks;
}

/// Blocks with the values of another one.
std::size_t repeated_blocks(std::vector<Block> blocks) {
    std::ranges::sort(blocks,
                      [](Block a, Block b) { return std::ranges::lexicographical_compare(a, b); });
    std::size_t count = 0;
    for (std::size_t i = 1; i < blocks.size(); ++i)
        count += std::ranges::equal(blocks[i - 1], blocks[i]) ? 1 : 0;
    return count;
}

/// Of each block, for the correlation of every pair: 11 deviations where they are equal.
constexpr std::size_t head = 128;
/// Among 2^18 pairs a standard normal exceeds it with probability 2^18 x 1.3e-15 = 3.3e-10.
constexpr double most_of_all_pairs = 8.0;

double largest_correlation(const std::vector<Block>& first, const std::vector<Block>& second) {
    double largest = 0.0;
    for (const Block w : second) {
        float squares = 0.0F;
        for (std::size_t i = 0; i < head; ++i) squares += w[i] * w[i];
        for (const Block z : first) {
            float product = 0.0F;
            for (std::size_t i = 0; i < head; ++i) product += z[i] * w[i];
            largest = std::max(largest, static_cast<double>(std::abs(product)) /
                                            std::sqrt(static_cast<double>(squares)));
        }
    }
    return largest;
}

double blocks_of_two_steps(const Point& p) {
    const std::vector<float> now = unit_noise(p, 0, large);
    const std::vector<float> next = unit_noise(p, 1, large);
    const std::vector<Block> first = blocks_of(now);
    const std::vector<Block> second = blocks_of(next);
    std::vector<Block> all = first;
    all.insert(all.end(), second.begin(), second.end());
    if (repeated_blocks(std::move(all)) > 0) return HUGE_VAL;
    return largest_correlation(first, second);
}

/// Box and Muller make two normals of two uniforms.
double neighbouring_numbers(const Point& p) {
    const std::vector<float> z = unit_noise(p, 0, large);
    std::vector<double> even;
    std::vector<double> odd;
    for (std::size_t i = 0; i < z.size(); i += 2) {
        even.push_back(z[i]);
        odd.push_back(z[i + 1]);
    }
    return correlation_statistic(even, odd);
}

// ---- every element -------------------------------------------------------------------------

/// Elements that have no noise: no normal number of Box and Muller is 0.
double spared_elements(const Point& p) {
    const std::vector<float> z = unit_noise(p, 0, static_cast<std::size_t>(p.integer("elements")));
    return static_cast<double>(std::ranges::count(z, 0.0F));
}

}  // namespace

std::vector<Check> noise_block_rows() {
    Space sizes = steps_space();
    sizes.dimensions.push_back(
        count_dimension("elements", 1, 100'000, {1, 2, 4095, 4096, 4097, 8192}));
    return {limit_row("noise.independent.steps_large",
                      "in gradients of 2^21 elements no block of a step comes again in the next "
                      "step, and no two blocks are correlated",
                      "8 standard deviations: chance exceeds them in one of 2^18 pairs once in 3e9",
                      steps_space(), 4, 40, most_of_all_pairs, blocks_of_two_steps),
            limit_row("noise.independent.pairs",
                      "the two normals of a pair of uniforms are independent",
                      "6.3 standard deviations: chance exceeds them once in 3e9", steps_space(), 3,
                      30, most_deviations, neighbouring_numbers),
            limit_row("noise.every_element", "every element of a gradient of any size has noise",
                      "0 elements without", std::move(sizes), 20, 200, 0.0, spared_elements)};
}

}  // namespace assay::verify
