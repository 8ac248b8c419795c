#include "assay/account/privacy_filter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "assay/account/one_accountant.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"

using namespace assay;

namespace {

/// Conversion of canonne2020 Proposition 12, written anew in double.
double converted(double order, double rdp, double delta) {
    const double epsilon =
        rdp + std::log1p(-1.0 / order) - (std::log(delta) + std::log(order)) / (order - 1.0);
    return std::max(0.0, epsilon);
}

double normal_below(double x) {
    return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

/// Hockey-stick divergence of N(mu, 1) against N(0, 1); any epsilon.
double plain_gaussian_delta(double mu, double epsilon) {
    return normal_below(mu / 2 - epsilon / mu) -
           std::exp(epsilon) * normal_below(-mu / 2 - epsilon / mu);
}

}  // namespace

TEST_CASE("equal Gaussian steps end where the conversion says", "[filter]") {
    const double order = 9.0;
    const double sigma = 20.0;
    const PrivacyTarget target{2.0, 1e-5};
    PrivacyFilter filter(Adjacency::add_remove, target, {order});
    int steps = 0;
    while (filter.admit({Gaussian{sigma}, 1})) ++steps;
    const auto rdp = [&](int n) { return n * order / (2 * sigma * sigma); };
    CHECK(converted(order, rdp(steps), target.delta) <= target.epsilon);
    CHECK(converted(order, rdp(steps + 1), target.delta) > target.epsilon);
    CHECK(filter.spent_epsilon() == Approx(converted(order, rdp(steps), target.delta)));
    CHECK(filter.phases().size() == 1);
    CHECK(filter.phases().front().repetitions == steps);
    CHECK(filter.theorem() == cite::feldman2021_filter);
    // A refusal changes nothing: a step that fits is admitted afterwards.
    CHECK(filter.admits({Gaussian{1e6}, 1}));
    CHECK_FALSE(filter.admit({Gaussian{sigma}, 1}));
    CHECK(filter.admit({Gaussian{1e6}, 1}));
}

TEST_CASE("several orders share delta", "[filter]") {
    const PrivacyTarget target{3.0, 1e-4};
    PrivacyFilter filter(Adjacency::zero_out, target, {16.0, 4.0});
    CHECK(filter.theorem() == cite::privacy_filter);
    REQUIRE(filter.admit({Gaussian{3.0}, 2}));
    const double half = target.delta / 2;
    const auto at = [&](double order) { return converted(order, order / 9.0, half); };
    CHECK(filter.spent_epsilon() == Approx(std::min(at(4.0), at(16.0))).epsilon(1e-9));
}

TEST_CASE("an order may take over from another", "[filter]") {
    // Poisson steps of little noise exceed every budget at a high order and none at a low one.
    const PrivacyTarget target{6.0, 1e-5};
    PrivacyFilter filter(Adjacency::add_remove, target, {3.0, 40.0});
    CHECK(filter.admit({Gaussian{8.0}, 1}));
    CHECK(filter.admit({SampledGaussian{0.6, 1e-4}, 50}));
    PrivacyFilter high(Adjacency::add_remove, target, {40.0});
    CHECK(high.admit({Gaussian{8.0}, 1}));
    CHECK_FALSE(high.admit({SampledGaussian{0.6, 1e-4}, 50}));
}

TEST_CASE("the order of a plan admits all of it, and hardly more", "[filter]") {
    const Release plan{Adjacency::add_remove, {{SampledGaussian{1.1, 0.01}, 2000}}};
    const double delta = 1e-6;
    const double epsilon = epsilon_by(Accountant::renyi, plan, delta, {}).upper.value;
    const std::vector<double> orders = filter_orders(plan, delta);
    PrivacyFilter filter(plan.adjacency, {epsilon * 1.0001, delta}, orders);
    CHECK(filter.admit(plan.phases.front()));
    CHECK_FALSE(filter.admit({SampledGaussian{1.1, 0.01}, 20}));
}

TEST_CASE("an adaptive run stays within the target", "[filter]") {
    // One step, then the largest step that is admitted, or none, as the first output decides. The
    // hockey-stick divergence of the whole by quadrature over the first output.
    const PrivacyTarget target{1.0, 1e-2};
    for (const std::vector<double>& orders :
         {std::vector<double>{6.0}, std::vector<double>{3.0, 6.0, 12.0, 24.0}}) {
        PrivacyFilter filter(Adjacency::add_remove, target, orders);
        const double first = 4.0;
        REQUIRE(filter.admit({Gaussian{first}, 1}));
        double low = 0.1;  // noise that is refused
        double high = 1e4;
        for (int i = 0; i < 60; ++i) {
            const double middle = std::sqrt(low * high);
            (filter.admits({Gaussian{middle}, 1}) ? high : low) = middle;
        }
        const double mu = 1.0 / first;
        for (const double threshold : {-1.0, -0.25, 0.0, 0.25, 1.0}) {
            double delta = 0.0;
            const double step = 1e-3;
            for (double y = -9.0; y < 9.0; y += step) {
                const double p = std::exp(-0.5 * (y - mu) * (y - mu)) / std::sqrt(2 * M_PI);
                const double loss = mu * y - 0.5 * mu * mu;
                const double left = target.epsilon - loss;
                delta += step * p *
                         (loss > threshold ? plain_gaussian_delta(1.0 / high, left)
                                           : std::max(0.0, -std::expm1(left)));
            }
            CHECK(delta <= target.delta);
            if (threshold == -1.0) CHECK(delta > 0.02 * target.delta);  // the bound is not idle
        }
    }
}

TEST_CASE("what a filter refuses to be asked", "[filter]") {
    const auto make = [](double epsilon, double delta, std::vector<double> orders) {
        return PrivacyFilter(Adjacency::zero_out, {epsilon, delta}, std::move(orders));
    };
    CHECK_THROWS_AS(make(-1.0, 1e-5, {2.0}), DomainError);
    CHECK_THROWS_AS(make(1.0, 0.0, {2.0}), DomainError);
    CHECK_THROWS_AS(make(1.0, 1e-5, {}), DomainError);
    CHECK_THROWS_AS(make(1.0, 1e-5, {1.0}), DomainError);
    CHECK_THROWS_AS(make(1.0, 1e-5, {2.0, 2.0}), DomainError);
    PrivacyFilter filter = make(1.0, 1e-5, {2.0});
    CHECK_THROWS_AS(filter.admit({BallsAndBins{1.0, 10}, 1}), DomainError);
    CHECK_THROWS_AS(filter.admit({Gaussian{0.0}, 1}), DomainError);
    CHECK_THROWS_AS(filter.admit({Gaussian{1.0}, 0}), DomainError);
    CHECK(filter.phases().empty());
    CHECK(filter.spent_epsilon() == 0.0);
}
