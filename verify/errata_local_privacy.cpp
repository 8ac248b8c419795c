#include <fmt/format.h>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "assay/ldp/certified_utilities.hpp"
#include "assay/ldp/response_audit.hpp"
#include "assay/ldp/simulation.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/sample_quantile.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/errata_parts.hpp"
#include "verify/langevin_bias.hpp"

namespace assay::verify {

namespace {

using Matrix = std::vector<std::vector<Interval>>;

std::vector<int> first_categories(int size) {
    std::vector<int> subset(static_cast<std::size_t>(size));
    std::iota(subset.begin(), subset.end(), 0);
    return subset;
}

LocalMechanism first_of(int categories, int size, double epsilon, double share) {
    return {categories, first_categories(size), epsilon, share};
}

// ---- 27: the released mechanism ----------------------------------------------------------------

/// The largest true epsilon over |S| = 1 .. K of the mechanism as released, by enumeration.
Interval worst_as_released(int categories, double epsilon, double share, int& size) {
    Interval worst = number(0.0);
    for (int k = 1; k <= categories; ++k) {
        const Interval one = true_epsilon(
            response_table(categories, first_categories(k), first_epsilon(epsilon, share, 128),
                           second_epsilon_as_released(k, epsilon, share, 128)));
        if (!certainly_below(worst, one)) continue;
        worst = one;
        size = k;
    }
    const Enclosure audit = audit_worst_size({.categories = categories,
                                              .epsilon = epsilon,
                                              .budget_share = share,
                                              .variant = ResponseVariant::as_released})
                                .epsilon;
    if (!overlap(worst, Interval::between(number(audit.lower), number(audit.upper))))
        throw Error(fmt::format("the audit as released answers [{}, {}], the enumeration {}",
                                audit.lower, audit.upper, worst.lower_text(20)));
    return worst;
}

/// Errors (20) of Figure 4 at K = 10, eps = 1, rho = 0.1; the populations are those of any other
/// rule and variant.
std::vector<double> simulated_errors(const SubsetRule& rule, ResponseVariant variant, int runs) {
    SimulationPlan plan;
    plan.settings.mechanism = mechanism_for(rule, {10, 1.0, 0.9, variant});
    plan.settings.rule = rule;
    plan.users = 5000;
    plan.settings.sampler = LangevinSettings{.step = paper_step(plan.users)};
    plan.settings.seed = 27;
    plan.concentration = 0.1;
    std::vector<double> errors(static_cast<std::size_t>(runs));
    tbb::parallel_for(std::size_t{0}, errors.size(),
                      [&](std::size_t run) { errors[run] = simulate(plan, run).total_variation; });
    return errors;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return sample_quantile(values, 0.5);
}

/// The method with U6 against the non-adaptive one, by run.
struct Ranking {
    int runs = 0;
    double adaptive = 0.0;  // medians
    double plain = 0.0;
    int wins = 0;
    int losses = 0;

