#include "assay/rdp/one_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/privacy/dominating_pair.hpp"
#include "assay/rdp/fixed_size_with_replacement.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/general_subsampling.hpp"
#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/taylor_replace_one.hpp"
#include "assay/rdp/with_replacement_bounds.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

const std::vector<double> orders{1.0000001, 1.1, 2.0, 5.5, 20.0, 63.0, 512.0, 512.5, 9999.5};

struct Supported {
    Mechanism mechanism;
    Adjacency adjacency;
};

std::vector<Supported> supported(double sigma, double q) {
    const Mechanism poisson = SampledGaussian{sigma, q};
    const Mechanism fixed = FixedSizeGaussian{sigma, q};
    const Mechanism with = FixedSizeWithReplacementGaussian{sigma, 7, 1000};
    const Mechanism plain = Gaussian{sigma};
    return {{plain, Adjacency::add_remove}, {plain, Adjacency::replace_one},
            {plain, Adjacency::zero_out},   {poisson, Adjacency::add_remove},
            {poisson, Adjacency::zero_out}, {poisson, Adjacency::replace_one},
            {fixed, Adjacency::add_remove}, {fixed, Adjacency::replace_one},
            {with, Adjacency::add_remove}};
}

}  // namespace

TEST_CASE("every exact curve names its theorem and standing", "[one_step]") {
    const auto theorem = [](const Mechanism& m, Adjacency a) { return exact_theorem(m, a); };
    CHECK(theorem(Gaussian{1.0}, Adjacency::add_remove) == cite::mironov2017_gaussian);
    CHECK(theorem(Gaussian{1.0}, Adjacency::replace_one) == cite::mironov2017_gaussian);
    CHECK(theorem(SampledGaussian{1.0, 0.1}, Adjacency::add_remove) ==
          cite::mironov2019_theorems_4_5);
    CHECK(theorem(SampledGaussian{1.0, 0.1}, Adjacency::zero_out) ==
          cite::mironov2019_theorems_4_5);
    CHECK(theorem(SampledGaussian{1.0, 0.1}, Adjacency::replace_one) == cite::poisson_replace_one);
    CHECK(theorem(FixedSizeGaussian{1.0, 0.1}, Adjacency::add_remove) == cite::birrell2024_thm_3_1);
    CHECK(theorem(FixedSizeGaussian{1.0, 0.1}, Adjacency::replace_one) ==
          cite::fixed_size_replace_one);
    CHECK(theorem(FixedSizeWithReplacementGaussian{1.0, 2, 9}, Adjacency::add_remove) ==
          cite::with_replacement);
    CHECK_THROWS_AS(theorem(FixedSizeGaussian{1.0, 0.1}, Adjacency::zero_out),
                    UnsupportedMechanism);
    CHECK_THROWS_AS(theorem(FixedSizeWithReplacementGaussian{1.0, 2, 9}, Adjacency::replace_one),
                    UnsupportedMechanism);
}

TEST_CASE("the exact divergence of each sampler and adjacency", "[one_step]") {
    for (const double sigma : {0.3, 2.0, 100.0})
        for (const double order : {1.01, 2.5, 40.0}) {
            const double q = 0.02;
            CAPTURE(sigma, order);
            CHECK(meet(exact_rdp(SampledGaussian{sigma, q}, Adjacency::add_remove, order),
                       poisson_add_remove_rdp(order, sigma, q)));
            CHECK(meet(exact_rdp(SampledGaussian{sigma, q}, Adjacency::zero_out, order),
                       poisson_add_remove_rdp(order, sigma, q)));
            CHECK(meet(exact_rdp(SampledGaussian{sigma, q}, Adjacency::replace_one, order),
                       poisson_replace_one_rdp(order, sigma, q)));
            for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one})
                CHECK(meet(exact_rdp(FixedSizeGaussian{sigma, q}, adjacency, order),
                           fixed_size_without_replacement_rdp(order, sigma, q)));
            CHECK(meet(exact_rdp(FixedSizeWithReplacementGaussian{sigma, 7, 1000},
                                 Adjacency::add_remove, order),
                       fixed_size_with_replacement_rdp(order, sigma, 7, 1000)));
            const Wide one = Wide(order) / (2 * Wide(sigma) * Wide(sigma));
            CHECK_THAT(exact_rdp(Gaussian{sigma}, Adjacency::add_remove, order), Encloses(one));
            CHECK_THAT(exact_rdp(Gaussian{sigma}, Adjacency::zero_out, order), Encloses(one));
            CHECK_THAT(exact_rdp(Gaussian{sigma}, Adjacency::replace_one, order),
                       Encloses(4 * one));
        }
}

