#include "assay/rdp/fixed_size_with_replacement.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

constexpr std::int64_t trillion = 1'000'000'000'000;
constexpr std::int64_t million = 1'000'000;

/// birrell2024 (17): the nested sum over n_1, .., n_a of prod a_{n_i} e^{(4/sigma^2) sum_{i<j} n_i
/// n_j}.
Wide nested(int order, const Wide& rate, const std::vector<Wide>& weights, int sum = 0) {
    if (order == 0) return 1;
    Wide total = 0;
    for (std::size_t n = 0; n < weights.size(); ++n)
        total += weights[n] * exp(rate * sum * static_cast<int>(n)) *
                 nested(order - 1, rate, weights, sum + static_cast<int>(n));
    return total;
}

std::vector<Wide> binomial_weights(int batch, std::int64_t dataset) {
    std::vector<Wide> weights;
    for (int n = 0; n <= batch; ++n) {
        Wide weight = pow(1 - 1 / Wide(dataset), batch - n);
        for (int i = 0; i < n; ++i) weight *= Wide(batch - i) / (i + 1) / Wide(dataset);
        weights.push_back(weight);
    }
    return weights;
}

}  // namespace

TEST_CASE("E[V^a] at independent 30-digit values", "[fixed_size_with_replacement]") {
    struct Case {
        double order, sigma;
        std::int64_t batch, dataset;
        const char* value;
    };
    for (const Case& p : {
             Case{1.01, 6, 120, 50000, "0.000000341835889990403644994560958587"},
             Case{1.5, 6, 120, 50000, "0.000000507749985484233979061005319974"},
             Case{2.5, 6, 120, 50000, "0.000000846498156185149580300191362256"},
             Case{6, 6, 120, 50000, "3241.95192704491923206312765835"},
             Case{10, 6, 120, 50000, "6557.36289541196225191030331307"},
             Case{8.5, 20, 60, 6000, "0.00000427454547354132386045528770722"},
             Case{1.5, 2, 20, 20000, "0.00000128907725485251312387706471205"},
             Case{4.5, 100, 120, 1200, "0.00000900305704730145909115022074665"},
         }) {
        CAPTURE(p.order, p.sigma, p.batch, p.dataset);
        CHECK_THAT(fixed_size_with_replacement_rdp(p.order, p.sigma, p.batch, p.dataset),
                   encloses_printed(p.value));
        const std::vector<double> orders{p.order, p.order};
        for (const Enclosure& e :
             fixed_size_with_replacement_rdp(orders, p.sigma, p.batch, p.dataset))
            CHECK_THAT(e, encloses_printed(p.value));
    }
}

TEST_CASE("the nested sum (17) is the exact value at integer orders",
          "[fixed_size_with_replacement]") {
    for (const int order : {2, 3, 4})
        for (const int batch : {1, 2, 5})
            for (const double sigma : {0.6, 2.0, 40.0})
                for (const std::int64_t dataset : {std::int64_t{6}, std::int64_t{1000}}) {
                    CAPTURE(order, batch, sigma, dataset);
                    const Wide rate = 4 / (Wide(sigma) * sigma);
                    const Wide sum = nested(order, rate, binomial_weights(batch, dataset));
                    CHECK_THAT(fixed_size_with_replacement_rdp(order, sigma, batch, dataset),
                               Encloses(divergence(sum, order)));
                }
}

TEST_CASE("both directions against the unreduced integral", "[fixed_size_with_replacement]") {
    Random random(161);
    CAPTURE(random.seed());
    for (int i = 0; i < 24 * effort(); ++i) {
        const int batch = random.integer(1, 15);
        const auto dataset = static_cast<std::int64_t>(batch + 1 + random.log_uniform(1.0, 1e6));
        const double sigma = random.log_uniform(1.0, 300.0);
        const double order = 1.0 + random.log_uniform(1e-4, 6.0);
        CAPTURE(batch, dataset, sigma, order);
        const Wide c = 2 / Wide(sigma);
        const auto size = static_cast<double>(dataset);
        const Enclosure removal = fixed_size_with_replacement_rdp(order, sigma, batch, dataset);
        const Enclosure addition =
            fixed_size_with_replacement_addition_rdp(order, sigma, batch, dataset);
        REQUIRE_THAT(removal, Encloses(divergence(binomial_moment(order, batch, size, c), order)));
        REQUIRE_THAT(addition,
                     Encloses(divergence(binomial_moment(1 - Wide(order), batch, size, c), order)));
        REQUIRE(addition.lower <= removal.upper);
    }
}

