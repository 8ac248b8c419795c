#include "assay/rdp/gradient_variance.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"

using namespace assay;

namespace {

/// Mean and mean square of a random average, collected outcome by outcome.
struct Outcomes {
    real mean = 0.0L;
    real square = 0.0L;

    void add(real probability, real value) {
        mean += probability * value;
        square += probability * value * value;
    }
    [[nodiscard]] double variance() const { return static_cast<double>(square - mean * mean); }
};

double poisson_by_subsets(const std::vector<double>& a, int batch) {
    const std::size_t size = a.size();
    const real q = static_cast<real>(batch) / static_cast<real>(size);
    Outcomes outcomes;
    for (unsigned subset = 0; subset < (1U << size); ++subset) {
        real probability = 1.0L;
        real sum = 0.0L;
        for (std::size_t i = 0; i < size; ++i) {
            const bool taken = ((subset >> i) & 1U) != 0;
            probability *= taken ? q : 1.0L - q;
            if (taken) sum += a[i];
        }
        outcomes.add(probability, sum / batch);
    }
    return outcomes.variance();
}

double without_replacement_by_subsets(const std::vector<double>& a, int batch) {
    const std::size_t size = a.size();
    Outcomes outcomes;
    real count = 0.0L;
    for (unsigned subset = 0; subset < (1U << size); ++subset)
        if (__builtin_popcount(subset) == batch) count += 1.0L;
    for (unsigned subset = 0; subset < (1U << size); ++subset) {
        if (__builtin_popcount(subset) != batch) continue;
        real sum = 0.0L;
        for (std::size_t i = 0; i < size; ++i)
            if (((subset >> i) & 1U) != 0) sum += a[i];
        outcomes.add(1.0L / count, sum / batch);
    }
    return outcomes.variance();
}

double with_replacement_by_sequences(const std::vector<double>& a, int batch) {
    const std::size_t size = a.size();
    std::size_t sequences = 1;
    for (int i = 0; i < batch; ++i) sequences *= size;
    Outcomes outcomes;
    for (std::size_t code = 0; code < sequences; ++code) {
        real sum = 0.0L;
        std::size_t rest = code;
        for (int i = 0; i < batch; ++i, rest /= size) sum += a[rest % size];
        outcomes.add(1.0L / static_cast<real>(sequences), sum / batch);
    }
    return outcomes.variance();
}

}  // namespace

TEST_CASE("variances equal an enumeration of every batch", "[gradient_variance]") {
    const std::vector<double> a = {1.0, -2.0, 3.5, 0.25, 4.0};
    for (int batch = 1; batch <= 5; ++batch) {
        CHECK(variance_poisson(a, batch).midpoint() ==
              Approx(poisson_by_subsets(a, batch)).margin(1e-15));
        CHECK(variance_without_replacement(a, batch).midpoint() ==
              Approx(without_replacement_by_subsets(a, batch)).margin(1e-15));
        CHECK(variance_with_replacement(a, batch).midpoint() ==
              Approx(with_replacement_by_sequences(a, batch)).margin(1e-15));
    }
}

TEST_CASE("variances at independent 30-digit values", "[gradient_variance]") {
    const std::vector<double> a = {1.0, -2.0, 3.5, 0.25, 4.0};
    CHECK(variance_poisson(a, 2).contains(1.99875));
    CHECK(variance_with_replacement(a, 2).contains(2.42));
    CHECK(variance_without_replacement(a, 2).contains(1.815));
}

TEST_CASE("variances vanish exactly where nothing is random", "[gradient_variance]") {
    const std::vector<double> equal(7, 0.1);
    CHECK(variance_with_replacement(equal, 3) == exactly(0.0));
    CHECK(variance_without_replacement(equal, 3) == exactly(0.0));
    CHECK(variance_poisson(equal, 7) == exactly(0.0));
    CHECK(variance_poisson(equal, 3).lower > 0.0);
    const std::vector<double> one = {5.0};
    CHECK(variance_without_replacement(one, 1) == exactly(0.0));
    CHECK(variance_with_replacement(one, 1) == exactly(0.0));
}

TEST_CASE("a common offset does not cancel", "[gradient_variance]") {
    // 1e8 + {-1, 0, 1}: variance of one draw is 2/3.
    const std::vector<double> a = {1e8 - 1.0, 1e8, 1e8 + 1.0};
    const Enclosure e = variance_with_replacement(a, 1);
    CHECK(e.lower <= 2.0 / 3.0);
    CHECK(e.upper >= 2.0 / 3.0);
    CHECK(e.relative_width() < 1e-15);
    const std::vector<double> wide = {1e300, -1e300, 1e-300};
    CHECK(std::isinf(variance_poisson(wide, 1).upper));  // beyond a double, and said so
    CHECK(variance_poisson(wide, 1).lower > 1e300);
}

TEST_CASE("variances refuse impossible batches", "[gradient_variance]") {
    const std::vector<double> a = {1.0, 2.0};
    CHECK_THROWS_AS(variance_poisson(a, 0), DomainError);
    CHECK_THROWS_AS(variance_with_replacement(a, 3), DomainError);
    CHECK_THROWS_AS(variance_without_replacement(std::vector<double>{}, 1), DomainError);
    CHECK_THROWS_AS(variance_poisson(std::vector<double>{1.0, std::nan("")}, 1), DomainError);
}
