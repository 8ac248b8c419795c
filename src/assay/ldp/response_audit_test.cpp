#include "assay/ldp/response_audit.hpp"

#include <algorithm>

#include "test_support/enumerated_response.hpp"
#include "test_support/ldp_test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

Wide worst_ratio(const WideMatrix<Wide>& g) {
    Wide worst = 0;
    for (const WideColumn<Wide>& row : g)
        for (const Wide& a : row)
            for (const Wide& b : row) worst = std::max<Wide>(worst, log(a / b));
    return worst;
}

Wide ratio_at(const WideMatrix<Wide>& g, const ResponseAudit& audit) {
    const WideColumn<Wide>& row = g[static_cast<std::size_t>(audit.response)];
    return log(row[static_cast<std::size_t>(audit.truth)] /
               row[static_cast<std::size_t>(audit.other_truth)]);
}

}  // namespace

TEST_CASE("the audit finds the worst ratio of the enumerated matrix, and where", "[ldp]") {
    Random random(521);
    CAPTURE(random.seed());
    for (int i = 0; i < 60 * effort(); ++i) {
        const RestrictedResponse mechanism{
            .categories = random.integer(2, 12),
            .epsilon = random.log_uniform(1e-3, 40.0),
            .budget_share = i % 5 == 0   ? 0.0
                            : i % 5 == 1 ? 1.0
                                         : random.uniform(0.0, 1.0),
            .variant = i % 3 == 2 ? ResponseVariant::as_released : ResponseVariant::theorem};
        const int size = random.integer(0, mechanism.categories);
        CAPTURE(mechanism.categories, mechanism.epsilon, mechanism.budget_share, size);
        const WideMatrix<Wide> g = enumerate_matrix(mechanism, first_categories(size));
        const ResponseAudit audit = audit_response(mechanism, size);
        const Wide truth = worst_ratio(g);
        if (truth < 1e-40)
            CHECK(audit.epsilon == Enclosure{0.0, 0.0});
        else
            CHECK_THAT(audit.epsilon, Encloses(truth, 1e-14, 1e-40));
        CHECK(abs(ratio_at(g, audit) - truth) <= 1e-15 * truth + 1e-40);
        if (mechanism.variant == ResponseVariant::theorem)
            CHECK(audit.epsilon.lower <= mechanism.epsilon);  // Theorem 1
    }
}

TEST_CASE("Theorem 1 is tight, the released table is not private", "[ldp]") {
    const auto audited = [](double epsilon, double share, int size, ResponseVariant variant) {
        return audit_response({.categories = 20,
                               .epsilon = epsilon,
                               .budget_share = share,
                               .variant = variant},
                              size)
            .epsilon;
    };
    for (const double epsilon : {0.5, 1.0, 5.0})
        CHECK(audited(epsilon, 0.9, 1, ResponseVariant::theorem).contains(epsilon));
    // At most 0.916, 1.813 and 7.330 are stated for K = 20 and |S| = 1.
    const auto released = ResponseVariant::as_released;
    CHECK(audited(0.5, 0.9, 1, released).midpoint() == Approx(0.916).margin(6e-4));
    CHECK(audited(1.0, 0.9, 1, released).midpoint() == Approx(1.813).margin(6e-4));
    CHECK(audited(5.0, 0.9, 1, released).midpoint() == Approx(7.330).margin(6e-4));
    const ResponseAudit worst = audit_worst_size(
        {.categories = 20, .epsilon = 1.0, .budget_share = 0.9, .variant = released});
    CHECK(worst.subset_size == 1);
    CHECK(worst.epsilon.lower > 1.8);
}

TEST_CASE("the worst size is the worst of all", "[ldp]") {
    for (const ResponseVariant variant : {ResponseVariant::theorem, ResponseVariant::as_released}) {
        const RestrictedResponse mechanism{
            .categories = 9, .epsilon = 3.0, .budget_share = 0.7, .variant = variant};
        double lower = 0.0;
        double upper = 0.0;
        for (int k = smallest_subset(mechanism); k <= largest_subset(mechanism); ++k) {
            lower = std::max(lower, audit_response(mechanism, k).epsilon.lower);
            upper = std::max(upper, audit_response(mechanism, k).epsilon.upper);
        }
        const ResponseAudit worst = audit_worst_size(mechanism);
        CHECK(worst.epsilon == Enclosure{lower, upper});
        CHECK(audit_response(mechanism, worst.subset_size).epsilon.lower == lower);
    }
}

