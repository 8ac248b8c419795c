#include "assay/epochs/integer_order_rdp.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

/// E_Q[W^a] as a! T^-a [z^a] of the T-th power of sum_j e^{j(j-1)/(2s^2)} z^j/j!, in the open, by
/// repeated squaring.
Digits100 moment(double s, std::int64_t steps, int order) {
    using Series = std::vector<Digits100>;
    const auto multiply = [&](const Series& a, const Series& b) {
        Series c(a.size(), Digits100(0));
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t j = 0; i + j < a.size(); ++j) c[i + j] += a[i] * b[j];
        return c;
    };
    Series base;
    Digits100 factorial = 1;
    for (int j = 0; j <= order; ++j) {
        if (j > 0) factorial *= j;
        base.push_back(exp(Digits100(j) * (j - 1) / (2 * Digits100(s) * s)) / factorial);
    }
    Series power(base.size(), Digits100(0));
    power[0] = 1;
    for (std::int64_t n = steps; n > 0; n /= 2) {
        if (n % 2 == 1) power = multiply(power, base);
        base = multiply(base, base);
    }
    return power.back() * factorial / pow(Digits100(steps), order);
}

}  // namespace

TEST_CASE("integer orders at independent values", "[integer_order_rdp]") {
    struct Case {
        std::int64_t steps;
        double s;
        const char* value;
    };
    for (const Case& c :
         {Case{36133, 0.4, "0.014207203052703325"}, Case{5000, 0.4, "0.098398646426328594"},
          Case{1000, 1.0, "0.0017168072711330981"}, Case{10, 0.7, "0.51263737018409003"},
          Case{1000000, 0.25, "2.291130693167311"}}) {
        CAPTURE(c.steps, c.s);
        CHECK_THAT(balls_and_bins_integer_order_rdp({c.s, c.steps}, 2), encloses_printed(c.value));
    }
}

TEST_CASE("integer orders by repeated squaring", "[integer_order_rdp]") {
    Random random(53);
    CAPTURE(random.seed());
    for (int i = 0; i < 12 * effort(); ++i) {
        const double s = random.log_uniform(0.2, 20.0);
        const auto steps = static_cast<std::int64_t>(random.log_uniform(1.0, 1e9));
        const int order = random.integer(2, 24);
        CAPTURE(s, steps, order);
        const Digits100 truth = log(moment(s, steps, order)) / (order - 1);
        CHECK_THAT(balls_and_bins_integer_order_rdp({s, steps}, order), Encloses(Wide(truth)));
    }
    // Fewer steps than half the order.
    CHECK_THAT(balls_and_bins_integer_order_rdp({0.9, 3}, 40),
               Encloses(Wide(log(moment(0.9, 3, 40)) / 39)));
}

TEST_CASE("one step is the Gaussian", "[integer_order_rdp]") {
    for (const int order : {2, 3, 100, 256})
        CHECK_THAT(balls_and_bins_integer_order_rdp({0.7, 1}, order),
                   Encloses(Wide(order) / (2 * Wide(0.7) * 0.7)));
    for (const int bad : {1, 257})
        CHECK(refused([&] { return balls_and_bins_integer_order_rdp({1.0, 5}, bad); }) == "alpha");
}
