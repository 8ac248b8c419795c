#include "assay/numeric/vector_turn.hpp"

#include <algorithm>
#include <array>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::error_in_ulp;
using test_support::Random;
using test_support::Wide;

double worst_error(double u) {
    const Wide angle = 2 * test_support::wide_pi() * Wide(u);
    const CosineAndSine turn = vector_turn(u);
    return std::max(error_in_ulp(turn.cosine, cos(angle)), error_in_ulp(turn.sine, sin(angle)));
}

ASSAY_VECTOR_CLONES
void turns_of(const double* u, CosineAndSine* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = vector_turn(u[i]);
}

}  // namespace

TEST_CASE("vector_turn is within two ulp of 50 digits", "[vector-turn]") {
    Random random(92);
    CAPTURE(random.seed());
    double worst = 0.0;
    for (int i = 0; i < 3000 * test_support::effort(); ++i) {
        worst = std::max(worst, worst_error(random.uniform(0.0, 1.0)));
        worst = std::max(worst, worst_error(random.log_uniform(0x1p-53, 1.0)));
        // Beside the zeros, and where one quarter's sums meet the next one's.
        const double eighth = static_cast<double>(i % 8 + 1) / 8.0;
        worst = std::max(worst, worst_error(eighth - random.log_uniform(0x1p-53, 0.1)));
    }
    CHECK(worst < 2.0);
}

TEST_CASE("vector_turn is exact at quarters and the same bits in vectors", "[vector-turn]") {
    const std::array<std::array<double, 3>, 5> quarters{
        {{0.0, 1.0, 0.0}, {0.25, 0.0, 1.0}, {0.5, -1.0, 0.0}, {0.75, 0.0, -1.0}, {1.0, 1.0, 0.0}}};
    for (const auto& [u, cosine, sine] : quarters) {
        CAPTURE(u);
        CHECK(vector_turn(u).cosine == cosine);
        CHECK(vector_turn(u).sine == sine);
    }
    Random random(93);
    CAPTURE(random.seed());
    std::array<double, 101> u{};
    for (double& x : u) x = random.uniform(0.0, 1.0);
    std::array<CosineAndSine, 101> together{};
    turns_of(u.data(), together.data(), u.size());
    bool same = true;
    for (std::size_t i = 0; i < u.size(); ++i)
        same = same && together[i].cosine == vector_turn(u[i]).cosine &&
               together[i].sine == vector_turn(u[i]).sine;
    CHECK(same);
}

}  // namespace assay