TEST_CASE("a second privacy parameter of one's own is audited", "[ldp]") {
    // Independent values, 22 digits.
    const auto audited = [](int K, int k, double eps, double eps2) {
        return audit_response({.categories = K, .epsilon = eps, .budget_share = 0.8}, k, eps2)
            .epsilon;
    };
    CHECK_THAT(audited(20, 1, 0.5, 0.5), encloses_printed("0.8664267182510945011875"));
    CHECK_THAT(audited(10, 2, 0.5, 0.5), encloses_printed("0.8220300616408397994146"));
    CHECK_THAT(audited(20, 10, 5.0, 3.3597203132285233848),
               encloses_printed("6.030495368603961568804"));
}

TEST_CASE("the doubles of the sampler cost a few ulp", "[ldp]") {
    Random random(522);
    CAPTURE(random.seed());
    for (int i = 0; i < 300 * effort(); ++i) {
        const RestrictedResponse mechanism{.categories = random.integer(2, 100),
                                           .epsilon = random.log_uniform(1e-2, 20.0),
                                           .budget_share = random.uniform(0.0, 1.0)};
        const int size = random.integer(0, mechanism.categories - 1);
        const Enclosure exact = audit_response(mechanism, size).epsilon;
        const Enclosure rounded = audit_response(response_distribution(mechanism, size)).epsilon;
        CHECK(std::fabs(exact.midpoint() - rounded.midpoint()) <= 0x1p-48);
    }
    CHECK(refused([] { return audit_response(ResponseDistribution{.categories = 3}); }) ==
          "distribution");
}

TEST_CASE("any matrix is audited by brute force", "[ldp]") {
    const std::vector<double> good{0.5,  0.25, 0.25, 0.0,  //
                                   0.25, 0.5,  0.25, 0.0,  //
                                   0.25, 0.25, 0.5,  0.0};
    const ResponseAudit audit = audit_matrix(good, 3, 4);
    CHECK_THAT(audit.epsilon, Encloses(log(Wide(2)), 1e-15));
    CHECK(audit.truth == audit.response);

    std::vector<double> impossible = good;
    impossible[2] = 0.0;
    impossible[3] = 0.25;
    const ResponseAudit refuted = audit_matrix(impossible, 3, 4);
    CHECK(refuted.epsilon == Enclosure{INFINITY, INFINITY});
    CHECK(refuted.response >= 2);

    const std::vector<double> constant{0.3, 0.7, 0.3, 0.7};
    CHECK(audit_matrix(constant, 2, 2).epsilon == Enclosure{0.0, 0.0});

    const RestrictedResponse mechanism{.categories = 7, .epsilon = 1.5, .budget_share = 0.8};
    std::vector<double> rows;
    const ResponseDistribution distribution = response_distribution(mechanism, 3);
    for (int x = 0; x < 7; ++x)
        for (int y = 0; y < 7; ++y) rows.push_back(distribution.probability(y < 3, x < 3, x == y));
    CHECK(audit_matrix(rows, 7, 7).epsilon == audit_response(distribution).epsilon);
}

TEST_CASE("what is no response matrix is refused in one line", "[ldp]") {
    const auto refusal = [](const std::vector<double>& matrix, int rows, int columns) {
        try {
            (void)audit_matrix(matrix, rows, columns);
        } catch (const DomainError& error) {
            CHECK(error.parameter() == "matrix");
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK(refusal({0.5, 0.5, 0.5, 0.4}, 2, 2) ==
          "matrix = row 2 with the sum 0.9 is not admitted: rows whose sum is within 1e-9 of 1");
    CHECK(refusal({0.5, 0.5, 1.5, -0.5}, 2, 2) ==
          "matrix = -0.5 in row 2 is not admitted: entries >= 0");
    CHECK(refusal({0.5, 0.5, NAN, 0.5}, 2, 2) ==
          "matrix = nan in row 2 is not admitted: entries >= 0");
    CHECK(refusal({0.5, 0.5, INFINITY, 0.5}, 2, 2) ==
          "matrix = row 2 with the sum inf is not admitted: rows whose sum is within 1e-9 of 1");
    CHECK(refusal({0.5, 0.5, 0.5}, 2, 2) ==
          "matrix = 3 entries is not admitted: 2 rows of 2 entries");
    CHECK(refusal({1.0}, 1, 1) == "matrix = 1 is not admitted: at least two rows");
    CHECK(refusal({0.5, 0.5, 0.5 + 1e-10, 0.5}, 2, 2) == "accepted");
}
