#include "assay/dpsgd/gradient_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

namespace {

constexpr std::size_t block_size = 4096;
constexpr std::int64_t most_steps = std::int64_t{1} << 32;

void add_block(std::span<float> block, double deviation, RandomStream stream) {
    std::array<double, 512> normals;
    for (std::size_t i = 0; i < block.size(); i += normals.size()) {
        const std::size_t count = std::min(normals.size(), block.size() - i);
        stream.fill_normals(std::span(normals).first(count));
        for (std::size_t j = 0; j < count; ++j)
            block[i + j] = static_cast<float>(block[i + j] + deviation * normals[j]);
    }
}

}  // namespace

void add_gradient_noise(std::span<float> gradient, double deviation, std::uint64_t seed,
                        std::int64_t step, Workers& workers) {
    require(deviation >= 0.0 && std::isfinite(deviation), "deviation", deviation,
            "a finite number >= 0");
    require(step >= 0 && step < most_steps, "step", static_cast<double>(step), "0 .. 2^32 - 1");
    const std::size_t blocks = (gradient.size() + block_size - 1) / block_size;
    workers.for_each(static_cast<std::int64_t>(blocks), [&](std::int64_t task) {
        const auto b = static_cast<std::size_t>(task);
        const std::size_t first = b * block_size;
        add_block(gradient.subspan(first, std::min(block_size, gradient.size() - first)), deviation,
                  RandomStream(seed, Purpose::gradient_noise,
                               (static_cast<std::uint64_t>(step) << 32U) + b));
    });
}

}  // namespace assay
