#include "assay/rdp/epsilon_bracket.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

struct Task {
    std::vector<Phase> phases;
    Adjacency adjacency;
};

std::vector<Task> tasks() {
    const Mechanism poisson = SampledGaussian{2.0, 0.01};
    const Mechanism fixed = FixedSizeGaussian{6.0, 0.0024};
    const Mechanism with = FixedSizeWithReplacementGaussian{6.0, 12, 5000};
    const Mechanism plain = Gaussian{30.0};
    return {{{{poisson, 2000}}, Adjacency::add_remove},
            {{{poisson, 2000}}, Adjacency::replace_one},
            {{{poisson, 50}}, Adjacency::zero_out},
            {{{fixed, 104166}}, Adjacency::replace_one},
            {{{fixed, 1000}}, Adjacency::add_remove},
            {{{with, 3000}}, Adjacency::add_remove},
            {{{plain, 100}}, Adjacency::replace_one},
            {{{poisson, 500}, {fixed, 5000}, {plain, 3}}, Adjacency::add_remove},
            {{{poisson, 500}, {fixed, 5000}}, Adjacency::replace_one}};
}

}  // namespace

TEST_CASE("lower <= upper <= published upper, with sides and standings", "[epsilon_bracket]") {
    for (const Task& task : tasks())
        for (const double delta : {1e-10, 1e-5}) {
            CAPTURE(describe(task.phases.front().mechanism), to_string(task.adjacency), delta);
            const PrivacyBracket any = epsilon_bracket(task.phases, task.adjacency, delta);
            CHECK(any.lower.value >= 0.0);
            CHECK(any.lower.value <= any.upper.value);
            CHECK(any.upper.value <= any.published_upper.value);
            CHECK(any.lower.direction == Direction::lower);
            CHECK(any.upper.direction == Direction::upper);
            CHECK(any.published_upper.theorem.standing == Standing::published);
            CHECK(std::isfinite(any.published_upper.value));
            const PrivacyBracket published =
                epsilon_bracket(task.phases, task.adjacency, delta, StandingFilter::published);
            CHECK(published.upper.value == published.published_upper.value);
            CHECK(published.upper.value == any.published_upper.value);
        }
}

TEST_CASE("epsilon and delta answers are consistent", "[epsilon_bracket]") {
    for (const Task& task : tasks())
        for (const double delta : {1e-9, 1e-4}) {
            CAPTURE(describe(task.phases.front().mechanism), to_string(task.adjacency), delta);
            const PrivacyBracket epsilon = epsilon_bracket(task.phases, task.adjacency, delta);
            if (epsilon.upper.value == 0.0) continue;
            const PrivacyBracket at_upper =
                delta_bracket(task.phases, task.adjacency, epsilon.upper.value);
            // The same optimum seen from the other side.
            CHECK(at_upper.upper.value <= delta * (1.0 + 1e-3));
            CHECK(at_upper.upper.value >= delta * 0.9);
            CHECK(at_upper.lower.value <= delta);
            const PrivacyBracket at_lower =
                delta_bracket(task.phases, task.adjacency, epsilon.lower.value);
            CHECK(at_lower.upper.value >= delta);
            CHECK(at_lower.lower.value <= at_lower.upper.value);
        }
}

TEST_CASE("plain Gaussian phases are answered exactly", "[epsilon_bracket]") {
    const std::vector<Phase> phases{{Gaussian{10.0}, 64}, {Gaussian{5.0}, 9}};
    // Squared shifts: 64/100 + 9/25 = 1; four times that for an exchange.
    struct Case {
        Adjacency adjacency;
        int square;
    };
    for (const Case& p : {Case{Adjacency::add_remove, 1}, Case{Adjacency::zero_out, 1},
                          Case{Adjacency::replace_one, 4}})
        for (const double delta : {1e-12, 1e-5, 0.01}) {
            const PrivacyBracket answer = epsilon_bracket(phases, p.adjacency, delta);
            CAPTURE(p.square, delta, answer.lower.value, answer.upper.value);
            CHECK(gaussian_delta_wide(1, p.square, answer.lower.value) >= Wide(delta));
            CHECK(gaussian_delta_wide(1, p.square, answer.upper.value) <= Wide(delta));
            CHECK(answer.upper.value - answer.lower.value <= 1e-10 * answer.upper.value);
            CHECK(answer.upper.theorem == cite::balle2018_gaussian);
            CHECK(answer.lower.theorem == cite::balle2018_gaussian);
            const PrivacyBracket back = delta_bracket(phases, p.adjacency, answer.upper.value);
            const Wide exact = gaussian_delta_wide(1, p.square, answer.upper.value);
            CHECK(Wide(back.lower.value) <= exact);
            CHECK(exact <= Wide(back.upper.value));
            CHECK(back.upper.value - back.lower.value <= 1e-9 * delta);
            // On a grid of orders only the conversion is asked for, which is larger.
            const PrivacyBracket grid =
                epsilon_bracket_on_grid(phases, p.adjacency, delta, opacus_orders());
            CHECK(grid.upper.value > answer.upper.value);
            CHECK(grid.lower.value <= grid.upper.value);
        }
}