TEST_CASE("one draw is sampling without replacement at q = 1/D", "[fixed_size_with_replacement]") {
    for (const double order : {1.001, 2.5, 40.0})
        for (const double sigma : {0.5, 6.0, 1e4})
            for (const std::int64_t dataset :
                 {std::int64_t{2}, std::int64_t{1024}, std::int64_t{1} << 39}) {
                CAPTURE(order, sigma, dataset);
                const double q = 1.0 / static_cast<double>(dataset);  // exact: a power of two
                const Enclosure with = fixed_size_with_replacement_rdp(order, sigma, 1, dataset);
                const Enclosure without = fixed_size_without_replacement_rdp(order, sigma, q);
                CHECK(with.lower <= without.upper);
                CHECK(without.lower <= with.upper);
                CHECK(with.relative_width() <= 1e-11);
                const Enclosure addition_with =
                    fixed_size_with_replacement_addition_rdp(order, sigma, 1, dataset);
                const Enclosure addition_without =
                    fixed_size_without_replacement_addition_rdp(order, sigma, q);
                CHECK(addition_with.lower <= addition_without.upper);
                CHECK(addition_without.lower <= addition_with.upper);
            }
}

TEST_CASE("where one term rules, and where it does not yet", "[fixed_size_with_replacement]") {
    // Minkowski on both sides: log a_B + (a-1) B^2 c^2/2 <= log |V|_a <= log of the sum over n.
    for (const double order : {1.5, 4.0, 64.0, 9999.5})
        for (const double sigma : {0.05, 1.0, 6.0})
            for (const std::int64_t batch :
                 {std::int64_t{2}, std::int64_t{120}, std::int64_t{2500}}) {
                const std::int64_t dataset = 50000;
                CAPTURE(order, sigma, batch);
                const Wide half = (Wide(order) - 1) * 2 / (Wide(sigma) * sigma);  // (a-1) c^2/2
                const Wide least = half * batch * batch - Wide(batch) * log(Wide(dataset));
                Wide most = 0;
                Wide log_weight = Wide(batch) * log1p(-1 / Wide(dataset));
                const Wide top = half * batch * batch;
                for (std::int64_t n = 0; n <= batch; ++n) {
                    most += exp(log_weight + half * n * n - top);
                    if (n < batch)
                        log_weight += log(Wide(batch - n) / Wide(n + 1) / (Wide(dataset) - 1));
                }
                const Wide factor = Wide(order) / (Wide(order) - 1);
                const Enclosure e = fixed_size_with_replacement_rdp(order, sigma, batch, dataset);
                CHECK(Wide(e.upper) >= factor * least);
                CHECK(Wide(e.lower) <= factor * (top + log(most)));
                CHECK(e.relative_width() <= 1e-11);
            }
}

TEST_CASE("fixed size with replacement: the corners of the domain",
          "[fixed_size_with_replacement]") {
    for (const double order : {1.0 + 1e-12, 1.0000001, 2.5, 9999.5, 1e4})
        for (const double sigma : {0.05, 6.0, 1e4})
            for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{120}, million})
                for (const std::int64_t dataset : {million + 1, trillion}) {
                    CAPTURE(order, sigma, batch, dataset);
                    const Enclosure e =
                        fixed_size_with_replacement_rdp(order, sigma, batch, dataset);
                    CHECK(e.lower > 0.0);
                    CHECK(e.lower <= e.upper);
                    CHECK(e.relative_width() <= 1e-11);
                }
}

TEST_CASE("corners that a formula decides", "[fixed_size_with_replacement]") {
    // c = 40: the components do not overlap, F = sum_n a_n^a e^{a(a-1) n^2 c^2/2}.
    for (const double order : {1.0 + 1e-12, 1.0000001, 1.00001})
        for (const std::int64_t dataset : {std::int64_t{1000}, trillion}) {
            const int batch = 5;
            const Wide a(order);
            const Wide c = 2 / Wide(0.05);
            Wide sum = 0;
            const std::vector<Wide> weights = binomial_weights(batch, dataset);
            for (int n = 0; n <= batch; ++n)
                sum += exp(a * log(weights[static_cast<std::size_t>(n)]) +
                           a * (a - 1) * n * n * c * c / 2);
            CAPTURE(order, dataset);
            CHECK_THAT(fixed_size_with_replacement_rdp(order, 0.05, batch, dataset),
                       Encloses(divergence(sum, a)));
        }
    // Second order: F - 1 = a(a-1)/2 Var V up to third moments, Var V = E e^{c^2 nm} - 1.
    const Wide c = 2 / Wide(1e4);
    Wide variance = 0;
    const std::vector<Wide> weights = binomial_weights(40, trillion);
    for (int n = 0; n <= 40; ++n)
        for (int m = 0; m <= 40; ++m)
            variance += weights[static_cast<std::size_t>(n)] *
                        weights[static_cast<std::size_t>(m)] * expm1(c * c * n * m);
    const Enclosure e = fixed_size_with_replacement_rdp(2.0, 1e4, 40, trillion);
    CHECK_THAT(e, Encloses(log1p(variance)));
}

