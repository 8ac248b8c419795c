#include "assay/pld/geometric_products.hpp"

#include <cmath>

#include "test_support/test_support.hpp"

namespace assay {
namespace {

/// The sum of two copies by its definition, pair by pair, every loss in units of the floor.
class PairByPair {
public:
    PairByPair(const GeometricGrid& grid, Direction direction, int kept)
        : size_(grid.size),
          kept_(kept),
          m_(static_cast<real>(grid.per_doubling)),
          before_(direction == Direction::upper ? 0.0L : 0.5L) {}

    [[nodiscard]] CellMasses squared(const CellMasses& masses) const {
        CellMasses result;
        result.gains.assign(static_cast<std::size_t>(size_), 0.0);
        result.costs = result.gains;
        const auto loss_of = [&](int k) {  // -size .. -1 costs, 0, 1 .. size gains
            if (k == 0) return 0.0L;
            return std::copysign(std::exp2(static_cast<real>(std::abs(k) - 1) / m_),
                                 static_cast<real>(k));
        };
        const auto mass_of = [&](int k) {
            if (k == 0) return masses.one;
            return (k > 0 ? masses.gains : masses.costs)[static_cast<std::size_t>(std::abs(k) - 1)];
        };
        for (int a = -size_; a <= size_; ++a)
            for (int b = -size_; b <= size_; ++b) {
                const double mass = mass_of(a) * mass_of(b);
                if (a == -b)
                    result.one += mass;
                else
                    put(loss_of(a) + loss_of(b), mass, result);
            }
        return result;
    }

private:
    void put(real loss, double mass, CellMasses& result) const {
        const int cell =
            static_cast<int>(std::floor(m_ * std::log2(std::fabs(loss)) + before_ + 1e-12L));
        if (cell < kept_)
            (loss > 0.0L ? result.small_gain : result.small_cost) += mass;
        else
            (loss > 0.0L ? result.gains
                         : result.costs)[static_cast<std::size_t>(std::min(cell, size_ - 1))] +=
                mass;
    }

    int size_;
    int kept_;
    real m_;
    real before_;
};

void check_close(const std::vector<double>& found, const std::vector<double>& exact, double error) {
    REQUIRE(found.size() == exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k) {
        CAPTURE(k);
        REQUIRE(std::fabs(found[k] - exact[k]) <= error * exact[k]);
    }
}

// Catches a pair left out or counted once instead of twice, a cell off by one, a difference that
// lands on the wrong side, and mass that is lost at either end of the grid.
TEST_CASE("products are those of all pairs of losses", "[geometric_products]") {
    test_support::Random random(20261127);
    CAPTURE(random.seed());
    for (const double spacing : {0.7, 0.2, 0.06})
        for (const Direction direction : {Direction::upper, Direction::lower})
            for (const int kept : {0, 9}) {
                const auto grid = geometric_grid(1e-3, 5.0, spacing);
                CellMasses masses;
                masses.one = 0.3;
                for (int k = 0; k < grid->size; ++k) {
                    masses.gains.push_back(random.log_uniform(1e-6, 1e-2));
                    masses.costs.push_back(k % 5 == 0 ? 0.0 : random.log_uniform(1e-6, 1e-2));
                }
                const GeometricProducts products(*grid, direction, kept);
                const CellMasses found = products.squared(masses);
                const CellMasses exact = PairByPair(*grid, direction, kept).squared(masses);
                CAPTURE(spacing, kept, static_cast<int>(direction));
                // What the class states, and the additions of the comparison.
                const double error =
                    products.roundings() * 0x1p-53 + 4.0 * grid->size * grid->size * 0x1p-53;
                check_close(found.gains, exact.gains, error);
                check_close(found.costs, exact.costs, error);
                check_close({found.small_gain, found.small_cost, found.one},
                            {exact.small_gain, exact.small_cost, exact.one}, error);
            }
}

TEST_CASE("nothing but loss 0 stays there", "[geometric_products]") {
    const auto grid = geometric_grid(1e-3, 5.0, 0.2);
    CellMasses masses;
    masses.gains.assign(static_cast<std::size_t>(grid->size), 0.0);
    masses.costs = masses.gains;
    masses.one = 1.0;
    const CellMasses found = GeometricProducts(*grid, Direction::upper, 0).squared(masses);
    CHECK(found.one == 1.0);
    CHECK(found.gains == masses.gains);
    CHECK(found.costs == masses.costs);
    CHECK(found.small_gain + found.small_cost == 0.0);
}

}  // namespace
}  // namespace assay
