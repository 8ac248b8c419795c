#include "assay/rdp/taylor_replace_one.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::agrees;

namespace {

using Digits300 = test_support::Decimals<300>;

/// (44), (47), (83), (90) and (98) letter by letter, in 300 digits.
struct Literal {
    Digits300 alpha;
    Digits300 sigma;
    Digits300 q;

    [[nodiscard]] Digits300 moment(int k, const Digits300& noise) const {
        Digits300 sum = 0;
        Digits300 binomial = 1;
        for (int l = 0; l <= k; ++l) {
            const Digits300 term = binomial * exp(Digits300(2 * l) * (l - 1) / (noise * noise));
            sum += (k - l) % 2 == 0 ? term : Digits300(-term);
            binomial = binomial * (k - l) / (l + 1);
        }
        return sum;
    }
    [[nodiscard]] Digits300 bound(int j, const Digits300& noise) const {
        return j % 2 == 0 ? moment(j, noise)
                          : Digits300(sqrt(moment(j - 1, noise) * moment(j + 1, noise)));
    }
    [[nodiscard]] static Digits300 factorial(int n) {
        Digits300 product = 1;
        for (int i = 2; i <= n; ++i) product *= i;
        return product;
    }
    [[nodiscard]] static Digits300 choose(int n, int k) {
        return factorial(n) / (factorial(k) * factorial(n - k));
    }
    [[nodiscard]] Digits300 first_family(int k, const Digits300& noise) const {
        return bound(k, noise) * (k % 2 == 0 ? 4 : 3);
    }
    [[nodiscard]] Digits300 coefficient(int k, const Digits300& noise,
                                        const Digits300& first) const {
        Digits300 sum = 0;
        for (int j = 0; j <= k; ++j) {
            Digits300 product = alpha / (alpha - 1);
            for (int l = 0; l < j; ++l) product *= 1 - l / alpha;
            for (int l = 0; l < k - j; ++l) product *= 1 + (l - 1) / alpha;
            sum += choose(k, j) * abs(product - 1) * bound(k, noise);
        }
        return (alpha - 1) * pow(alpha, k - 1) * (first + sum);
    }
    [[nodiscard]] Digits300 remainder(int m, const Digits300& noise) const {
        const int ceiling = static_cast<int>(ceil(alpha).convert_to<long>());
        Digits300 sum = 0;
        for (int j = 0; j <= m; ++j) {
            Digits300 product = choose(m, j) * pow(1 - q, Digits300(-(alpha + (m - j - 1))));
            for (int l = 0; l < j; ++l) product *= abs(alpha - l);
            for (int l = 0; l < m - j; ++l) product *= alpha + (l - 1);
            Digits300 last = bound(m, noise);
            if (alpha <= j) {
                last *= pow(1 - q, Digits300(alpha - j));
            } else {
                const int n = ceiling - j;
                for (int l = 0; l <= n; ++l)
                    last += pow(q, l) * factorial(n) * factorial(m) /
                            (factorial(n - l) * factorial(m + l)) * bound(l + m, noise);
            }
            sum += product * last;
        }
        return pow(q, m) / factorial(m) * sum;
    }
    [[nodiscard]] Digits300 repaired(int m) const {
        const Digits300 wide = 2 * sigma;
        const Digits300 s2 = 1 / (sigma * sigma);
        Digits300 sum = q * q * alpha * (alpha - 1) * (exp(s2) - exp(Digits300(-s2)));
        for (int k = 3; k < m; ++k) {
            const Digits300 first = 2 * bound(k, sigma) + (k % 2 == 0 ? 2 : 1) * bound(k, wide);
            sum += pow(q, k) / factorial(k) * coefficient(k, wide, first);
        }
        return log(1 + sum + remainder(m, wide)) / (alpha - 1);
    }
};

bool contains(const Enclosure& e, const Digits300& value) {
    return Digits300(e.lower) <= value && value <= Digits300(e.upper) && e.relative_width() < 1e-13;
}

std::vector<double> opacus_like_orders() {
    std::vector<double> orders;
    for (int i = 11; i <= 109; ++i) orders.push_back(i / 10.0);
    for (int i = 12; i <= 63; ++i) orders.push_back(i);
    return orders;
}

}  // namespace

TEST_CASE("Theorem 3.4 at independent 30-digit values", "[taylor_replace_one]") {
    CHECK(agrees(theorem_3_4_rdp(1.01, 6, 3, 0.0024), 0.000000353696125021652504553266530991));
    CHECK(agrees(theorem_3_4_rdp(2, 6, 4, 0.0024), 0.000000700753890603343100204056767016));
    CHECK(agrees(theorem_3_4_rdp(10.9, 6, 5, 0.0024), 0.00000388082721786380093418535405255));
    CHECK(agrees(theorem_3_4_rdp(32.5, 100, 4, 0.00001), 6.50202809411423471415102164572e-13));
    CHECK(agrees(theorem_3_4_rdp(8, 0.5, 4, 0.001), 138.894355989147507517559896641));
    CHECK(agrees(theorem_3_4_rdp(63, 1, 3, 0.1), 136.044903943220423484230866124));
    CHECK(agrees(theorem_3_4_rdp(60.5, 20, 24, 0.2), 0.270345132399903936668967817661));
}