TEST_CASE("on a grid: the least of canonne2020 over the composed orders", "[epsilon_bracket]") {
    const std::vector<double> orders = opacus_orders();
    const std::vector<Phase> cifar{{FixedSizeGaussian{6.0, 0.0024}, 104166}};
    const PrivacyBracket answer =
        epsilon_bracket_on_grid(cifar, Adjacency::replace_one, 1e-5, orders);
    // independent 30-digit values: exact curve; Theorem 3.4 with m = 4
    CHECK(answer.upper.value == Approx(1.08384437963046927521973814345).epsilon(1e-12));
    CHECK(answer.upper_order == 17.0);
    CHECK(answer.upper.theorem == cite::fixed_size_replace_one);
    CHECK(answer.published_upper.value <= 1.11804801684208107412799970810 * (1.0 + 1e-12));
    CHECK(answer.published_upper.value >= 1.0838);
    const std::vector<Phase> other{{FixedSizeGaussian{2.0, 0.01}, 1000}};
    CHECK(epsilon_bracket_on_grid(other, Adjacency::add_remove, 1e-6, orders).upper.value ==
          Approx(2.43669380302214324932111862603).epsilon(1e-12));
    const std::vector<Phase> poisson{{SampledGaussian{6.0, 0.0024}, 104166}};
    CHECK(epsilon_bracket_on_grid(poisson, Adjacency::add_remove, 1e-5, orders).upper.value ==
          Approx(0.498794901001068785964104514453).epsilon(1e-12));
    // Several phases: sums of steps times one-step values, order by order.
    const std::vector<Phase> several{{SampledGaussian{2.0, 0.01}, 700},
                                     {FixedSizeGaussian{6.0, 0.0024}, 9000}};
    double least = infinity;
    for (const double order : orders) {
        const double sum =
            700.0 * exact_rdp(several[0].mechanism, Adjacency::add_remove, order).upper +
            9000.0 * exact_rdp(several[1].mechanism, Adjacency::add_remove, order).upper;
        least = std::min(least, canonne2020_epsilon(order, exactly(sum), 1e-6).upper);
    }
    CHECK(epsilon_bracket_on_grid(several, Adjacency::add_remove, 1e-6, orders).upper.value ==
          Approx(least).epsilon(1e-10));
}

TEST_CASE("a composition rests on the weakest standing among its phases", "[epsilon_bracket]") {
    // Under replace-one the Gaussian's curve is published and the sampled one's is ours.
    const Phase published{Gaussian{50.0}, 1};
    const Phase ours{FixedSizeGaussian{6.0, 0.0024}, 9000};
    for (const std::vector<Phase>& phases : {std::vector{published, ours}, {ours, published}}) {
        const PrivacyBracket answer = epsilon_bracket(phases, Adjacency::replace_one, 1e-5);
        REQUIRE(answer.upper.value < answer.published_upper.value);
        CHECK(answer.upper.theorem.standing == Standing::ours);
        CHECK(answer.published_upper.theorem.standing == Standing::published);
    }
    for (const std::vector<Phase>& phases :
         {std::vector{published}, {published, Phase{SampledGaussian{2.0, 0.01}, 10}}})
        CHECK(epsilon_bracket(phases, Adjacency::add_remove, 1e-5).upper.theorem.standing ==
              Standing::published);
}

TEST_CASE("the continuous minimum is not above the grid's", "[epsilon_bracket]") {
    for (const Task& task : tasks())
        for (const double delta : {1e-12, 1e-5}) {
            CAPTURE(describe(task.phases.front().mechanism), to_string(task.adjacency), delta);
            const double grid =
                epsilon_bracket_on_grid(task.phases, task.adjacency, delta, opacus_orders())
                    .upper.value;
            CHECK(epsilon_bracket(task.phases, task.adjacency, delta).upper.value <=
                  grid * (1.0 + 1e-6));
        }
}

