#include "assay/rdp/truncated_lower_bound.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::agrees;
using test_support::Digits100;

namespace {

/// The nested sums of (119), indices 3..order restricted to `terms`, one by one.
Digits100 nested(int order, double sigma, int batch, int dataset,
                 const std::vector<std::int64_t>& terms, int chosen = 0, std::int64_t sum = 0,
                 std::int64_t pairs = 0) {
    if (chosen == order) return exp(4 / (Digits100(sigma) * sigma) * pairs);
    std::vector<std::int64_t> all;
    for (std::int64_t n = 0; n <= batch; ++n) all.push_back(n);
    Digits100 total = 0;
    for (const std::int64_t n : chosen < order - 2 ? terms : all) {
        Digits100 weight = 1;
        for (std::int64_t i = 0; i < n; ++i) weight *= Digits100(batch - i) / (i + 1) / dataset;
        weight *= pow(1 - Digits100(1) / dataset, static_cast<int>(batch - n));
        total += weight *
                 nested(order, sigma, batch, dataset, terms, chosen + 1, sum + n, pairs + sum * n);
    }
    return total;
}

}  // namespace

TEST_CASE("the truncated recursion at independent 30-digit values", "[truncated_lower_bound]") {
    CHECK(agrees(theorem_3_7_truncated_rdp(3, 6, 120, 50000, {120}),
                 452.439924544410409106200498762));
    CHECK(agrees(theorem_3_7_truncated_rdp(10, 6, 120, 50000, {120}),
                 6557.36289541196225191030331307));
    CHECK(agrees(theorem_3_7_truncated_rdp(9, 6, 20, 20000, {0, 1, 2, 20}),
                 0.000000529222576858251973398873295763));
    CHECK(agrees(theorem_3_7_truncated_rdp(6, 6, 40, 40000, {0, 1, 2, 3, 38, 39, 40}),
                 24.6952950343504627645705130728));
}

TEST_CASE("the recursion equals brute-force nested sums", "[truncated_lower_bound]") {
    const std::vector<std::int64_t> all = {0, 1, 2, 3};
    const std::vector<std::int64_t> some = {0, 3};
    const std::vector<std::int64_t> last = {3};
    for (const int order : {2, 3, 5})
        for (const double sigma : {0.5, 2.0, 50.0})
            for (const auto& terms : {all, some, last}) {
                const Digits100 exact = log(nested(order, sigma, 3, 10, terms)) / (order - 1);
                const Enclosure e = theorem_3_7_truncated_rdp(order, sigma, 3, 10, terms);
                INFO(order << " " << sigma << " " << terms.size());
                CHECK(Digits100(e.lower) <= exact);
                CHECK(exact <= Digits100(e.upper));
                CHECK(e.relative_width() < 1e-12);
            }
}

TEST_CASE("an untruncated recursion keeps tiny divergences", "[truncated_lower_bound]") {
    std::vector<std::int64_t> all;
    for (std::int64_t n = 0; n <= 8; ++n) all.push_back(n);
    CHECK(agrees(theorem_3_7_truncated_rdp(5, 20, 8, 1000, all),
                 0.00000160852871647164890046162028054));
    const Enclosure tiny = theorem_3_7_truncated_rdp(4, 1e4, 8, 1000000000000, all);
    CHECK(tiny.lower > 0.0);
    CHECK(tiny.relative_width() < 1e-12);
}

TEST_CASE("repeated and unordered indices count once", "[truncated_lower_bound]") {
    CHECK(theorem_3_7_truncated_rdp(5, 6, 20, 20000, {20, 0, 1, 0, 20}) ==
          theorem_3_7_truncated_rdp(5, 6, 20, 20000, {0, 1, 20}));
}

TEST_CASE("the recursion stops at its budget and refuses bad indices", "[truncated_lower_bound]") {
    const Enclosure vacuous = theorem_3_7_truncated_rdp(10000, 6, 100, 10000, {0, 1, 2, 100});
    CHECK(std::isinf(vacuous.lower));
    CHECK(std::isinf(vacuous.upper));
    CHECK_THROWS_AS(theorem_3_7_truncated_rdp(1, 6, 20, 20000, {0}), DomainError);
    CHECK_THROWS_AS(theorem_3_7_truncated_rdp(3, 6, 20, 20000, {}), DomainError);
    CHECK_THROWS_AS(theorem_3_7_truncated_rdp(3, 6, 20, 20000, {21}), DomainError);
    CHECK_THROWS_AS(theorem_3_7_truncated_rdp(3, 6, 0, 20000, {0}), DomainError);
    CHECK_THROWS_AS(theorem_3_7_truncated_rdp(3, 6, 20, 1, {0}), DomainError);
}

TEST_CASE("equation (120) at independent 30-digit values", "[truncated_lower_bound]") {
    CHECK(agrees(equation_120_rdp(2, 6, 120, 50000), -996.746788258467946561454036471));
    CHECK(agrees(equation_120_rdp(10, 2, 120, 50000), 70557.3628954119622519103033131));
    CHECK_THROWS_AS(equation_120_rdp(1.0, 6, 120, 50000), DomainError);
}