TEST_CASE("F~ and E~ at independent 25-digit values", "[taylor_replace_one]") {
    CHECK(agrees(log_coefficient_bound(1.01, 6, 3), -4.792034686780726554801892));
    CHECK(agrees(log_coefficient_bound(2, 6, 3), 0.7806866312732482980953595));
    CHECK(agrees(log_coefficient_bound(10.9, 20, 7), 8.664696975033657060370763));
    CHECK(agrees(log_replace_one_remainder_bound(1.5, 6, 3, 0.0024), -19.79419492759066789858539));
    CHECK(agrees(log_replace_one_remainder_bound(4, 6, 4, 0.0024), -21.43581926731310696493255));
    CHECK(agrees(log_replace_one_remainder_bound(10.9, 20, 4, 0.1), -6.29750276919157717887086));
}

TEST_CASE("Theorem C.9 as printed, its published counterexample included", "[taylor_replace_one]") {
    CHECK(agrees(theorem_c_9_as_printed_rdp(1.5, 6, 4, 0.0024),
                 0.000000480381199186073092833145636196));
    CHECK(agrees(theorem_c_9_as_printed_rdp(55.5, 6, 5, 0.0024),
                 0.0000179510515329125026509667461673));
    // The exact divergence there is 0.027231319148: the printed bound lies below it.
    const Enclosure printed = theorem_c_9_as_printed_rdp(60.5, 20, 60, 0.3);
    CHECK(agrees(printed, 0.0238299264962036751840590508613));
    CHECK(theorem_c_9_repaired_rdp(60.5, 20, 60, 0.3).lower > 0.027231319148);
    CHECK(theorem_c_9_repaired_rdp(60.5, 20, 24, 0.2).lower > 0.0121021);
}

TEST_CASE("bounds contain the literal formulas in 300 digits", "[taylor_replace_one]") {
    struct Point {
        double alpha, sigma, q;
        int m;
    };
    for (const Point& p : {Point{1.25, 6.0, 0.01, 5}, Point{3.0, 0.8, 0.2, 4},
                           Point{7.5, 40.0, 0.7, 6}, Point{2.0 + 1e-9, 3.0, 1e-6, 7}}) {
        INFO(p.alpha << " " << p.sigma << " " << p.q << " " << p.m);
        const Literal literal{p.alpha, p.sigma, p.q};
        const Digits300 sigma = p.sigma;
        const Digits300 coefficient =
            literal.coefficient(p.m, sigma, literal.first_family(p.m, sigma));
        CHECK(contains(log_coefficient_bound(p.alpha, p.sigma, p.m), log(coefficient)));
        CHECK(contains(log_replace_one_remainder_bound(p.alpha, p.sigma, p.m, p.q),
                       log(literal.remainder(p.m, sigma))));
        CHECK(
            contains(theorem_c_9_repaired_rdp(p.alpha, p.sigma, p.m, p.q), literal.repaired(p.m)));
    }
}

TEST_CASE("a list of orders gives what single orders give", "[taylor_replace_one]") {
    const std::vector<double> orders = opacus_like_orders();
    for (const double sigma : {0.3, 6.0, 300.0}) {
        const auto list = theorem_3_4_rdp(orders, sigma, 4, 0.0024);
        REQUIRE(list.size() == orders.size());
        for (std::size_t i = 0; i < orders.size(); i += 7) {
            const Enclosure single = theorem_3_4_rdp(orders[i], sigma, 4, 0.0024);
            CHECK(single.lower <= list[i].upper);
            CHECK(list[i].lower <= single.upper);
            CHECK(list[i].relative_width() < 1e-14);
        }
    }
    CHECK(theorem_3_4_rdp(std::vector<double>{}, 6, 4, 0.0024).empty());
}

TEST_CASE("replace-one bounds in extreme regimes", "[taylor_replace_one]") {
    for (const double order : {1.0 + 1e-12, 1.3, 2.0, 63.5, 9999.5})
        for (const double sigma : {0.05, 1.0, 100.0, 1e4})
            for (const int m : {3, 4, 64})
                for (const double q : {1e-9, 0.0024, 0.5, 1.0 - 1e-9}) {
                    INFO(order << " " << sigma << " " << m << " " << q);
                    const Enclosure e = theorem_3_4_rdp(order, sigma, m, q);
                    CHECK(e.lower > 0.0);
                    CHECK(e.lower <= e.upper);
                    CHECK(e.relative_width() < 1e-10);
                    if (order < 100.0)
                        CHECK(theorem_c_9_repaired_rdp(order, sigma, m, q).relative_width() <
                              1e-10);
                }
    // Moments at sigma leave the range of extended precision here, those at 2 sigma do not.
    CHECK(theorem_c_9_repaired_rdp(1.0005, 0.238, 24, 0.9999).relative_width() < 1e-14);
    CHECK(theorem_3_4_rdp(4.5, 6, 3, 0.0) == exactly(0.0));
}

TEST_CASE("replace-one bounds refuse what they do not cover", "[taylor_replace_one]") {
    CHECK_THROWS_AS(theorem_3_4_rdp(1.0, 6, 3, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_3_4_rdp(2.0, 0, 3, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_3_4_rdp(2.0, 6, 2, 0.1), DomainError);
    CHECK_THROWS_AS(theorem_3_4_rdp(2.0, 6, 3, 1.0), DomainError);
    CHECK_THROWS_AS(theorem_3_4_rdp(std::vector<double>{2.0, 1.0}, 6, 3, 0.1), DomainError);
    CHECK_THROWS_AS(log_coefficient_bound(2.0, 6, 0), DomainError);
}