    /// Standard deviations by which the wins exceed what a fair coin would give.
    [[nodiscard]] double score() const { return (wins - losses) / std::sqrt(wins + losses); }
};

Ranking ranking(ResponseVariant variant, int runs) {
    const std::vector<double> adaptive =
        simulated_errors(ByUtility{Utility::honest_response}, variant, runs);
    const std::vector<double> plain = simulated_errors(NonAdaptive{}, variant, runs);
    Ranking found{.runs = runs, .adaptive = median(adaptive), .plain = median(plain)};
    for (std::size_t i = 0; i < adaptive.size(); ++i) {
        found.wins += adaptive[i] < plain[i] ? 1 : 0;
        found.losses += adaptive[i] > plain[i] ? 1 : 0;
    }
    return found;
}

Erratum released_mechanism() {
    struct Quoted {
        double epsilon;
        double worst;
    };
    Numbers numbers;
    bool confirmed = true;
    for (const Quoted& quoted : {Quoted{0.5, 0.916}, Quoted{1.0, 1.813}, Quoted{5.0, 7.330}}) {
        int size = 0;
        const Interval worst = worst_as_released(20, quoted.epsilon, 0.9, size);
        numbers.add(fmt::format("true epsilon as released, K = 20, kappa = 0.9, claimed {}, worst "
                                "|S| = {}",
                                quoted.epsilon, size),
                    worst);
        const Interval theorem =
            numbers.add(fmt::format("by Theorem 1 there, claimed {}", quoted.epsilon),
                        true_epsilon(response_table(first_of(20, size, quoted.epsilon, 0.9), 128)));
        confirmed = confirmed && size == 1 &&
                    std::abs(worst.upper_double() - quoted.worst) < 5e-4 &&
                    overlap(theorem, number(quoted.epsilon));
    }
    const Ranking theorem = ranking(ResponseVariant::theorem, 500);
    const Ranking released = ranking(ResponseVariant::as_released, 100);
    for (const auto& [name, found] :
         {std::pair{"by Theorem 1", theorem}, std::pair{"as released, not epsilon-LDP", released}})
        numbers.add(fmt::format("median TV errors of U6 and the non-adaptive method {}, runs of "
                                "{} in which U6 has the smaller and the larger (K = 10, eps = 1, "
                                "kappa = 0.9, rho = 0.1)",
                                name, found.runs),
                    fmt::format("{:.3f}, {:.3f}; {}, {}", found.adaptive, found.plain, found.wins,
                                found.losses));
    constexpr double significant = 2.58;  // a level of 0.01
    confirmed = confirmed && theorem.adaptive > theorem.plain && theorem.score() < -significant &&
                released.adaptive < released.plain && released.score() > significant;
    return tried(
        27, aydin2024,
        "The released program takes min(eps, (k-1)/(e^(eps1-eps) k - 1)) with k = |S| for "
        "eps2: the logarithm of Theorem 1 is missing and |S^c| is replaced by |S|. Its "
        "mechanism is not epsilon-LDP; that of Theorem 1 is. The published ranking is that of the "
        "program: under Theorem 1 it partly reverses.",
        numbers, confirmed);
}

// ---- 28, 29: which sizes, which epsilons -------------------------------------------------------

Interval largest_difference(const ResponseTable& a, const ResponseTable& b) {
    Interval largest = number(0.0);
    for (std::size_t y = 0; y < a.size(); ++y)
        for (std::size_t x = 0; x < a.size(); ++x) largest = max(largest, abs(a[y][x] - b[y][x]));
    return largest;
}

Erratum subset_sizes() {
    const ResponseTable nearly = response_table(first_of(10, 9, 1.0, 0.9), 128);
    const ResponseTable all = response_table(first_of(10, 10, 1.0, 0.9), 128);
    const ResponseTable none = response_table(first_of(10, 0, 1.0, 0.9), 128);
    Numbers numbers;
    const Interval same = largest_difference(nearly, all);
    numbers.add("bits to which every probability of k = K-1 is that of k = K, K = 10",
                certainly_below(same, number(0x1p-100)) ? 100L : 0L);
    const Interval standard = numbers.add("P(Y = X) of k = 0, eps = 1", none[0][0]);
    const Interval last = numbers.add("of k = K-1 and K, kappa = 0.9", nearly[0][0]);
    return tried(28, aydin2024,
                 "The sizes of S are k = 1 .. K in (4), 0 .. K-1 in (5) and 1 .. K in the program. "
                 "K-1 and K are one mechanism, standard randomised response with eps1; k = 0 is "
                 "that with eps, and is not among 1 .. K.",
                 numbers,
                 certainly_below(same, number(0x1p-100)) && certainly_below(last, standard));
}

Erratum semi_adaptive() {
    const ResponseTable text = response_table(first_of(10, 3, 1.0, 0.9), 128);
    const ResponseTable code =
        response_table(10, first_categories(3), Interval(1.0, 128), Interval(0.0, 128));
    Numbers numbers;
    numbers.add("true epsilon with eps1 = eps = 1 and eps2 = 0, K = 10, k = 3", true_epsilon(code));
    const Interval honest_code = numbers.add("P(Y = X) in S there", code[0][0]);
    const Interval honest_text = numbers.add("with eps1 = 0.9 eps and Theorem 1", text[0][0]);
    const Interval outside =
        numbers.add("P(Y = X) off S over P(Y = another off S), eps2 = 0", code[9][9] / code[9][8]);
    const Interval informed = numbers.add("with Theorem 1", text[9][9] / text[9][8]);
    return tried(29, aydin2024,
                 "The program's semi-adaptive method has eps1 = eps and eps2 = 0 whatever kappa; "
                 "the text implies eps1 = kappa eps. These are two mechanisms: the former tells "
                 "categories off S apart by nothing.",
                 numbers,
                 certainly_below(honest_text, honest_code) && overlap(outside, number(1.0)) &&
                     certainly_below(number(1.0), informed));
}

// ---- 30: the noise of (13)
// -----------------------------------------------------------------------

/// Stationary variance of x <- x - gamma/2 x + noise W, whose target is N(0, 1).
Interval stationary_variance(const Interval& gamma, const Interval& noise) {
    return square(noise) / (1.0 - square(1.0 - gamma / 2.0));
}

Erratum langevin_noise() {
    const Interval gamma = number(1.0) / 1000.0;
    Numbers numbers;
    const Interval right =
        numbers.add("variance of x <- x - gamma x/2 + sqrt(gamma) W, target 1, gamma = 1/1000",
                    stationary_variance(gamma, sqrt(gamma)));
    const Interval printed =
        numbers.add("with gamma W, as printed", stationary_variance(gamma, gamma));
    const Interval slope = numbers.add(
        "d/dphi of the log prior by differences, rho = 0.5, phi = 2",
        local_gradient({2, 1.0, 0.5, {}, {}}, {2.0, 3.0}, 1.0, {0.5, 2.0}, 0, erratum_bits));
    return tried(30, aydin2024,
                 "(13): the noise is sqrt(gamma) W, not gamma W. alpha_i of (14) and Proposition 4 "
                 "is rho_i. The subsamples are drawn with replacement.",
                 numbers,
                 certainly_below(abs(right - 1.0), number(1e-3)) &&
                     certainly_below(printed, number(2e-3)) && overlap(slope, number(-1.25)));
}

// ---- 31: the utilities
// ---------------------------------------------------------------------------

Erratum utilities_and_bound() {
    const LocalPopulation population{first_of(5, 2, 1.0, 0.9), {40, 30, 15, 10, 5}};
    const long p = 256;
    const ResponseTable g = response_table(population.mechanism, p);
    const std::vector<Interval> theta = frequencies(population.weights, p);
    const std::vector<Interval> h = marginals(g, theta);
    const Matrix G = inverse(g);
    Interval error(0.0, p);  // of G^-1 e_Y, all components but the last
    for (std::size_t y = 0; y < h.size(); ++y)
        for (std::size_t i = 0; i + 1 < h.size(); ++i) error += h[y] * square(G[i][y] - theta[i]);
    Numbers numbers;
    numbers.add("E |G^-1 e_Y - theta|^2 over 4 of K = 5 components, one answer", error);
    const Interval bound = numbers.add("tr F^-1 there, the last component dropped",
                                       trace_inverse_fisher(population, 4, erratum_bits));
    const Interval half =
        numbers.add("of two answers, of which this estimator ignores one: the error over the bound",
                    error / (bound / 2.0));
    const Interval other = numbers.add("tr F^-1 where the first is dropped",
                                       trace_inverse_fisher(population, 0, erratum_bits));
    numbers.add("U3", local_utility(3, population, erratum_bits));
    numbers.add("U4", local_utility(4, population, erratum_bits));
    return tried(
        31, aydin2024,
        "(7): the bound is E |estimate - theta|^2 >= tr F^-1 (printed: <=), over K-1 "
        "components; tr F^-1 depends on which is dropped, here the smallest. The program "
        "calls 2 U4 its TV1 and 2 U3 its TV2.",
        numbers,
        overlap(error, bound) && certainly_below(number(1.5), half) && !overlap(bound, other));
}

// ---- 32: matrices
// --------------------------------------------------------------------------------

Interval product(const std::vector<Interval>& factors) {
    Interval value = number(1.0);
    for (const Interval& factor : factors) value *= factor;
    return value;
}

/// det of A^T W A, W the diagonal of `weight`, A the columns of `columns`.
Interval weighted_determinant(const Matrix& columns, const std::vector<Interval>& weight) {
    const std::size_t n = columns.front().size();
    Matrix F(n, std::vector<Interval>(n, Interval(0.0, weight.front().bits())));
    for (std::size_t y = 0; y < weight.size(); ++y)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                F[i][j] += weight[y] * columns[y][i] * columns[y][j];
    return determinant(F);
}

Erratum matrices() {
    constexpr int K = 5;
    constexpr int k = 2;
    constexpr double outside = K - k;
    constexpr long p = 256;
    const LocalPopulation population{first_of(K, k, 1.0, 0.8), {40, 30, 15, 10, 5}};
    const ResponseTable g = response_table(population.mechanism, p);
    const std::vector<Interval> h = marginals(g, frequencies(population.weights, p));
    Numbers numbers;

    // Lemma 1: G = [a1 I + a2 11', b 11'; c 11', d1 I + d2 11'], det by the Schur complement.
    const Interval a2 = g[0][1];
    const Interval a1 = g[0][0] - a2;
    const Interval b = g[0][4];
    const Interval c = g[4][0];
    const Interval d2 = g[4][3];
    const Interval d1 = g[4][4] - d2;
    const auto by_scalar = [&](const Interval& scalar) {
        return power(d1, K - k - 1) * (d1 + outside * d2) * power(a1, k - 1) *
               (a1 + static_cast<double>(k) * scalar);
    };
    const Interval start = a2 - outside * b * c / d1;
    const Interval determinant_of_g = numbers.add("det G, K = 5, k = 2", determinant(g));
    const Interval printed =
        numbers.add("by the last line of Lemma 1 as printed",
                    by_scalar(start + b * c / square(d1) / (1.0 / d2 + K * outside / d1)));
    const Interval mended = numbers.add(
        "with (K-k)/d1 and a factor (K-k)^2",
        by_scalar(start + outside * outside * b * c / square(d1) / (1.0 / d2 + outside / d1)));
    const Interval closed = numbers.add("a1^k d1^(K-k-1)", power(a1, k) * power(d1, K - k - 1));

    // Propositions 1 and 2: A = G J with J(K, i) = -1.
    Matrix A;
    Matrix without;
    std::vector<Interval> reciprocal;
    for (std::size_t y = 0; y < K; ++y) {
        A.emplace_back();
        without.emplace_back(g[y].begin(), g[y].end() - 1);
        for (std::size_t i = 0; i + 1 < K; ++i) A.back().push_back(g[y][i] - g[y][K - 1]);
        reciprocal.push_back(1.0 / h[y]);
    }
    const Interval fisher =
        numbers.add("det F = det(G)^2 / prod h", square(determinant_of_g) / product(h));
    const Interval right =
        numbers.add("det A^T D^-1 A, D = diag(h)", weighted_determinant(A, reciprocal));
    const Interval weighted = numbers.add("det A^T D A", weighted_determinant(A, h));
    const Interval no_row = numbers.add("det A^T D^-1 A where J has no -1 in row K",
                                        weighted_determinant(without, reciprocal));

    // Theorem 2's proof ends with k = 1 .. K; here k = 0 is the best.
    LocalPopulation even{first_of(K, 0, 1.0, 0.9), std::vector<double>(K, 1.0)};
    const Interval empty = numbers.add("U6 of k = 0 at theta = 1/5, eps = 1, kappa = 0.9",
                                       local_utility(6, even, erratum_bits));
    Interval best = number(0.0);
    for (int size = 1; size <= K; ++size) {
        even.mechanism.subset = first_categories(size);
        best = max(best, local_utility(6, even, erratum_bits));
    }
    numbers.add("the largest U6 of k = 1 .. K there", best);
    return tried(
        32, aydin2024,
        "(9): argmin is min. Proposition 1: F = A^T D^-1 A with D = diag(h). Lemma 1: "
        "K(K-k)/d1 is (K-k)/d1 with a factor (K-k)^2, and G is invertible as det G = a1^k "
        "d1^(n-1). Proposition 2: J(i,K) = -1 is J(K,i) = -1. Theorem 2 ends with k = 0 .. K-1.",
        numbers,
        overlap(determinant_of_g, mended) && overlap(determinant_of_g, closed) &&
            !overlap(determinant_of_g, printed) && overlap(fisher, right) &&
            !overlap(fisher, weighted) && !overlap(fisher, no_row) && certainly_below(best, empty));
}

// ---- 33: U1 and the empty set
// --------------------------------------------------------------------

/// Weights proportional to a draw of Dir(rho, .., rho): Gamma(1 + rho) U^(1/rho) each.
std::vector<double> dirichlet_weights(int count, double rho, Draws& draws) {
    std::vector<double> weights;
    for (int i = 0; i < count; ++i) {
        // Marsaglia and Tsang for the shape 1 + rho.
        const double d = 2.0 / 3.0 + rho;
        double v = 0.0;
        while (true) {
            const double x = draws.normal();
            v = std::pow(std::max(0.0, 1.0 + x / std::sqrt(9.0 * d)), 3.0);
            if (v > 0.0 && std::log(draws.uniform()) < 0.5 * x * x + d * (1.0 - v + std::log(v)))
                break;
        }
        weights.push_back(d * v * std::pow(draws.uniform(), 1.0 / rho));
    }
    return weights;
}

Erratum empty_set_wins() {
    constexpr int draws_each = 40;
    long tried_count = 0;
    long won = 0;
    for (const int K : {5, 10, 20})
        for (const double eps : {0.5, 1.0, 2.0, 5.0})
            for (const double share : {0.8, 0.9})
                for (const double rho : {0.01, 0.1, 1.0})
                    for (int i = 0; i < draws_each; ++i) {
                        Draws draws(33, "U1", static_cast<std::uint64_t>(tried_count++));
                        const std::vector<double> weights = dirichlet_weights(K, rho, draws);
                        const CertifiedSize size = certified_best_size(
                            {.categories = K, .epsilon = eps, .budget_share = share}, weights,
                            &CertifiedUtilities::fisher_information);
                        won += size.highest == 0 ? 1 : 0;
                    }
    Numbers numbers;
    numbers.add(
        "draws of theta ~ Dir(rho), K 5, 10, 20, eps 0.5 .. 5, kappa 0.8, 0.9, rho 0.01 .. 1",
        tried_count);
    numbers.add("of them with k = 0 certainly the best by U1", won);
    const LocalPopulation one{first_of(5, 0, 1.0, 0.9), {80, 10, 5, 4, 1}};
    const Interval size = best_size(1, one, erratum_bits);
    numbers.add("the best size by U1 at theta = 0.8, 0.1, 0.05, 0.04, 0.01, eps = 1, kappa = 0.9",
                size);
    return tried(33, aydin2024,
                 "Where k = 0 is allowed it won by U1 in every case tried: the method with U1 is "
                 "then the non-adaptive one.",
                 numbers, won == tried_count && size.is_zero());
}

// ---- 34: the bias of SGLD
// ------------------------------------------------------------------------

Erratum inflated_deviations() {
    Numbers numbers;
    bool inflated = true;
    for (const double epsilon : {1.0, 3.0}) {
        const LangevinBias bias = langevin_bias(epsilon);
        const auto [least, most] = std::minmax_element(bias.ratio.begin(), bias.ratio.end());
        const auto percent = [](double ratio) { return std::lround(100.0 * (ratio - 1.0)); };
        numbers.add(fmt::format("percent by which posterior sds are inflated, K = 3, n = 1500, "
                                "eps = {}, the least and the most",
                                epsilon),
                    fmt::format("{}, {}", percent(*least), percent(*most)));
        numbers.add(fmt::format("mean of sum phi, 3 under the target, eps = {}", epsilon),
                    fmt::format("{:.1f}", bias.mean_sum));
        inflated = inflated && *least > 1.05 && bias.mean_sum > 3.1;
    }
    return tried(34, aydin2024,
                 "At the paper's step 0.5/T and subsamples of 50, SGLD inflates the posterior's "
                 "standard deviations. sum phi ~ Gamma(sum rho) under the target, whatever the "
                 "answers are, so its mean shows the bias for nothing.",
                 numbers, inflated);
}

}  // namespace

std::vector<Erratum> local_privacy_errata() {
    return {released_mechanism(),  subset_sizes(), semi_adaptive(),  langevin_noise(),
            utilities_and_bound(), matrices(),     empty_set_wins(), inflated_deviations()};
}

}  // namespace assay::verify
