#include <algorithm>
#include <array>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/pld/pld_accountant.hpp"
#include "assay/pld/tilted_bracket.hpp"
#include "assay/rdp/epsilon_bracket.hpp"
#include "assay/rdp/one_step.hpp"
#include "verify/checks/law_parts.hpp"
#include "verify/checks/spaces.hpp"

// No lower bound exceeds an upper bound of the same number, whichever accountant gave either, over
// the widest ranges that are admitted.

namespace assay::verify {

namespace {

/// sampler 0..3: none, Poisson, fixed size without and with replacement (draws = 1 .. 1000 of
/// draws/q records); adjacency 0..2.
Mechanism sampler_at(const Point& p) {
    const double sigma = p["sigma"];
    const double q = p["q"];
    switch (p.integer("sampler")) {
        case 0: return Gaussian{sigma};
        case 1: return SampledGaussian{sigma, q};
        case 2: return FixedSizeGaussian{sigma, q};
        default: break;
    }
    const double draws = p["draws"];
    const double size = std::clamp(std::round(draws / q), draws + 1.0, 1e12);
    return FixedSizeWithReplacementGaussian{sigma, static_cast<std::int64_t>(draws),
                                            static_cast<std::int64_t>(size)};
}

Adjacency adjacency_at(const Point& p) {
    constexpr std::array adjacencies{Adjacency::add_remove, Adjacency::replace_one,
                                     Adjacency::zero_out};
    return adjacencies[static_cast<std::size_t>(p.integer("adjacency"))];
}

/// A theorem covers the sampler under the adjacency.
bool is_covered(const Point& p) {
    const long adjacency = p.integer("adjacency");
    if (p.integer("sampler") == 3) return adjacency == 0;
    return p.integer("sampler") != 2 || adjacency != 2;
}

Space space(int last_sampler, std::vector<Dimension> asked) {
    Space all{{{"sampler", Scale::linear, 0, double(last_sampler), true, {0, 1, 2, 3}},
               {"adjacency", Scale::linear, 0, 2, true, {0, 1, 2}},
               {"sigma",
                Scale::logarithmic,
                1e-8,
                1e6,
                false,
                {1e-8, 7e-6, 1e-3, 0.004, 0.006, 0.008, 0.0094, 0.05, 0.3, 1.0, 10.0, 1e4}},
               {"q",
                Scale::probability,
                1e-12,
                largest_probability,
                false,
                {1e-12, 1e-6, 0.001, 0.3, 0.5, 0.99, largest_probability}}},
              is_covered};
    std::erase_if(all.dimensions[0].corners, [&](double x) { return x > last_sampler; });
    for (Dimension& dimension : asked) all.dimensions.push_back(std::move(dimension));
    return all;
}

Dimension steps(double most) {
    return count_dimension("T", 1, most, {1, 2, 3, 1000});
}
Dimension far_deltas() {
    return positive_dimension("delta", 1e-300, 0.999, {1e-300, 1e-100, 1e-5, 0.3, 0.999});
}
Dimension far_epsilons() {
    return {"eps", Scale::logarithmic,
            1e-6,  1e6,
            false, {0.0, 1e-6, 1.0, 30.0, 500.0, 11340.0, 11356.0, 12000.0, 1e6}};
}
Dimension draws() {
    return count_dimension("draws", 1, 1000, {1, 2, 5, 1000});
}

/// The smallest and the largest of what several accountants say of one number.
struct Agreed {
    double lower = 0.0;
    double upper = std::numeric_limits<double>::infinity();
    void add(double low, double high) {
        lower = std::max(lower, low);
        upper = std::min(upper, high);
    }
};

/// Coarse grids are bounds as well, and quick.
constexpr PldOptions coarse{
    .relative_gap = 0.05, .smallest_delta = 1e-12, .most_bytes = std::size_t{1} << 22U};

/// Privacy loss distributions admit the sampler, and take less than a second: one step has a closed
/// form, several need many grids where there is little noise or delta is far below 1e-30.
bool has_distributions(const Point& p) {
    const bool is_quick = p["sigma"] >= 0.3 && (!p.has("delta") || p["delta"] >= 1e-30);
    return p.integer("sampler") != 3 && (p["T"] == 1.0 || is_quick);
}

Agreed agreed_epsilon(const Point& p) {
    const Phase phase{sampler_at(p), p.integer("T")};
    const PrivacyBracket renyi = epsilon_bracket({&phase, 1}, adjacency_at(p), p["delta"]);
    Agreed agreed{renyi.lower.value, std::min(renyi.upper.value, renyi.published_upper.value)};
    if (has_distributions(p)) {
        const EpsilonBracket found = pld_epsilon({&phase, 1}, adjacency_at(p), p["delta"], coarse);
        agreed.add(found.lower.value, found.upper.value);
    }
    return agreed;
}

Agreed agreed_delta(const Point& p) {
    const Phase phase{sampler_at(p), p.integer("T")};
    const double epsilon = p["eps"];
    const PrivacyBracket renyi = delta_bracket({&phase, 1}, adjacency_at(p), epsilon);
    Agreed agreed{renyi.lower.value, std::min(renyi.upper.value, renyi.published_upper.value)};
    if (has_distributions(p)) {
        const DeltaBracket found =
            pld_delta({&phase, 1}, adjacency_at(p), {&epsilon, 1}, coarse).points.front();
        agreed.add(found.lower.value, found.upper.value);
    }
    return agreed;
}

Agreed agreed_divergence(const Point& p) {
    const OneStep step = one_step_rdp(sampler_at(p), adjacency_at(p), p["alpha"]);
    return {step.lower.value, std::min(step.upper.value, step.published_upper.value)};
}

/// The tightest answer, and what it has to be of the two accountants.
Interval best_at(const Point& p) {
    const Bracket found = epsilon({adjacency_at(p), {{sampler_at(p), p.integer("T")}}}, p["delta"]);
    return interval_of({found.lower.value, found.upper.value});
}
Interval better_of_both_at(const Point& p) {
    const Phase phase{sampler_at(p), p.integer("T")};
    const PrivacyBracket renyi = epsilon_bracket({&phase, 1}, adjacency_at(p), p["delta"]);
    const EpsilonBracket grids = pld_epsilon({&phase, 1}, adjacency_at(p), p["delta"]);
    return interval_of({std::max(renyi.lower.value, grids.lower.value),
                        std::min(renyi.upper.value, grids.upper.value)});
}

Space ordinary() {
    Space ordinary = space(2, {count_dimension("T", 100, 200, {100}),
                               positive_dimension("delta", 1e-8, 1e-3, {1e-5})});
    ordinary.dimensions[2] = noise_dimension("sigma", 0.6, 5.0);
    ordinary.dimensions[3] = {"q", Scale::logarithmic, 0.01, 0.5, false, {0.1}};
    return ordinary;
}

Check ordered(const char* id, const char* claim, Space where, int quick, int full,
              Agreed (*answer)(const Point&)) {
    // Both sides of the law ask for the same answer, one after the other.
    const auto once = [answer](const Point& p) {
        thread_local Agreed (*asked)(const Point&) = nullptr;
        thread_local Point where_asked;
        thread_local Agreed found;
        if (asked != answer || !(where_asked == p)) {
            found = answer(p);
            asked = answer;
            where_asked = p;
        }
        return found;
    };
    return at_most_law(
        id, claim, std::move(where), quick, full,
        [once](const Point& p) {
            const double lower = once(p).lower;
            return interval_of({lower, lower});
        },
        [once](const Point& p) {
            const double upper = once(p).upper;
            return interval_of({upper, upper});
        });
}

}  // namespace

std::vector<Check> bracket_laws() {
    return {
        ordered("law.brackets.epsilon",
                "every lower bound of epsilon is below every upper one, of all accountants",
                space(3, {steps(1e6), far_deltas(), draws()}), 20, 800, agreed_epsilon),
        ordered("law.brackets.delta",
                "every lower bound of delta is below every upper one, of all accountants",
                space(3, {steps(1e6), far_epsilons(), draws()}), 20, 300, agreed_delta),
        ordered("law.brackets.one_step_delta", "the same for one step, which has a closed form",
                space(2, {steps(1.0), far_epsilons()}), 30, 1200, agreed_delta),
        ordered("law.brackets.divergence",
                "the attained divergence is below every upper bound of it",
                space(3, {order_dimension(), draws()}), 40, 3000, agreed_divergence),
        equality_law("law.account.best_of_all",
                     "the default answer of epsilon is the best of both accountants' for the same "
                     "steps: one step of 100 to 200 less would be told apart",
                     ordinary(), 6, 200, best_at, better_of_both_at),
    };
}

}  // namespace assay::verify