TEST_CASE("lower <= upper <= published, sides and standings", "[one_step]") {
    for (const double sigma : {0.05, 1.0, 6.0, 1e4})
        for (const double q : {1e-9, 0.0024, 0.6})
            for (const Supported& s : supported(sigma, q)) {
                const auto steps = one_step_rdp(s.mechanism, s.adjacency, orders);
                const auto exact = exact_rdp(s.mechanism, s.adjacency, orders);
                const auto published = published_rdp(s.mechanism, s.adjacency, orders);
                REQUIRE(steps.size() == orders.size());
                const real shift = worst_renyi_pair(s.mechanism, s.adjacency).unsampled_shift;
                for (std::size_t i = 0; i < orders.size(); ++i) {
                    const OneStep& step = steps[i];
                    CAPTURE(describe(s.mechanism), to_string(s.adjacency), orders[i]);
                    REQUIRE(step.lower.direction == Direction::lower);
                    REQUIRE(step.upper.direction == Direction::upper);
                    REQUIRE(step.published_upper.direction == Direction::upper);
                    REQUIRE(step.lower.value > 0.0);
                    REQUIRE(step.lower.value <= step.upper.value);
                    REQUIRE(step.upper.value <= step.published_upper.value);
                    REQUIRE(step.published_upper.theorem.standing == Standing::published);
                    REQUIRE(step.lower.value == exact[i].lower);
                    REQUIRE(exact[i].relative_width() <= 1e-11);
                    REQUIRE(published[i].value >= exact[i].lower);
                    // Nothing exceeds the mechanism without sampling.
                    const Wide cap = Wide(orders[i]) * Wide(shift) * Wide(shift) / 2;
                    REQUIRE(Wide(step.published_upper.value) <= cap * (1 + Wide(1e-15)));
                }
            }
}

TEST_CASE("published bounds are the best of the printed ones", "[one_step]") {
    for (const double sigma : {1.0, 6.0})
        for (const double q : {0.0024, 0.2}) {
            const auto fixed =
                published_rdp(FixedSizeGaussian{sigma, q}, Adjacency::replace_one, orders);
            const auto poisson =
                published_rdp(SampledGaussian{sigma, q}, Adjacency::replace_one, orders);
            const auto with = published_rdp(FixedSizeWithReplacementGaussian{sigma, 7, 1000},
                                            Adjacency::add_remove, orders);
            for (std::size_t i = 0; i < orders.size(); ++i) {
                const double order = orders[i];
                CAPTURE(sigma, q, order);
                const double cap = 2.0 * order / (sigma * sigma);
                if (order > 512.0) {
                    CHECK(fixed[i].value == Approx(cap).epsilon(1e-14));
                    CHECK(fixed[i].theorem == cite::unsampled_gaussian);
                    CHECK(poisson[i].value == Approx(cap).epsilon(1e-14));
                    CHECK(with[i].value == Approx(49.0 * cap).epsilon(1e-14));
                    continue;
                }
                double taylor = std::numeric_limits<double>::infinity();
                for (const int m : {3, 4, 5, 6})
                    taylor = std::min(taylor, theorem_3_4_rdp(order, sigma, m, q).upper);
                const double wang = wang_upper_rdp(order, sigma, q).upper;
                CHECK(fixed[i].value == Approx(std::min({taylor, wang, cap})).epsilon(1e-12));
                CHECK(fixed[i].theorem == (std::min(taylor, wang) >= cap ? cite::unsampled_gaussian
                                           : taylor <= wang              ? cite::birrell2024_thm_3_4
                                                                         : cite::wang2019_thm_9));
                const double printed = theorem_c_9_as_printed_rdp(order, sigma, 3, q).upper;
                CHECK(poisson[i].value == Approx(std::min(printed, cap)).epsilon(1e-12));
                double best = 49.0 * cap;
                for (const std::int64_t terms : {2, 3, 5})
                    best = std::min(best,
                                    theorem_3_6_capped_rdp(order, sigma, 4, 7, 1000, terms).upper);
                CHECK(with[i].value == Approx(best).epsilon(1e-12));
            }
        }
    // A published exact curve is its own published bound.
    const Mechanism removal = SampledGaussian{2.0, 0.01};
    const auto same = published_rdp(removal, Adjacency::add_remove, orders);
    const auto exact = exact_rdp(removal, Adjacency::add_remove, orders);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        CHECK(same[i].value == exact[i].upper);
        CHECK(same[i].theorem == cite::mironov2019_theorems_4_5);
    }
}

TEST_CASE("each number of Taylor terms is the best one somewhere", "[one_step]") {
    struct Case {
        double order, sigma, q;
        int terms;
    };
    for (const Case& p :
         {Case{1.05, 1.0, 1e-5, 3}, Case{2.0, 2.0, 0.01, 4}, Case{1.05, 8.0, 0.1, 6}}) {
        const double best = theorem_3_4_rdp(p.order, p.sigma, p.terms, p.q).upper;
        const OneStep step =
            one_step_rdp(FixedSizeGaussian{p.sigma, p.q}, Adjacency::replace_one, p.order);
        CAPTURE(p.order, p.sigma, p.q);
        CHECK(step.published_upper.value == Approx(best).epsilon(1e-12));
        for (const int m : {3, 4, 5, 6})
            if (m != p.terms)
                CHECK(theorem_3_4_rdp(p.order, p.sigma, m, p.q).lower > step.published_upper.value);
    }
}

