#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "assay/account/account.hpp"
#include "assay/account/allocation.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/batch_sampling/random_allocation.hpp"
#include "verify/checks/deviance.hpp"
#include "verify/checks/gaussian_steps.hpp"
#include "verify/checks/neighbour_parts.hpp"
#include "verify/checks/pld_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"

// Records in k of the T batches of an epoch (docs/proofs.md, K.8): delta of few batches from the
// definition, one batch integrated in closed form and the others on a grid.

namespace assay::verify {

namespace {

double tail_of(double x) {
    return 0.5 * std::erfc(x / std::numbers::sqrt2);
}

/// W = e_k(Y_1 .. Y_T)/C(T, k), Y_t = e^{r z_t - r^2/2}.
class FewBatches {
public:
    FewBatches(long T, long k, double r, double step)
        : T_(T), k_(static_cast<std::size_t>(k)), r_(r) {
        for (double z = -8.5; z <= 8.5 + 2.0 * r; z += step)
            factors_.push_back({std::exp(r * z - 0.5 * r * r),
                                step * std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi)});
        double choices = 1.0;
        for (long i = 0; i < k; ++i)
            choices *= static_cast<double>(T - i) / static_cast<double>(i + 1);
        share_ = 1.0 / choices;
    }

    /// E (W - level)_+, or E (level - W)_+.
    [[nodiscard]] double excess(double level, bool above) const {
        std::array<double, 5> sums{1.0, 0.0, 0.0, 0.0, 0.0};
        return sum_over(1, sums, 1.0, level, above);
    }

private:
    struct Node {
        double factor;
        double weight;
    };

    /// e_0 .. e_k of the batches before `batch`.
    [[nodiscard]] double sum_over(long batch, const std::array<double, 5>& sums, double weight,
                                  double level, bool above) const {
        if (batch == T_)
            return weight * last(sums[k_] * share_, sums[k_ - 1] * share_, level, above);
        double total = 0.0;
        for (const Node& node : factors_) {
            std::array<double, 5> more = sums;
            for (std::size_t i = k_; i > 0; --i) more[i] += node.factor * sums[i - 1];
            total += sum_over(batch + 1, more, weight * node.weight, level, above);
        }
        return total;
    }
    /// E (a + b Y - level)_+ or E (level - a - b Y)_+.
    [[nodiscard]] double last(double a, double b, double level, bool above) const {
        const double rest = level - a;
        if (rest <= 0.0) return above ? b - rest : 0.0;
        const double place = std::log(rest / b) / r_;
        return above ? b * tail_of(place - 0.5 * r_) - rest * tail_of(place + 0.5 * r_)
                     : rest * tail_of(-place - 0.5 * r_) - b * tail_of(0.5 * r_ - place);
    }

    long T_;
    std::size_t k_;
    double r_;
    double share_ = 1.0;
    std::vector<Node> factors_;
};

/// Two grids, one of half the step: their distance, and 1e-9 of the value, for the error.
class Halved {
public:
    Halved(const Point& p, double step)
        : coarse_(p.integer("T"), p.integer("k"), 1.0 / p["sigma"], 2.0 * step),
          fine_(p.integer("T"), p.integer("k"), 1.0 / p["sigma"], step) {}