TEST_CASE("composition: parts of one mechanism, and more of everything", "[epsilon_bracket]") {
    const Mechanism poisson = SampledGaussian{2.0, 0.01};
    const std::vector<Phase> whole{{poisson, 3000}};
    const std::vector<Phase> parts{{poisson, 1000}, {poisson, 2000}};
    const std::vector<Phase> more{{poisson, 3000}, {Gaussian{50.0}, 1}};
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
        const PrivacyBracket a = epsilon_bracket(whole, adjacency, 1e-6);
        const PrivacyBracket b = epsilon_bracket(parts, adjacency, 1e-6);
        const PrivacyBracket c = epsilon_bracket(more, adjacency, 1e-6);
        CHECK(a.upper.value == Approx(b.upper.value).epsilon(1e-9));
        CHECK(a.lower.value == Approx(b.lower.value).epsilon(1e-6));
        CHECK(c.upper.value > a.upper.value);
        CHECK(c.lower.value <= c.upper.value);
    }
    double before = 0.0;
    for (const std::int64_t steps :
         {std::int64_t{1}, std::int64_t{100}, std::int64_t{10000}, std::int64_t{1000000}}) {
        const std::vector<Phase> phases{{FixedSizeGaussian{6.0, 0.0024}, steps}};
        const double here = epsilon_bracket(phases, Adjacency::replace_one, 1e-5).upper.value;
        CHECK(here > before);
        before = here;
    }
}

TEST_CASE("the weakest theorem speaks for a composition", "[epsilon_bracket]") {
    const std::vector<Phase> mixed{{SampledGaussian{2.0, 0.01}, 100},
                                   {FixedSizeWithReplacementGaussian{6.0, 12, 5000}, 100},
                                   {Gaussian{50.0}, 1}};
    const PrivacyBracket answer = epsilon_bracket(mixed, Adjacency::add_remove, 1e-5);
    CHECK(answer.upper.theorem == cite::with_replacement);
    CHECK(answer.published_upper.theorem.standing == Standing::published);
}

TEST_CASE("with replacement at the papers' parameters", "[epsilon_bracket]") {
    // Total epsilon 6.20 at delta = 1e-5 over 104166 steps of 120 draws from 50000 at sigma = 6.
    const std::vector<Phase> phases{{FixedSizeWithReplacementGaussian{6.0, 120, 50000}, 104166}};
    const PrivacyBracket answer = epsilon_bracket(phases, Adjacency::add_remove, 1e-5);
    CHECK(answer.upper.value <= 6.205);
    CHECK(answer.upper.value > 0.9);
    CHECK(answer.lower.value <= answer.upper.value);
}

TEST_CASE("nothing released, nothing certified", "[epsilon_bracket]") {
    const std::vector<Phase> silent{{SampledGaussian{2.0, 0.0}, 1000}};
    const PrivacyBracket none = epsilon_bracket(silent, Adjacency::add_remove, 1e-5);
    CHECK(none.upper.value == 0.0);
    CHECK(none.lower.value == 0.0);
    CHECK(none.lower.status == Status::vacuous);
    CHECK(delta_bracket(silent, Adjacency::add_remove, 0.5).upper.value <= 1e-300);
}

