#include "assay/numeric/threshold_search.hpp"

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Enclosures of exp(-x^2), never narrower than `floor`.
auto bell(double floor, int* calls = nullptr) {
    return [=](double x, double tolerance) -> Enclosure {
        if (calls != nullptr) ++*calls;
        const double y = std::exp(-x * x);
        const double width = std::max(tolerance, floor);
        return {y * (1.0 - 0.4 * width), y * (1.0 + 0.5 * width)};
    };
}

}  // namespace

TEST_CASE("the threshold lies between both ends", "[threshold_search]") {
    for (const double target : {0.9, 1e-3, 1e-12, 1e-200})
        for (const double precision : {1e-2, 1e-5}) {
            int calls = 0;
            const Threshold found =
                find_threshold(bell(0.0, &calls), target, 0.01, {1e6, {0.0, 0.0}}, precision);
            const double truth = std::sqrt(-std::log(target));
            CAPTURE(target, precision, found.insufficient, found.sufficient, truth, calls);
            CHECK(found.insufficient < truth);
            CHECK(truth <= found.sufficient);
            CHECK(found.precision() <= precision);
            CHECK(found.value.upper <= target);
            CHECK(calls < 40);
        }
}

TEST_CASE("enclosures that hide the threshold leave a gap, and not for long",
          "[threshold_search]") {
    int calls = 0;
    const Threshold found = find_threshold(bell(1e-3, &calls), 1e-6, 0.01, {1e3, {0.0, 0.0}}, 1e-9);
    const double truth = std::sqrt(-std::log(1e-6));
    CAPTURE(found.insufficient, found.sufficient, calls);
    CHECK(found.insufficient < truth);
    CHECK(truth <= found.sufficient);
    CHECK(found.precision() < 1e-4);
    CHECK(found.precision() > 1e-6);
    CHECK(calls < 40);
}

TEST_CASE("nothing is called insufficient that was not seen to be", "[threshold_search]") {
    const auto vacuous = [](double x, double) -> Enclosure {
        return x < 7.0 ? Enclosure{0.0, 1.0} : Enclosure{0.0, 1e-9};
    };
    const Threshold found = find_threshold(vacuous, 1e-6, 0.01, {100.0, {0.0, 1e-9}}, 1e-3);
    CHECK(found.insufficient == 0.0);
    CHECK(found.sufficient >= 7.0);
    CHECK(found.sufficient < 7.5);
    const Threshold everywhere = find_threshold(bell(0.0), 1.0, 0.5, {2.0, {0.0, 0.1}}, 1e-3);
    CHECK(everywhere.sufficient == 0.5);
    CHECK(everywhere.insufficient == 0.0);
}

TEST_CASE("an end that is not sufficient is refused", "[threshold_search]") {
    CHECK(refused([] {
              return find_threshold(bell(0.0), 1e-3, 0.1, {1.0, {0.3, 0.4}}, 1e-3);
          }) == "high");
    CHECK(refused([] {
              return find_threshold(bell(0.0), 1e-3, 2.0, {1.0, {0.0, 0.0}}, 1e-3);
          }) == "low");
}

TEST_CASE("the first power of two that is enough, or none", "[threshold_search]") {
    const auto found = first_sufficient(bell(0.0), 1e-3, 1e6);
    REQUIRE(found);
    CHECK(found->x == 4.0);
    CHECK(found->value.upper <= 1e-3);
    CHECK_FALSE(first_sufficient(bell(0.0), 1e-300, 16.0));
    CHECK(first_sufficient(bell(0.0), 0.9, 1.0)->x == 1.0);
}