TEST_CASE("one order and a list of orders agree", "[one_step]") {
    for (const Supported& s : supported(2.0, 0.01)) {
        const auto list = exact_rdp(s.mechanism, s.adjacency, orders);
        for (std::size_t i = 0; i < orders.size(); ++i) {
            CAPTURE(describe(s.mechanism), orders[i]);
            REQUIRE(meet(list[i], exact_rdp(s.mechanism, s.adjacency, orders[i])));
            const OneStep single = one_step_rdp(s.mechanism, s.adjacency, orders[i]);
            REQUIRE(
                single.published_upper.value ==
                Approx(published_rdp(s.mechanism, s.adjacency, orders)[i].value).epsilon(1e-11));
        }
    }
    CHECK(exact_rdp(Gaussian{1.0}, Adjacency::add_remove, std::vector<double>{}).empty());
}

TEST_CASE("sampling probability 0 releases nothing", "[one_step]") {
    for (const double order : orders) {
        CHECK(exact_rdp(SampledGaussian{1.0, 0.0}, Adjacency::replace_one, order) == exactly(0.0));
        const OneStep step =
            one_step_rdp(FixedSizeGaussian{1.0, 0.0}, Adjacency::replace_one, order);
        CHECK(step.lower.value == 0.0);
        CHECK(step.upper.value == 0.0);
    }
}

TEST_CASE("published bounds refuse bad orders too", "[one_step]") {
    for (const double order :
         {1.0, 0.0, -2.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        const std::vector<double> list{2.0, order};
        CAPTURE(order);
        CHECK_THROWS_AS(published_rdp(FixedSizeGaussian{1.0, 0.1}, Adjacency::replace_one, list),
                        DomainError);
        CHECK_THROWS_AS(published_rdp(SampledGaussian{1.0, 0.1}, Adjacency::replace_one, list),
                        DomainError);
        CHECK_THROWS_AS(published_rdp(FixedSizeWithReplacementGaussian{1.0, 3, 50},
                                      Adjacency::add_remove, list),
                        DomainError);
    }
}

TEST_CASE("bad orders, parameters and pairs are refused", "[one_step]") {
    const Mechanism fixed = FixedSizeGaussian{1.0, 0.1};
    for (const double order :
         {1.0, 0.0, -2.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        CHECK_THROWS_AS(exact_rdp(fixed, Adjacency::add_remove, order), DomainError);
        CHECK_THROWS_AS(one_step_rdp(fixed, Adjacency::replace_one, order), DomainError);
        const std::vector<double> list{2.0, order};
        CHECK_THROWS_AS(exact_rdp(fixed, Adjacency::add_remove, list), DomainError);
    }
    CHECK_THROWS_AS(exact_rdp(fixed, Adjacency::zero_out, 2.0), UnsupportedMechanism);
    CHECK_THROWS_AS(published_rdp(fixed, Adjacency::zero_out, orders), UnsupportedMechanism);
    CHECK_THROWS_AS(exact_rdp(FixedSizeGaussian{1.0, 1.0}, Adjacency::add_remove, 2.0),
                    DomainError);
    CHECK_THROWS_AS(exact_rdp(Gaussian{-1.0}, Adjacency::add_remove, 2.0), DomainError);
}

TEST_CASE("noise however small: the unsampled divergence less the rarity of the record",
          "[one_step]") {
    for (const double sigma : {1e-5, 1e-12, 1e-19, 1e-50, 1e-150})
        for (const auto& [mechanism, adjacency] : supported(sigma, 0.1)) {
            const real shift = worst_renyi_pair(mechanism, adjacency).unsampled_shift;
            const std::vector<Enclosure> curve = exact_rdp(mechanism, adjacency, orders);
            for (std::size_t i = 0; i < orders.size(); ++i) {
                CAPTURE(sigma, to_string(adjacency), orders[i]);
                const Wide whole = Wide(orders[i]) / 2 * Wide(shift) * Wide(shift);
                // Replace-one of Poisson batches is no more than one shift where q < 1.
                CHECK(Wide(curve[i].upper) <= whole * (1 + Wide(1e-12)));
                const bool known = !std::holds_alternative<SampledGaussian>(mechanism) ||
                                   adjacency != Adjacency::replace_one;
                const Wide least = (known ? whole : whole / 4) +
                                   Wide(orders[i]) / (Wide(orders[i]) - 1) * 7 * log(Wide(1e-3));
                CHECK(Wide(curve[i].upper) >= least);
                CHECK(curve[i].lower <= curve[i].upper);
                const Enclosure alone = exact_rdp(mechanism, adjacency, orders[i]);
                CHECK(meet(alone, curve[i]));
            }
        }
}
