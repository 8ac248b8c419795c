#include "assay/pld/one_jump.hpp"

#include "test_support/test_support.hpp"

namespace assay {
namespace {

using test_support::gaussian_delta_wide;
using test_support::Wide;

constexpr double shift = 0.25;

/// Gaussian steps, `last` of them after the jump; moments of the others in closed form.
JumpSplit gaussian_split(std::int64_t first, std::int64_t last) {
    DominatingPair pair;
    pair.q = 1.0L;
    pair.c = shift;
    JumpSplit split;
    split.first.push_back({pair, first});
    split.last.push_back({pair, last});
    for (double order = 1.05; order < 200.0; order *= 1.1)
        split.moments.push_back({order, 0.5 * order * (order - 1.0) * shift * shift *
                                            static_cast<double>(first) * (1.0 + 1e-14)});
    return split;
}

double jump_delta(std::int64_t first, std::int64_t last, double epsilon, int widest) {
    const auto truth = static_cast<double>(
        gaussian_delta_wide(1.0 / shift, static_cast<double>(first + last), epsilon));
    return OneJump(gaussian_split(first, last), Adjacency::add_remove, epsilon, epsilon, truth,
                   1e-4, widest)
        .delta(epsilon);
}

}  // namespace

// Catches a tail cut off, thresholds on the wrong side and moments of the whole for those of a
// part.
TEST_CASE("one jump bounds Gaussian steps from above, and not by far", "[one_jump]") {
    for (const double epsilon : {0.5, 2.0, 4.0}) {
        const Wide truth = gaussian_delta_wide(1.0 / shift, 16, epsilon);
        const double found = jump_delta(15, 1, epsilon, 64);
        CAPTURE(epsilon, static_cast<double>(truth), found, jump_delta(8, 8, epsilon, 64));
        CHECK(Wide(found) >= truth);
        CHECK(Wide(found) <= 2 * truth);
        CHECK(Wide(jump_delta(8, 8, epsilon, 64)) >= truth);
        // Of wider kernels the best one is taken.
        CHECK(found <= jump_delta(15, 1, epsilon, 1) * (1.0 + 1e-12));
    }
}

TEST_CASE("the epsilon of one jump inverts its delta", "[one_jump]") {
    const double target = 1e-5;
    const OneJump jump(gaussian_split(15, 1), Adjacency::add_remove, 4.0, 1.0, target, 1e-3);
    const std::optional<double> found = jump.epsilon(target, 1.0, 20.0);
    REQUIRE(found);
    CHECK(jump.delta(*found) <= target);
    CHECK(jump.delta(*found * (1.0 - 1e-6)) > target);
    CHECK_FALSE(jump.epsilon(target, 1.0, 0.5 * *found));
}

TEST_CASE("a precision outside (0, 1) is refused", "[one_jump]") {
    CHECK(test_support::refused([] {
              return OneJump(gaussian_split(2, 1), Adjacency::add_remove, 1.0, 1.0, 1e-3, 0.0);
          }) == "precision");
}

}  // namespace assay
