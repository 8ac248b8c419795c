#include "assay/privacy/dominating_pair.hpp"

#include <bit>
#include <map>

#include "test_support/test_support.hpp"

// The truth is every small data set of records -1, 0 and 1 and every batch that may be drawn from
// it. Nothing of the proofs is used.
namespace assay {
namespace {

constexpr double noise = 1.6;
constexpr int records = 4;
constexpr int batch = 2;
constexpr int most = 3;  // records in a cut batch

using Records = std::vector<int>;
using Shape = DominatingPair::Shape;

/// Weights of normal distributions by their centres, in units of the noise.
using NormalMixture = std::map<double, double>;

double density(const NormalMixture& mixture, double z) {
    double sum = 0.0;
    for (const auto& [centre, weight] : mixture)
        sum += weight * test_support::normal_density(z - centre);
    return sum;
}

template <class F>
double integral(const F& f) {
    return test_support::trapezoid(-16.0, 16.0, 0.02, f);
}

double delta(const NormalMixture& p, const NormalMixture& q, double epsilon) {
    return integral(
        [&](double z) { return std::max(0.0, density(p, z) - std::exp(epsilon) * density(q, z)); });
}

double moment(const NormalMixture& p, const NormalMixture& q, double order) {
    return integral([&](double z) {
        return std::pow(density(p, z), order) * std::pow(density(q, z), 1.0 - order);
    });
}

/// What a step releases: every subset of the records, with its probability by size.
template <class Probability>
NormalMixture subsets(const Records& data, const Probability& probability) {
    NormalMixture released;
    for (unsigned drawn = 0; drawn < 1U << data.size(); ++drawn) {
        int sum = 0;
        for (std::size_t i = 0; i < data.size(); ++i)
            if ((drawn >> i & 1U) != 0) sum += data[i];
        const double weight = probability(std::popcount(drawn), static_cast<int>(data.size()));
        if (weight > 0.0) released[sum / noise] += weight;
    }
    return released;
}

double choices(int n, int k) {
    return k == 0 ? 1.0 : choices(n - 1, k - 1) * n / k;
}

double poisson(int size, int n) {
    const double q = static_cast<double>(batch) / records;
    return std::pow(q, size) * std::pow(1.0 - q, n - size);
}

double uniform(int size, int n) {
    return size == batch ? 1.0 / choices(n, batch) : 0.0;
}

/// A subset of `most` records is drawn, or left of a larger one.
double cut(int size, int n) {
    double weight = size <= most ? poisson(size, n) : 0.0;
    for (int larger = most + 1; size == most && larger <= n; ++larger)
        weight += choices(n, larger) * poisson(larger, n) / choices(n, most);
    return weight;
}

NormalMixture with_replacement(const Records& data) {
    std::map<int, double> sums{{0, 1.0}};
    for (int draw = 0; draw < batch; ++draw) {
        std::map<int, double> next;
        for (const auto& [sum, weight] : sums)
            for (const int value : data)
                next[sum + value] += weight / static_cast<double>(data.size());
        sums = next;
    }
    NormalMixture released;
    for (const auto& [sum, weight] : sums) released[sum / noise] = weight;
    return released;
}

struct Case {
    Mechanism mechanism;
    NormalMixture (*released)(const Records&);
};

std::vector<Case> cases() {
    return {
        {Gaussian{noise},
         [](const Records& d) {
             return subsets(d, [](int size, int n) { return size == n ? 1.0 : 0.0; });
         }},
        {SampledGaussian{noise, static_cast<double>(batch) / records},
         [](const Records& d) { return subsets(d, poisson); }},
        {TruncatedPoissonGaussian{noise, batch, records, most},
         [](const Records& d) { return subsets(d, cut); }},
        {FixedSizeGaussian{noise, static_cast<double>(batch) / records},
         [](const Records& d) { return subsets(d, uniform); }},
        {FixedSizeWithReplacementGaussian{noise, batch, records}, with_replacement},
    };
}

constexpr Adjacency adjacencies[] = {Adjacency::add_remove, Adjacency::replace_one,
                                     Adjacency::zero_out};

/// The largest of `distance`(P, Q) over all neighbours, in both orders.
template <class Distance>
double largest(const Case& one, Adjacency adjacency, const Distance& distance) {
    double found = 0.0;
    const auto compare = [&](const Records& d, const Records& other) {
        const NormalMixture p = one.released(d);
        const NormalMixture q = one.released(other);
        found = std::max({found, distance(p, q), distance(q, p)});
    };
    for (int low = 0; low < records; ++low)
        for (int high = 0; low + high < records; ++high) {
            Records others(records - 1, 0);
            std::fill_n(others.begin(), low, -1);
            std::fill_n(others.rbegin(), high, 1);
            Records d = others;
            d.push_back(1);
            if (adjacency == Adjacency::add_remove) compare(d, others);
            Records other = others;
            other.push_back(0);
            if (adjacency != Adjacency::add_remove) compare(d, other);
            other.back() = -1;
            if (adjacency == Adjacency::replace_one) compare(d, other);
        }
    return found;
}

/// The probability of k hits in draws with replacement.
double hits(const DominatingPair::Draws& draws, int k) {
    const auto n = static_cast<int>(draws.batch_size);
    const double hit = 1.0 / static_cast<double>(draws.dataset_size);
    return choices(n, k) * std::pow(hit, k) * std::pow(1.0 - hit, n - k);
}

double larger_delta(const NormalMixture& p, const NormalMixture& q, double epsilon) {
    return std::max(delta(p, q, epsilon), delta(q, p, epsilon));
}

/// The larger delta of the pair's two orders, at epsilon >= 0, for a step of this shift. Of the
/// shapes that are no mixtures it is that of `removal` (null_record: at most).
double shape_delta(const DominatingPair& pair, Shape shape, double c, double epsilon) {
    const auto q = static_cast<double>(pair.q);
    const NormalMixture none{{0.0, 1.0}};
    const NormalMixture sampled{{0.0, 1.0 - q}, {c, q}};
    if (shape == Shape::antipodal) return larger_delta(sampled, {{-c, q}, {0.0, 1.0 - q}}, epsilon);
    if (shape == Shape::halved)
        return larger_delta(sampled, {{0.0, 1.0 - q}, {0.5 * c, q}}, epsilon);
    if (!pair.draws) return larger_delta(sampled, none, epsilon);
    NormalMixture untold;
    double told = 0.0;
    for (int k = 0; k <= batch; ++k) {
        const double weight = hits(*pair.draws, k);
        untold[k * c] = weight;
        if (k > 0) told += weight / q * larger_delta({{0.0, 1.0 - q}, {k * c, q}}, none, epsilon);
    }
    return shape == Shape::removal ? larger_delta(untold, none, epsilon) : told;
}

double pair_delta(const DominatingPair& pair, double epsilon) {
    const auto rest = static_cast<double>(pair.cut.probability);
    double sum = (1.0 - rest) * shape_delta(pair, pair.shape, static_cast<double>(pair.c), epsilon);
    if (rest > 0.0)
        sum += rest * shape_delta(pair, pair.cut.shape, static_cast<double>(pair.cut.c), epsilon);
    return sum;
}

constexpr double slack = 1e-4;  // of the quadrature at the kink

}  // namespace

// Catches a shift or a probability of another adjacency, the factor 2 of an exchanged record left
// out, and an attained pair that no neighbours reach.
TEST_CASE("no neighbours differ more than the dominating pair", "[dominating_pair]") {
    for (const Case& one : cases())
        for (const Adjacency adjacency : adjacencies) {
            const DominatingPair pair = dominating_pair(one.mechanism, adjacency);
            for (const double epsilon : {0.0, 0.4, 1.1}) {
                const double truth = largest(one, adjacency, [&](const auto& p, const auto& q) {
                    return delta(p, q, epsilon);
                });
                const double bound = pair_delta(pair, epsilon);
                double attained = 0.0;
                for (const DominatingPair& some : pair.attained_pairs())
                    attained = std::max(attained, pair_delta(some, epsilon));
                CAPTURE(describe(one.mechanism), to_string(adjacency), epsilon, truth, bound,
                        attained);
                CHECK(bound >= truth * (1.0 - slack));
                CHECK(attained <= truth * (1.0 + slack));
                if (pair.attained) CHECK(bound <= truth * (1.0 + slack));
            }
        }
}

// Catches a pair that only one order of the two data sets attains, and the shift of sums that have
// no sampling.
TEST_CASE("no neighbours have a larger Renyi divergence than the worst pair", "[dominating_pair]") {
    for (const Case& one : cases())
        for (const Adjacency adjacency : adjacencies) {
            if (!has_worst_renyi_pair(one.mechanism, adjacency)) continue;
            const WorstRenyiPair pair = worst_renyi_pair(one.mechanism, adjacency);
            NormalMixture p;
            NormalMixture q{{0.0, 1.0}};
            if (const auto* two = std::get_if<TwoPointMixtures>(&pair.mixtures)) {
                const auto share = static_cast<double>(two->q);
                p[0.0] = q[0.0] = 1.0 - share;
                p[static_cast<double>(two->shift)] += share;
                q[static_cast<double>(two->other)] += share;
            } else {
                const auto& all = std::get<BinomialMixture>(pair.mixtures);
                for (int k = 0; k <= batch; ++k)
                    p[k * static_cast<double>(all.shift)] =
                        hits({all.batch_size, all.dataset_size}, k);
            }
            for (const double order : {1.5, 4.0}) {
                const double truth = largest(one, adjacency, [&](const auto& a, const auto& b) {
                    return moment(a, b, order);
                });
                CAPTURE(describe(one.mechanism), to_string(adjacency), order);
                CHECK(moment(p, q, order) == Approx(truth).epsilon(1e-9));
                const auto shift = static_cast<double>(pair.unsampled_shift);
                CHECK(std::log(truth) <= 0.5 * order * (order - 1.0) * shift * shift * 1.000001);
            }
        }
}

TEST_CASE("a pair is there where a theorem gives one, and refused elsewhere", "[dominating_pair]") {
    std::vector<Mechanism> mechanisms;
    for (const Case& one : cases()) mechanisms.push_back(one.mechanism);
    mechanisms.insert(mechanisms.end(), {BallsAndBins{noise, 10}, RandomAllocation{noise, 10, 2},
                                         Shuffled{noise, 10}, DeterministicBatches{noise, 10}});
    int dominating = 0;
    int worst = 0;
    for (const Mechanism& mechanism : mechanisms)
        for (const Adjacency adjacency : adjacencies) {
            CAPTURE(describe(mechanism), to_string(adjacency));
            if (has_dominating_pair(mechanism, adjacency)) {
                ++dominating;
                CHECK_NOTHROW(dominating_pair(mechanism, adjacency));
            } else {
                CHECK_THROWS_AS(dominating_pair(mechanism, adjacency), UnsupportedMechanism);
            }
            if (!has_worst_renyi_pair(mechanism, adjacency)) {
                CHECK_THROWS_AS(worst_renyi_pair(mechanism, adjacency), UnsupportedMechanism);
                continue;
            }
            ++worst;
        }
    // Five samplers under three adjacencies, and batches in a fixed order.
    CHECK(dominating == 16);
    CHECK(worst >= 10);
}

TEST_CASE("a pair without sampling probability has no shift", "[dominating_pair]") {
    for (const Adjacency adjacency : adjacencies)
        CHECK(dominating_pair(SampledGaussian{noise, 0.0}, adjacency).c == 0.0L);
}

}  // namespace assay
