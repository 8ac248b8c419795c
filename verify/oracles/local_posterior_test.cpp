#include "verify/oracles/local_posterior.hpp"

#include "verify/oracles/integer_order_expect.hpp"

using namespace assay::verify;

namespace {

constexpr long posterior_bits = 96;

}  // namespace

// Independent values (another program, 22 digits), at kappa = 0.9 as a decimal.
TEST_CASE("posterior means and gradients meet shared values", "[local_posterior]") {
    const LocalAnswers two{2, 1.0, 0.9, {{}, {}, {0}, {}, {1}, {1}}, {0, 0, 0, 1, 0, 0}};
    const LocalMoments moments = local_moments(two, {2, 1}, posterior_bits);
    CHECK(agrees(moments.mean[0], "0.7865557991596073761375", 64, "1e-15"));
    CHECK(agrees(moments.mean[1], "0.2134442008403926238625", 64, "1e-15"));
    const LocalAnswers three{3, 5.0, 0.9, {{}, {1, 2}, {}, {}, {}}, {0, 0, 1, 2, 2}};
    CHECK(agrees(local_gradient(three, {27, 20, 35}, 10.0, {0.5, 2, 0.5}, 0, posterior_bits),
                 "-1.060295245418640104631", 64, "1e-14"));
    CHECK(agrees(local_gradient(three, {27, 20, 35}, 10.0, {0.5, 2, 0.5}, 1, posterior_bits),
                 "-0.6096853584524109833116", 64, "1e-14"));
}

TEST_CASE("without answers the posterior is the prior", "[local_posterior]") {
    const LocalMoments moments = local_moments({3, 1.0, 0.5, {}, {}}, {1, 2, 5}, posterior_bits);
    CHECK(moments.log_marginal_likelihood.is_zero());
    CHECK(moments.mean[2].lower_double() <= 0.625);
    CHECK(moments.mean[2].upper_double() >= 0.625);
    // rho_i (sum - rho_i) / (sum^2 (sum + 1))
    CHECK(agrees(moments.variance[0], "0.01215277777777777777777777777777777", 64, "1e-29"));
    CHECK(agrees(moments.variance[2], "0.02604166666666666666666666666666666", 64, "1e-29"));
}

TEST_CASE("the gradient of the prior alone is (rho - 1)/phi - 1", "[local_posterior]") {
    const Interval gradient =
        local_gradient({2, 1.0, 0.5, {}, {}}, {5, 20}, 10.0, {3, 0.5}, 0, posterior_bits);
    CHECK(agrees(gradient, "3", 64));
    CHECK(gradient.relative_width() < 0x1p-90);
}

// One answer y = x with S empty: theta_y has the coefficient p, the others s.
TEST_CASE("one answer is a mixture of two Dirichlet distributions", "[local_posterior]") {
    const LocalAnswers one{3, 1.0, 0.5, {{}}, {0}};
    const Interval e = exp(Interval(1.0, posterior_bits));
    const Interval p = e / (e + 2.0);
    const Interval s = 1.0 / (e + 2.0);
    const LocalMoments moments = local_moments(one, {1, 1, 2}, posterior_bits);
    CHECK(overlap(moments.log_marginal_likelihood, log(0.25 * p + 0.75 * s)));
    CHECK(overlap(moments.mean[0], (2.0 * p + 3.0 * s) / 5.0 / (p + 3.0 * s)));
    CHECK(overlap(local_log_likelihood(one, {1, 1, 2}, posterior_bits), log(0.25 * p + 0.75 * s)));
}
