#include "assay/numeric/fft.hpp"

#include <algorithm>
#include <complex>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

std::size_t reversed(std::size_t position, std::size_t size) {
    std::size_t frequency = 0;
    for (std::size_t bit = 1; bit < size; bit *= 2)
        frequency = 2 * frequency + ((position & bit) != 0 ? 1 : 0);
    return frequency;
}

std::vector<double> draws(test_support::Random& random, std::size_t size) {
    std::vector<double> values(size);
    for (double& value : values) value = random.uniform(-1.0, 1.0);
    return values;
}

TEST_CASE("a transform is the sum that defines it, within its own bound", "[fft]") {
    test_support::Random random(7);
    CAPTURE(random.seed());
    for (const std::size_t size : {4UL, 8UL, 16UL, 64UL, 512UL}) {
        const Fft fft(size);
        std::vector<double> re = draws(random, size);
        std::vector<double> im = draws(random, size);
        const std::vector<double> re0 = re;
        const std::vector<double> im0 = im;
        double norm = 0.0;
        for (std::size_t k = 0; k < size; ++k) norm += std::hypot(re[k], im[k]);
        fft.forward(re, im);
        for (std::size_t position = 0; position < size; ++position) {
            const std::size_t f = reversed(position, size);
            std::complex<long double> sum = 0.0L;
            for (std::size_t k = 0; k < size; ++k) {
                const long double angle = -2.0L * std::numbers::pi_v<long double> *
                                          static_cast<long double>((f * k) % size) /
                                          static_cast<long double>(size);
                sum += std::complex<long double>(re0[k], im0[k]) * std::polar(1.0L, angle);
            }
            CAPTURE(size, f);
            CHECK(std::abs(sum - std::complex<long double>(re[position], im[position])) <=
                  static_cast<long double>(fft.relative_error() * norm));
            const std::size_t other = Fft::opposite(position);
            CHECK((reversed(other, size) + f) % size == 0);
        }
    }
}

TEST_CASE("there and back again, long transforms too", "[fft]") {
    test_support::Random random(11);
    CAPTURE(random.seed());
    for (const std::size_t size : {16UL, 2048UL, 4096UL, 1UL << 15U}) {
        const Fft fft(size);
        std::vector<double> re = draws(random, size);
        std::vector<double> im = draws(random, size);
        const std::vector<double> re0 = re;
        fft.forward(re, im);
        fft.backward(re, im);
        double worst = 0.0;
        for (std::size_t k = 0; k < size; ++k)
            worst = std::max(worst, std::fabs(re[k] / static_cast<double>(size) - re0[k]));
        CAPTURE(size);
        CHECK(worst < 1e-14);
    }
}

TEST_CASE("an impulse has the exact twiddles as its transform", "[fft]") {
    constexpr std::size_t size = 1U << 13U;
    const Fft fft(size);
    std::vector<double> re(size, 0.0);
    std::vector<double> im(size, 0.0);
    re[1] = 1.0;
    fft.forward(re, im);
    for (std::size_t position = 0; position < size; ++position) {
        const long double angle = -2.0L * std::numbers::pi_v<long double> *
                                  static_cast<long double>(reversed(position, size)) /
                                  static_cast<long double>(size);
        const double error = static_cast<double>(
            std::hypot(static_cast<long double>(re[position]) - std::cos(angle),
                       static_cast<long double>(im[position]) - std::sin(angle)));
        REQUIRE(error <= fft.relative_error());
    }
}

TEST_CASE("lengths that are no power of two are refused", "[fft]") {
    CHECK(test_support::refused([] { return Fft(12); }) == "transform length");
    CHECK(test_support::refused([] { return Fft(2); }) == "transform length");
}

}  // namespace
}  // namespace assay