TEST_CASE("extreme steps, noise and deltas keep their sides", "[epsilon_bracket]") {
    for (const Mechanism& m :
         {Mechanism(SampledGaussian{0.05, 1e-9}), Mechanism(SampledGaussian{1e4, 1.0 - 1e-9}),
          Mechanism(FixedSizeGaussian{1e4, 1e-9}), Mechanism(Gaussian{0.05}),
          Mechanism(FixedSizeWithReplacementGaussian{1.0, 50, 1'000'000'000'000})})
        for (const std::int64_t steps : {std::int64_t{1}, std::int64_t{1'000'000'000}})
            for (const double delta : {1e-300, 0.5}) {
                CAPTURE(describe(m), steps, delta);
                const std::vector<Phase> phases{{m, steps}};
                const PrivacyBracket e = epsilon_bracket(phases, Adjacency::add_remove, delta);
                CHECK(e.lower.value >= 0.0);
                CHECK(e.lower.value <= e.upper.value);
                CHECK(std::isfinite(e.upper.value));
                const PrivacyBracket d = delta_bracket(phases, Adjacency::add_remove, 1.0);
                CHECK(d.lower.value <= d.upper.value);
                CHECK(d.upper.value <= 1.0);
            }
}

TEST_CASE("brackets refuse bad questions by name", "[epsilon_bracket]") {
    const auto refused = [](const auto& call) -> std::string {
        try {
            static_cast<void>(call());
        } catch (const DomainError& error) {
            return error.parameter();
        }
        return "";
    };
    const std::vector<Phase> good{{SampledGaussian{2.0, 0.01}, 10}};
    const std::vector<Phase> no_steps{{SampledGaussian{2.0, 0.01}, 0}};
    const std::vector<Phase> no_noise{{SampledGaussian{0.0, 0.01}, 10}};
    const std::vector<Phase> empty;
    const auto epsilon = [&](const std::vector<Phase>& p, double delta) {
        return refused([&] { return epsilon_bracket(p, Adjacency::add_remove, delta); });
    };
    for (const double delta : {0.0, 1.0, -1.0, std::nan("")})
        CHECK(epsilon(good, delta) == "delta");
    CHECK(epsilon(empty, 0.1) == "phase");
    CHECK(epsilon(no_steps, 0.1) == "steps");
    CHECK(epsilon(no_noise, 0.1) == "noise-multiplier");
    for (const double e : {-0.1, std::nan(""), infinity})
        CHECK(refused([&] { return delta_bracket(good, Adjacency::add_remove, e); }) == "epsilon");
    CHECK(refused([&] {
              return epsilon_bracket_on_grid(good, Adjacency::add_remove, 0.1,
                                             std::vector<double>{});
          }) == "orders");
    const std::vector<double> bad_order{2.0, 1.0};
    CHECK_THROWS_AS(epsilon_bracket_on_grid(good, Adjacency::add_remove, 0.1, bad_order),
                    DomainError);
    const std::vector<Phase> fixed{{FixedSizeGaussian{2.0, 0.01}, 10}};
    const std::vector<Phase> with{{FixedSizeWithReplacementGaussian{2.0, 5, 100}, 10}};
    CHECK_THROWS_AS(epsilon_bracket(fixed, Adjacency::zero_out, 0.1), UnsupportedMechanism);
    CHECK_THROWS_AS(epsilon_bracket(with, Adjacency::replace_one, 0.1), UnsupportedMechanism);
    CHECK_THROWS_AS(delta_bracket(with, Adjacency::zero_out, 0.1), UnsupportedMechanism);
    // One phase without a theorem spoils the composition.
    const std::vector<Phase> mixed{{SampledGaussian{2.0, 0.01}, 10},
                                   {FixedSizeGaussian{2.0, 0.01}, 10}};
    CHECK_THROWS_AS(epsilon_bracket(mixed, Adjacency::zero_out, 0.1), UnsupportedMechanism);
}

TEST_CASE("noise however small has a finite bracket, and soon", "[epsilon_bracket]") {
    for (const double noise : {1e-100, 1e-12, 1e-5, 9e-4}) {
        for (const Mechanism& mechanism :
             {Mechanism{SampledGaussian{noise, 0.1}}, Mechanism{FixedSizeGaussian{noise, 0.1}},
              Mechanism{FixedSizeWithReplacementGaussian{noise, 3, 30}}}) {
            CAPTURE(noise);
            const Phase phase{mechanism, 10};
            const PrivacyBracket epsilon =
                epsilon_bracket({&phase, 1}, Adjacency::add_remove, 1e-5);
            CHECK(epsilon.upper.status == Status::certified);
            CHECK(epsilon.lower.value > 1e3);
            // Ten steps at order a -> 1 alone reach 10 (1 + log q ...) c^2 / 2: far above this.
            CHECK(epsilon.upper.value > 1.0 / (noise * noise));
            CHECK(epsilon.lower.value <= epsilon.upper.value);
            const PrivacyBracket delta = delta_bracket({&phase, 1}, Adjacency::add_remove, 1.0);
            CHECK(delta.upper.value == 1.0);
            CHECK(delta.lower.value > 0.5);
        }
    }
    const Phase least{SampledGaussian{1e-300, 0.1}, 10};
    const PrivacyBracket beyond = epsilon_bracket({&least, 1}, Adjacency::add_remove, 1e-5);
    CHECK(beyond.upper.status == Status::vacuous);
}

TEST_CASE("very many Gaussian phases are as many steps of one", "[epsilon_bracket]") {
    // Their squared shifts add up to 1.2e-15 too much: more than the rounding of a double.
    const std::vector<Phase> many(100'000, Phase{Gaussian{1.7}, 1});
    const Phase one{Gaussian{1.7}, 100'000};
    const std::vector<double> order{2.0};
    const auto lower = [&](std::span<const Phase> phases) {
        return epsilon_bracket_on_grid(phases, Adjacency::add_remove, 1e-5, order).lower.value;
    };
    CHECK(lower(many) <= lower({&one, 1}));
    CHECK(lower(many) >= lower({&one, 1}) * (1.0 - 1e-12));
}