    /// E (W - K)_+; below 1 from E (K - W)_+, which is small there.
    [[nodiscard]] Interval removal(const Interval& K) const {
        return K.upper_double() <= 1.0 ? sided(K, false) + (1.0 - K) : sided(K, true);
    }
    /// E (1 - K W)_+
    [[nodiscard]] Interval addition(const Interval& K) const {
        const Interval level = 1.0 / K;
        return level.upper_double() <= 1.0 ? K * sided(level, false)
                                           : K * sided(level, true) + (1.0 - K);
    }

private:
    [[nodiscard]] Interval sided(const Interval& level, bool above) const {
        const double at = level.upper_double();
        const double value = fine_.excess(at, above);
        const double error = std::abs(value - coarse_.excess(at, above)) + 1e-9 * value + 1e-15;
        return Interval::between(Interval(value - error, ratio_bits),
                                 Interval(value + error, ratio_bits));
    }
    FewBatches coarse_;
    FewBatches fine_;
};

/// Steps that leave some 10^5 to 10^6 nodes.
Interval one_epoch(const Point& p) {
    const Halved w(p, p["T"] >= 4.0 ? 0.25 : 0.05);
    return max(w.removal(threshold(p)), w.addition(threshold(p)));
}

Space few_batches(double most, double least_noise) {
    return {{{"T", Scale::linear, 3, most, true, {3, 4}},
             {"k", Scale::linear, 2, most - 1.0, true, {2, 3}},
             noise_dimension("sigma", least_noise, 3.0),
             epsilon_dimension(4.0)},
            [](const Point& p) {
                const double mu = std::sqrt(p["k"]) / p["sigma"];
                return p["k"] < p["T"] && p["eps"] <= 0.5 * mu * mu + 2.5 * mu;
            }};
}

Bracket delta_at(const Point& p, std::int64_t epochs) {
    const Release release(Adjacency::zero_out,
                          {{RandomAllocation{p["sigma"], p.integer("T"), p.integer("k")}, epochs}});
    return delta(release, p["eps"], goal_of(Effort::quick), 1e-9);
}

/// Both sides of the truth, one row each.
void add_sides(const char* name, std::int64_t epochs, const Space& space, int quick, int full,
               Interval (*truth)(const Point&), std::vector<Check>& rows) {
    for (const bool is_upper : {true, false}) {
        Check row = library_row(
            fmt::format("random_allocation.{}.{}", name, is_upper ? "upper" : "lower"),
            is_upper ? "a record in k of T batches: above are epochs of a batch from each of k "
                       "parts (docs/proofs.md, K.8 (iii))"
                     : "below are a batch of the whole, and parts that are likely all met "
                       "(K.8 (ii), (iv))",
            is_upper ? Relation::at_least : Relation::at_most, space, quick, full);
        row.oracle = "the symmetric polynomial on a grid, one batch in closed form";
        row.evaluate = [=](const Point& p) {
            const Bracket found = delta_at(p, epochs);
            return Enclosure{found.lower.value, found.upper.value};
        };
        row.truth = [=](const Point& p, long) { return truth(p); };
        rows.push_back(std::move(row));
    }
}

/// Where delta is given: the release exceeds it at the lower side of epsilon.
Check epsilon_row() {
    Space space = few_batches(4, 0.8);
    space.dimensions[3] = {"delta", Scale::logarithmic, 1e-6, 0.1, false, {1e-2}};
    space.admits = [](const Point& p) { return p["k"] < p["T"]; };
    Check row = library_row("random_allocation.one_epoch.epsilon_lower",
                            "at the lower side of epsilon, a record in k of T batches has at least "
                            "that delta",
                            Relation::at_most, space, 6, 80);
    row.oracle = "the symmetric polynomial on a grid, one batch in closed form";
    row.evaluate = [](const Point& p) { return exactly(p["delta"] * (1.0 - 1e-9)); };
    row.truth = [](const Point& p, long) {
        const Release release(Adjacency::zero_out,
                              {{RandomAllocation{p["sigma"], p.integer("T"), p.integer("k")}, 1}});
        Point at = p;
        at.set("eps", epsilon(release, p["delta"], goal_of(Effort::quick)).lower.value);
        return one_epoch(at);
    };
    return row;
}

/// The curve has its own way to both sides.
Check curve_row() {
    Check row = library_row("trade_off.random_allocation.one_epoch",
                            "the curve of a record in k of T batches has both of its sides",
                            Relation::encloses, few_batches(3, 0.8), 3, 40);
    row.oracle = "the symmetric polynomial on a grid, one batch in closed form";
    row.evaluate = [](const Point& p) {
        const Release release(Adjacency::zero_out,
                              {{RandomAllocation{p["sigma"], p.integer("T"), p.integer("k")}, 1}});
        const Bracket found = trade_off_at(release, 0.01, goal_of(Effort::quick)).delta(p["eps"]);
        return Enclosure{found.lower.value, found.upper.value};
    };
    row.truth = [](const Point& p, long) { return one_epoch(p); };
    return row;
}

/// A record in all batches of an epoch takes part in k Gaussian steps.
Check all_batches_row() {
    Check row = library_row(
        "random_allocation.all_batches",
        "a record in all batches of an epoch: as many Gaussian steps", Relation::encloses,
        {{count_dimension("T", 1, 50, {1, 2, 3}), count_dimension("epochs", 1, 20, {1, 2}),
          noise_dimension("sigma", 0.8, 30.0), epsilon_dimension(4.0)},
         [](const Point& p) {
             const double mu = std::sqrt(p["T"] * p["epochs"]) / p["sigma"];
             return p["eps"] <= 4.0 * mu;
         }},
        10, 200);
    row.oracle = "closed form";
    row.evaluate = [](const Point& p) {
        const Bracket found = delta(
            {Adjacency::zero_out,
             {{RandomAllocation{p["sigma"], p.integer("T"), p.integer("T")}, p.integer("epochs")}}},
            p["eps"], goal_of(Effort::quick), 1e-9);
        return Enclosure{found.lower.value, found.upper.value};
    };
    row.truth = [](const Point& p, long) {
        return gaussian_steps_delta(p["T"] * p["epochs"], p["sigma"], p["eps"]);
    };
    row.widest = 1e-2;
    row.narrow_from = 1e-8;
    return row;
}

// ---- the probability of meeting parts ----------------------------------------------------------

/// Coefficients of polynomials with terms that are all positive.
std::vector<Interval> product(const std::vector<Interval>& a, const std::vector<Interval>& b) {
    std::vector<Interval> c(a.size() + b.size() - 1, Interval(0.0, ratio_bits));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
    return c;
}
std::vector<Interval> subsets_of(long n) {
    std::vector<Interval> row{Interval(1.0, ratio_bits)};
    const std::vector<Interval> one(2, Interval(1.0, ratio_bits));
    for (long i = 0; i < n; ++i) row = product(row, one);
    return row;
}

/// ((1+x)^m - 1)^j (1+x)^{T-jm}, the coefficient of x^k, over C(T, k).
Interval meeting(const Point& p) {
    const long T = p.integer("T");
    const long j = p.integer("sets");
    const long m = T / j;
    const auto k = static_cast<std::size_t>(p.integer("k"));
    std::vector<Interval> some = subsets_of(m);
    some[0] = Interval(0.0, ratio_bits);
    std::vector<Interval> all = subsets_of(T - j * m);
    for (long i = 0; i < j; ++i) all = product(all, some);
    return all[k] / subsets_of(T)[k];
}

Check meeting_row() {
    Check row = library_row(
        "random_allocation.probability_of_meeting",
        "a uniform subset meets all of some disjoint sets at least so likely", Relation::encloses,
        {{{"T", Scale::linear, 2, 40, true, {2, 3, 4, 12}},
          {"k", Scale::linear, 1, 40, true, {1, 2, 3}},
          {"sets", Scale::linear, 1, 12, true, {1, 2, 3}}},
         [](const Point& p) { return p["sets"] <= p["k"] && p["k"] <= p["T"]; }},
        60, 800);
    row.oracle = "subsets counted, all terms positive";
    row.evaluate = [](const Point& p) {
        const double found =
            probability_of_meeting({1.0, p.integer("T"), p.integer("k")}, p.integer("sets"));
        return Enclosure{found, found * (1.0 + 1e-12) + 1e-13};
    };
    row.truth = [](const Point& p, long) { return meeting(p); };
    return row;
}

// ---- the sampler -------------------------------------------------------------------------------

constexpr std::int64_t epochs_drawn = 6000;

AllocationBatches sampler_at(const Point& p) {
    return AllocationBatches({.dataset_size = p.integer("n"),
                              .batches_per_epoch = p.integer("T"),
                              .allocations = p.integer("k"),
                              .seed = static_cast<std::uint64_t>(p.integer("seed"))});
}

Space sampler_space() {
    return {{{"n", Scale::linear, 2, 9, true, {2, 3}},
             {"T", Scale::linear, 1, 6, true, {2, 3, 5}},
             {"k", Scale::linear, 1, 6, true, {1, 2, 3}},
             {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
            [](const Point& p) { return p["k"] <= p["T"]; }};
}

/// How often the batches of the first and of the last example were each of the subsets, and how
/// often both examples had the same batches.
Events subset_events(const Point& p) {
    AllocationBatches sampler = sampler_at(p);
    const auto T = static_cast<std::uint32_t>(p.integer("T"));
    const auto last = static_cast<std::uint32_t>(p.integer("n") - 1);
    std::map<std::uint32_t, std::array<double, 2>> counts;
    for (std::uint32_t set = 0; set < (1U << T); ++set) {
        std::uint32_t members = 0;
        for (std::uint32_t t = 0; t < T; ++t) members += (set >> t) & 1U;
        if (members == p["k"]) counts[set] = {0.0, 0.0};
    }
    double same = 0.0;
    double strange = 0.0;
    Batch batch;
    for (std::int64_t epoch = 0; epoch < epochs_drawn; ++epoch) {
        std::array<std::uint32_t, 2> sets{0, 0};
        for (std::uint32_t t = 0; t < T; ++t) {
            sampler.draw(epoch * p.integer("T") + t, batch);
            for (const std::uint32_t i : batch.indices) {
                if (i == 0) sets[0] |= 1U << t;
                if (i == last) sets[1] |= 1U << t;
            }
        }
        for (std::size_t i = 0; i < 2; ++i) {
            const auto found = counts.find(sets[i]);
            if (found == counts.end())
                strange += 1.0;
            else
                found->second[i] += 1.0;
        }
        same += sets[0] == sets[1] ? 1.0 : 0.0;
    }
    const Interval each = 1.0 / Interval(static_cast<double>(counts.size()), 64);
    const auto trials = static_cast<double>(epochs_drawn);
    Events events;
    for (const auto& [set, count] : counts)
        for (const double seen : count) events.add(seen, trials, each);
    events.add(same, trials, each);
    events.add(strange, trials, Interval(0.0, 64));
    return events;
}

/// Examples that are not in k different batches of an epoch, or twice in one.
double misplaced(const Point& p) {
    AllocationBatches sampler = sampler_at(p);
    std::vector<long> copies(static_cast<std::size_t>(p.integer("n")), 0);
    double wrong = 0.0;
    Batch batch;
    for (long t = 0; t < p.integer("T"); ++t) {
        sampler.draw(p.integer("epoch") * p.integer("T") + t, batch);
        std::vector<std::uint32_t> seen = batch.indices;
        std::sort(seen.begin(), seen.end());
        if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) wrong += 1.0;
        for (const std::uint32_t i : seen) ++copies.at(i);
    }
    return wrong + static_cast<double>(std::count_if(copies.begin(), copies.end(), [&](long count) {
               return count != p.integer("k");
           }));
}

std::vector<Check> sampler_rows() {
    const Space large{{count_dimension("n", 1, 20'000, {1, 2, 300}),
                       count_dimension("T", 1, 500, {1, 2, 100}),
                       count_dimension("k", 1, 500, {1, 2, 30}),
                       {"epoch", Scale::linear, 0, 1000, true, {0}},
                       {"seed", Scale::logarithmic, 1, 1e9, true, {}}},
                      [](const Point& p) { return p["k"] <= p["T"] && p["n"] * p["k"] <= 2e6; }};
    return {events_row("batches.random_allocation.law",
                       "the batches of an example are every subset of k equally likely, and two "
                       "examples have the same ones as often as independent ones have",
                       sampler_space(), 8, 80, subset_events),
            limit_row("batches.random_allocation.partition",
                      "every example is in exactly k batches of an epoch", "0", large, 20, 200, 0.0,
                      misplaced)};
}

}  // namespace

std::vector<Check> random_allocation_rows() {
    std::vector<Check> rows;
    add_sides("one_epoch", 1, few_batches(4, 0.8), 8, 100, one_epoch, rows);
    rows.push_back(epsilon_row());
    rows.push_back(curve_row());
    rows.push_back(all_batches_row());
    rows.push_back(meeting_row());
    for (Check& row : sampler_rows()) rows.push_back(std::move(row));
    return rows;
}

}  // namespace assay::verify