TEST_CASE("more order, larger batches, fewer records, less noise: more divergence",
          "[fixed_size_with_replacement]") {
    Random random(162);
    CAPTURE(random.seed());
    for (int i = 0; i < 40 * effort(); ++i) {
        const std::int64_t batch = random.integer(1, 200);
        const std::int64_t dataset = 2 * batch + random.integer(1, 100000);
        const double sigma = random.log_uniform(1.0, 100.0);
        const double order = 1.0 + random.log_uniform(1e-3, 20.0);
        CAPTURE(batch, dataset, sigma, order);
        const double here = fixed_size_with_replacement_rdp(order, sigma, batch, dataset).upper;
        CHECK(here < fixed_size_with_replacement_rdp(order * 1.01, sigma, batch, dataset).lower);
        CHECK(here < fixed_size_with_replacement_rdp(order, sigma * 0.99, batch, dataset).lower);
        CHECK(here < fixed_size_with_replacement_rdp(order, sigma, batch + 1, dataset).lower);
        CHECK(here > fixed_size_with_replacement_rdp(order, sigma, batch, dataset + 1).lower);
        // The cap is that of a batch filled by the record: 2 a B^2/sigma^2, not 2 a/sigma^2.
        CHECK(Wide(here) <= 2 * Wide(order) * Wide(batch) * Wide(batch) / (Wide(sigma) * sigma) *
                                (1 + Wide(1e-12)));
    }
    CHECK(fixed_size_with_replacement_rdp(40, 2, 4, 100).lower == Approx(301.1).epsilon(1e-3));
}

TEST_CASE("fixed size with replacement: the whole curve equals its orders",
          "[fixed_size_with_replacement]") {
    const std::vector<double> orders{1.01, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.9, 63.0};
    for (const double sigma : {0.5, 6.0, 300.0})
        for (const std::int64_t batch : {std::int64_t{3}, std::int64_t{120}}) {
            const auto curve = fixed_size_with_replacement_rdp(orders, sigma, batch, 50000);
            for (std::size_t i = 0; i < orders.size(); ++i) {
                const Enclosure single =
                    fixed_size_with_replacement_rdp(orders[i], sigma, batch, 50000);
                CAPTURE(sigma, batch, orders[i]);
                REQUIRE(curve[i].lower <= single.upper);
                REQUIRE(single.lower <= curve[i].upper);
                REQUIRE(curve[i].relative_width() <= 1e-11);
            }
        }
}

TEST_CASE("fixed size with replacement: bad parameters are refused by name",
          "[fixed_size_with_replacement]") {
    const double nan = std::nan("");
    const auto each = [&](const auto& call) {
        for (const double order : {1.0, 0.5, -3.0, nan, infinity})
            CHECK(refused([&] { return call(order, 6.0, 3, 10); }) == "alpha");
        for (const double sigma : {0.0, -1.0, nan, infinity})
            CHECK(refused([&] { return call(2.0, sigma, 3, 10); }) == "sigma");
        CHECK(refused([&] { return call(2.0, 6.0, 0, 10); }) == "B");
        CHECK(refused([&] { return call(2.0, 6.0, 10, 10); }) == "D");
        CHECK(refused([&] { return call(2.0, 6.0, 11, 10); }) == "D");
    };
    each([](double a, double s, std::int64_t b, std::int64_t d) {
        return fixed_size_with_replacement_rdp(a, s, b, d);
    });
    each([](double a, double s, std::int64_t b, std::int64_t d) {
        return fixed_size_with_replacement_addition_rdp(a, s, b, d);
    });
    CHECK(refused([&] { return fixed_size_with_replacement_rdp(2.0, 6.0, -1, 10); }) == "B");
    each([](double a, double s, std::int64_t b, std::int64_t d) {
        const std::vector<double> orders{a};
        return fixed_size_with_replacement_rdp(orders, s, b, d);
    });
}

TEST_CASE("orders of every kind in any sequence keep their places",
          "[fixed_size_with_replacement]") {
    // At these sizes the last term rules from order 3 on.
    const std::vector<double> orders{63.0, 1.5, 10.9, 2.0, 500.0, 1.01};
    const auto curve = fixed_size_with_replacement_rdp(orders, 6.0, 120, 50000);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const Enclosure single = fixed_size_with_replacement_rdp(orders[i], 6.0, 120, 50000);
        CAPTURE(orders[i]);
        CHECK(curve[i].lower <= single.upper);
        CHECK(single.lower <= curve[i].upper);
    }
}

TEST_CASE("lists of orders refuse bad sizes by name, whatever the orders",
          "[fixed_size_with_replacement]") {
    const std::vector<double> orders{2.0, 500.0};
    const std::vector<double> none;
    for (const std::int64_t batch : {std::int64_t{-1}, std::int64_t{-5}, std::int64_t{0}}) {
        CHECK(refused([&] { return fixed_size_with_replacement_rdp(orders, 0.5, batch, 10); }) ==
              "B");
        CHECK(refused([&] { return fixed_size_with_replacement_rdp(none, 0.5, batch, 10); }) ==
              "B");
    }
    for (const std::int64_t dataset : {std::int64_t{-7}, std::int64_t{0}, std::int64_t{3}})
        CHECK(refused([&] { return fixed_size_with_replacement_rdp(orders, 0.5, 3, dataset); }) ==
              "D");
    CHECK(refused([&] { return fixed_size_with_replacement_rdp(none, 0.0, 3, 10); }) == "sigma");
}
