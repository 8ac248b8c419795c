#include "assay/monte_carlo/order_statistics.hpp"

#include <boost/math/special_functions/digamma.hpp>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// Mean of the k-th largest of n normals: the density summed by the trapezoid rule in 50 digits.
Wide normal_mean(int n, int k) {
    Wide mass = 0;
    Wide moment = 0;
    const Wide step = Wide(1) / Wide(16 * (1 + n / 20));
    for (Wide z = -12; z < 12; z += step) {
        const Wide tail = normal_tail_wide(z);
        const Wide f =
            pow(normal_tail_wide(Wide(-z)), n - k) * pow(tail, k - 1) * normal_density(z);
        mass += f;
        moment += z * f;
    }
    return moment / mass;
}

}  // namespace

TEST_CASE("mean of the logarithm", "[order_statistics]") {
    struct Case {
        std::int64_t count, k;
    };
    for (const Case& c : {Case{1, 1}, Case{50, 1}, Case{1000, 10}, Case{36132, 500},
                          Case{36132, 5000}, Case{5000, 5000}, Case{999999, 1},
                          Case{1000000000, 2000}, Case{1000000000000, 999999999999}}) {
        CAPTURE(c.count, c.k);
        const Wide truth =
            boost::math::digamma(Wide(c.count - c.k + 1)) - boost::math::digamma(Wide(c.count + 1));
        CHECK_THAT(mean_log_uniform_order(c.count, c.k), Encloses(truth, 1e-13, 1e-30));
    }
}

TEST_CASE("mean of a normal order statistic", "[order_statistics]") {
    // Exact: 1/sqrt(pi), 3/(2 sqrt(pi)); the others to 9 decimals from an independent quadrature.
    const Wide root = sqrt(wide_pi());
    const auto holds = [](const Enclosure& e, const Wide& truth, double slack) {
        return Wide(e.lower) <= truth + slack && truth - slack <= Wide(e.upper) &&
               e.upper - e.lower < 1e-9;
    };
    CHECK(mean_normal_order(1, 1) == exactly(0.0));
    CHECK(mean_normal_order(7, 4) == exactly(0.0));
    CHECK(holds(mean_normal_order(2, 1), 1 / root, 0.0));
    CHECK(holds(mean_normal_order(3, 1), Wide(1.5) / root, 0.0));
    CHECK(holds(mean_normal_order(3, 3), Wide(-1.5) / root, 0.0));
    CHECK(holds(mean_normal_order(50, 1), Wide("2.249073629"), 1e-9));
    CHECK(holds(mean_normal_order(1000, 10), Wide("2.34312361"), 1e-9));
    CHECK(holds(mean_normal_order(36132, 500), Wide("2.202188473"), 1e-9));
    CHECK(holds(mean_normal_order(999999, 1), Wide("4.862897287"), 1e-9));
    Random random(71);
    CAPTURE(random.seed());
    for (int i = 0; i < 4 * effort(); ++i) {
        const int n = random.integer(2, 120);
        const int k = random.integer(1, n);
        CAPTURE(n, k);
        CHECK(holds(mean_normal_order(n, k), normal_mean(n, k), 1e-25));
    }
}

TEST_CASE("the paper's order lists", "[order_statistics]") {
    struct Case {
        const char* name;
        std::int64_t steps;
        std::size_t size;
        std::int64_t last;
    };
    for (const Case& c :
         {Case{"fig2_36133", 36133, 739, 19900}, Case{"fig2_4517", 4517, 589, 2950},
          Case{"fig2_12497", 12497, 609, 6900}, Case{"fig2_1563", 1563, 549, 990},
          Case{"fig4_100000", 100000, 590, 50000}, Case{"fig4_1000000", 1000000, 590, 500000}}) {
        const OrderList& list = paper_order_list(c.name);
        CHECK(list.steps == c.steps);
        CHECK(list.orders.size() == c.size);
        CHECK(list.orders.front() == 1);
        CHECK(list.orders.back() == c.last);
        CHECK_NOTHROW(validate_orders(list.orders, c.steps - 2, true));
    }
    CHECK(paper_order_lists().size() == 6);
    CHECK(refused([] { return paper_order_list("fig5"); }) == "orders");
}

TEST_CASE("order lists are refused", "[order_statistics]") {
    const auto refusal = [](std::vector<std::int64_t> orders, bool first) {
        return refused([&] {
            validate_orders(orders, 10, first);
            return 0;
        });
    };
    CHECK(refusal({}, false) == "orders");
    CHECK(refusal({2, 5}, true) == "orders");
    CHECK(refusal({2, 5}, false).empty());
    CHECK(refusal({1, 5, 5}, true) == "orders");
    CHECK(refusal({1, 7, 5}, true) == "orders");
    CHECK(refusal({0, 1}, false) == "orders");
    CHECK(refusal({1, 11}, true) == "orders");
    CHECK(refusal({1, 10}, true).empty());
    CHECK(refused([] {
              validate_orders(std::vector<std::int64_t>{1, 2}, 1'000'000'000'000, true);
              return 0;
          }) == "orders");
    CHECK(refused([] { return mean_normal_order(0, 1); }) == "R");
    CHECK(refused([] { return mean_log_uniform_order(5, 6); }) == "k");
}
