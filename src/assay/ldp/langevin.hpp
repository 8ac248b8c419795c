#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/ldp/subsample.hpp"
#include "assay/numeric/random_streams.hpp"
#include "assay/numeric/tail_table.hpp"

namespace assay {

/// gamma_t = first (1 + t/delay)^-power after t answers; power 0 is a constant step.
struct StepSize {
    double first = 0.0;
    double delay = 1.0;
    double power = 0.0;

    [[nodiscard]] double at(std::int64_t answers) const;
    bool operator==(const StepSize&) const = default;
};

/// The paper's constant step 0.5 / T where T answers are planned.
[[nodiscard]] StepSize paper_step(std::int64_t planned_answers);

struct LangevinSettings {
    int updates = 20;    ///< after each answer; 0: only an estimate draws
    int subsample = 50;  ///< answers drawn for one gradient
    StepSize step{};
    bool operator==(const LangevinSettings&) const = default;
};

/// Throws DomainError (updates, subsample, step, step-delay, step-power) unless updates >= 0,
/// 1 <= subsample <= 4096, 0 < first <= 1, delay > 0 and power >= 0.
void validate(const LangevinSettings& settings);

/// Stochastic gradient Langevin dynamics for theta (aydin2024 Section 5.1 with sqrt(gamma) noise).
///   Maths      theta = phi / sum phi, phi_i ~ Gamma(rho_i, 1) a priori, so theta ~ Dirichlet(rho);
///              phi <- |phi + gamma/2 (grad log p(phi) + (t/m) sum_j grad log h(y_j)) +
///              sqrt(gamma) W|, the m answers drawn with replacement, W standard normal;
///              d/dphi_i log h = (g(y | i) / h - 1) / sum phi   (Proposition 4)
///   Direction  none: the draws are biased by the step. Under the posterior E[sum phi] = sum rho,
///              whatever the answers are; mean_sum_phi() says what it is here
///   Numbers    indices exactly uniform (Subsample); normals are the quantiles, within 3e-8, of the
///              middles of 2^32 equal cells. Where phi_i or sum phi divides it counts as at least
///              sqrt(gamma): closer to 0 a step is longer than the distance, and the quotient could
///              throw phi anywhere. Nothing here is ever a NaN or infinite
///   Cost       an update at K = 10, m = 50: 0.16 us with AVX2
class LangevinSampler {
public:
    /// Starts at phi_i = 1/K; `prior` holds K numbers rho_i in [1e-6, 1e9].
    ///   Throws     DomainError, as validate; (prior)
    LangevinSampler(const LangevinSettings& settings, const RestrictedResponse& mechanism,
                    std::span<const double> prior);

    /// Updates from where it stands, towards the posterior given these answers: always the same
    /// history, which may have grown. Each theta goes into `trace`, where that is not empty: K
    /// numbers an update.
    void advance(const ResponseHistory& history, RandomStream& stream, int updates,
                 std::span<double> trace = {});

    [[nodiscard]] const LangevinSettings& settings() const { return settings_; }
    [[nodiscard]] std::span<const double> phi() const { return std::span(phi_).first(categories_); }
    [[nodiscard]] std::span<const double> theta() const { return theta_; }
    [[nodiscard]] double sum_phi() const { return sum_phi_; }
    /// Over all updates since the start, or since forget(); 0 before the first.
    [[nodiscard]] double mean_sum_phi() const;
    void forget();

    /// Where it stands: phi, and the running sum behind mean_sum_phi().
    struct State {
        std::vector<double> phi{};
        double sum_of_sums = 0.0;
        std::int64_t updates = 0;
        bool operator==(const State&) const = default;
    };
    [[nodiscard]] State state() const;
    /// Throws DomainError (phi) unless there are K finite numbers >= 0, one positive.
    void assign(const State& state);

private:
    void fill_indices(RandomStream& stream, std::size_t words);
    void fill_normals(RandomStream& stream, std::size_t count);
    void restart(double root);
    void normalise();

    const TailTable* table_;  // one for all
    std::size_t categories_;
    LangevinSettings settings_;
    bool flat_prior_ = true;
    // Padded with 0 to whole vectors, but for theta.
    std::vector<double> prior_excess_;  // rho_i - 1
    std::vector<double> phi_;
    std::vector<double> theta_;
    std::vector<std::int64_t> magnitude_;  // all bits but the sign
    std::vector<double> no_slopes_;
    double sum_phi_ = 1.0;
    double sum_of_sums_ = 0.0;
    std::int64_t updates_ = 0;
    Subsample subsample_;
    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> indices_;
    std::vector<std::uint64_t> bits_;
    std::vector<double> normals_;
};

}  // namespace assay
