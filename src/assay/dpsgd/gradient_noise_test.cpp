#include "assay/dpsgd/gradient_noise.hpp"

#include <cmath>
#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;

namespace {

std::vector<float> noise(std::size_t count, double deviation, std::uint64_t seed, std::int64_t step,
                         int threads = 1) {
    std::vector<float> values(count);
    Workers workers(threads);
    add_gradient_noise(values, deviation, seed, step, workers);
    return values;
}

double mean_product(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("gradient noise has the variance that is asked for", "[dpsgd]") {
    const std::size_t count = 200'000 * static_cast<std::size_t>(test_support::effort());
    const double error = 5.0 / std::sqrt(static_cast<double>(count));
    const std::vector<float> z = noise(count, 3.0, 5, 0);
    CHECK(std::abs(mean_product(z, std::vector<float>(count, 1.0F))) < 3.0 * error);
    CHECK(std::abs(mean_product(z, z) / 9.0 - 1.0) < std::sqrt(2.0) * error);
    // Fourth moment 3, its estimate has variance 96 / count.
    double fourth = 0.0;
    for (const float x : z) fourth += std::pow(x / 3.0, 4.0);
    CHECK(std::abs(fourth / static_cast<double>(count) - 3.0) < std::sqrt(96.0) * error);
}

TEST_CASE("noise of other steps, seeds and coordinates is independent", "[dpsgd]") {
    constexpr std::size_t count = 100'000;
    const double error = 5.0 / std::sqrt(static_cast<double>(count));
    const std::vector<float> z = noise(count, 1.0, 5, 3);
    CHECK(std::abs(mean_product(z, noise(count, 1.0, 5, 4))) < error);
    CHECK(std::abs(mean_product(z, noise(count, 1.0, 6, 3))) < error);
    // The next coordinate, and the same place in the next block.
    for (const std::size_t lag : {std::size_t{1}, std::size_t{2}, std::size_t{4096}}) {
        std::vector<float> shifted(z.begin() + static_cast<std::ptrdiff_t>(lag), z.end());
        std::vector<float> head(z.begin(), z.end() - static_cast<std::ptrdiff_t>(lag));
        CHECK(std::abs(mean_product(head, shifted)) < error);
    }
}

TEST_CASE("gradient noise does not depend on threads and is added", "[dpsgd]") {
    const std::vector<float> z = noise(50'001, 0.5, 9, 7);
    CHECK(z == noise(50'001, 0.5, 9, 7, 2));
    CHECK(z == noise(50'001, 0.5, 9, 7, 5));
    std::vector<float> shifted(z.size(), 1024.0F);
    Workers workers(1);
    add_gradient_noise(shifted, 0.5, 9, 7, workers);
    for (std::size_t i = 0; i < z.size(); i += 1000)
        CHECK(shifted[i] == Approx(1024.0F + z[i]).epsilon(1e-7));
    CHECK(noise(10, 0.0, 1, 1) == std::vector<float>(10, 0.0F));
}

TEST_CASE("gradient noise refuses bad deviations and steps", "[dpsgd]") {
    const auto refusal = [](double deviation, std::int64_t step) {
        return test_support::refused([&] { return noise(1, deviation, 1, step); });
    };
    CHECK(refusal(-1.0, 0) == "deviation");
    CHECK(refusal(std::nan(""), 0) == "deviation");
    CHECK(refusal(std::numeric_limits<double>::infinity(), 0) == "deviation");
    CHECK(refusal(1.0, -1) == "step");
    CHECK(refusal(1.0, std::int64_t{1} << 32) == "step");
}
