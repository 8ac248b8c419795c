#include "experiments/mironov2019/discussion_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/theorem_11.hpp"
#include "experiments/mironov2019/direct_sums.hpp"
#include "experiments/mironov2019/mironov2019.hpp"

namespace assay::experiments::mironov2019 {

namespace {

/// Largest relative difference between log M_alpha, integrated, and alpha D_(alpha+1).
struct MomentsIdentity {
    double as_defined = 0.0;  // D_(alpha+1)(M(S) || M(S'))
    double as_printed = 0.0;  // D_(alpha+1)(M(S') || M(S))
};

MomentsIdentity moments_identity(const Params& params) {
    MomentsIdentity found;
    const auto see = [](double& largest, double moment, double divergence) {
        largest = std::max(largest, std::fabs(moment - divergence) / divergence);
    };
    for (const double alpha : params.numbers("alpha"))
        for (const double sigma : params.numbers("sigma"))
            for (const double q : params.numbers("q")) {
                const DirectPair pair{.sigma = sigma, .q = q};
                const double mu_mu_0 =
                    alpha * poisson_add_remove_rdp(alpha + 1.0, sigma, q).midpoint();
                const double mu_0_mu =
                    alpha * poisson_addition_rdp(alpha + 1.0, sigma, q).midpoint();
                const auto log_moment = [&](Outputs outputs) {
                    return static_cast<double>(std::log1p(moment_less_one(pair, outputs, alpha)));
                };
                see(found.as_defined, log_moment(Outputs::from_mu), mu_mu_0);
                see(found.as_defined, log_moment(Outputs::from_mu_0), mu_0_mu);
                see(found.as_printed, log_moment(Outputs::from_mu), mu_0_mu);
                see(found.as_printed, log_moment(Outputs::from_mu_0), mu_mu_0);
            }
    return found;
}

/// How D_alpha / alpha compares with a rate, and over which orders.
struct Concentration {
    double amplified = 0.0;  // largest D_a / a over 2 q^2/sigma^2, a <= omega + 1
    double least_omega = std::numeric_limits<double>::infinity();
    double limit_least = std::numeric_limits<double>::infinity();  // D_a/a over 1/(2 sigma^2)
    double limit_most = 0.0;                                       // at a large order
    double gain_lost = std::numeric_limits<double>::infinity();    // D_a/a over 2 q^2/sigma^2 there
    double unamplified = 0.0;  // largest D_a / a over 1/(2 sigma^2), every order
    bool finite = true;
};

void look(double sigma, double q, int points, double large_order, const std::vector<double>& all,
          Concentration& found) {
    const double plain = 0.5 / (sigma * sigma);
    const double largest = largest_orders(sigma, q).exact;
    found.least_omega = std::min(found.least_omega, largest - 1.0);
    for (int i = 1; i <= points; ++i) {
        const double order = std::min(largest, 1.0 + (largest - 1.0) * i / points);
        found.amplified = std::max(found.amplified, poisson_add_remove_rdp(order, sigma, q).upper /
                                                        theorem_11(order, sigma, q).rdp.lower);
    }
    const Enclosure far = poisson_add_remove_rdp(large_order, sigma, q);
    found.limit_least = std::min(found.limit_least, far.lower / large_order / plain);
    found.limit_most = std::max(found.limit_most, far.upper / large_order / plain);
    found.gain_lost =
        std::min(found.gain_lost, far.lower / theorem_11(large_order, sigma, q).rdp.upper);
    for (const double order : all) {
        const Enclosure rdp = poisson_add_remove_rdp(order, sigma, q);
        found.finite = found.finite && std::isfinite(rdp.upper);
        found.unamplified = std::max(found.unamplified, rdp.upper / order / plain);
    }
}

}  // namespace

std::vector<Claim> discussion_claims(const Params& params) {
    const MomentsIdentity identity = moments_identity(params);
    const double large_order = params.number("large_alpha");
    const auto points = static_cast<int>(params.integer("concentrated_points"));
    const std::vector<double> all = params.numbers("all_alpha");
    Concentration found;
    for (const double sigma : params.numbers("concentrated_sigma"))
        for (const double q : params.numbers("concentrated_q"))
            look(sigma, q, points, large_order, all, found);
    constexpr double agreement = 1e-9;
    const auto at_most = [](double tolerance) {
        return fmt::format("Reproduced if they differ by a relative {:g} or less.", tolerance);
    };
    return {
        claim("identity-14", "Section 4, the lines above (14)",
              "M_α(M,S,S') = exp(α D_{α+1}(M(S) || M(S'))), the order of arguments that the "
              "definitions give.",
              fmt::format("With M_α integrated under M(S) the largest relative difference of the "
                          "logarithms of both sides is {}.",
                          below(identity.as_defined, agreement)),
              decide(identity.as_defined <= agreement), {.criterion = at_most(agreement)}),
        claim("identity-14-as-printed", "Equation (14)",
              "M_α(M,S,S') = exp(α D_{α+1}(M(S') || M(S))), the arguments as printed.",
              fmt::format("The largest relative difference of the logarithms of both sides is {}.",
                          below(identity.as_printed, agreement)),
              decide(identity.as_printed <= agreement), {.criterion = at_most(agreement)}),
        claim("satisfies-rdp", "Section 4", "The mechanism satisfies RDP.",
              fmt::format("Up to order {:g} its certified ε is at most {:.6f} times that of the "
                          "Gaussian mechanism without sampling.",
                          all.back(), found.unamplified),
              decide(found.finite && found.unamplified <= 1.0),
              {.criterion = "Reproduced if ε is finite and that factor at most 1."}),
        claim("satisfies-tcdp-with-amplification", "Section 4, Definition 12; Theorem 11",
              "The mechanism satisfies (2q²/σ², ω)-tCDP.",
              fmt::format("With ω at least {:.5g} in the settings of the figure, D_α is at most "
                          "{:.10g} times 2q²α/σ² for α < ω + 1.",
                          found.least_omega, std::ceil(1e9 * found.amplified) / 1e9),
              decide(found.amplified <= 1.0), {.criterion = "Reproduced if that is at most 1."}),
        claim("not-zcdp-with-amplification", "Section 4",
              "The mechanism does not satisfy zCDP with a rate that sampling amplifies.",
              fmt::format("At α = {:g} D_α/α is {:.5f} to {:.5f} times 1/(2σ²), the rate without "
                          "sampling, and at least {:.4g} times 2q²/σ².",
                          large_order, found.limit_least, found.limit_most, found.gain_lost),
              decide(found.gain_lost > 1.0 && found.limit_least > 0.99),
              {.criterion = "Reproduced if it is above 0.99 times the former and above the "
                            "latter."}),
        claim("not-zcdp-as-printed", "Section 4",
              "SGM does not satisfy zCDP, without qualification.",
              fmt::format("D_α/α is at most {:.6f} times 1/(2σ²) at all orders up to {:g}: the "
                          "mechanism is 1/(2σ²)-zCDP, like the Gaussian without sampling.",
                          found.unamplified, all.back()),
              decide(found.unamplified > 1.0),
              {.criterion = "Differs if that never exceeds 1, as convexity shows for every "
                            "order."}),
    };
}

}  // namespace assay::experiments::mironov2019
