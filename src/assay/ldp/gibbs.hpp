#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/ldp/grouped_responses.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

struct GibbsSettings {
    int updates = 1;  ///< sweeps after each answer; 0: only an estimate draws
    bool operator==(const GibbsSettings&) const = default;
};

/// Throws DomainError (updates) unless updates >= 0.
void validate(const GibbsSettings& settings);

/// Gibbs sampler of the true categories and theta (aydin2024 Section 5.2): the posterior is its
/// exact limit distribution. Equal answers are split by binomials, so a sweep does not grow with
/// their number.
///   Maths      x | y, theta: every g(y | x) is a sum of non-negative parts, one for all x, one for
///              S or for its complement, one for x = y; an answer picks a part in proportion to
///              the part times its probability under theta, then x ~ theta within the part. So for
///              y in S, x = y with probability (e^eps1 - 1) theta_y / w_y, else x ~ theta; theta |
///              x ~ Dirichlet(rho + counts)
///   Direction  none: autocorrelated draws of the posterior
///   Cost       a sweep O(groups + K sets) binomials and additions, of distinct sets and (set, y)
class GibbsSampler {
public:
    /// Starts at theta_i = 1/K; `prior` holds rho_i in [1e-6, 1e9].
    ///   Throws     DomainError, as validate; (prior)
    GibbsSampler(const GibbsSettings& settings, const RestrictedResponse& mechanism,
                 std::span<const double> prior);

    /// Sweeps from where it stands, over the same history each time, which may have grown. Each
    /// theta goes into `trace`, where that is not empty: K numbers a sweep.
    void advance(const ResponseHistory& history, RandomStream& stream, int sweeps,
                 std::span<double> trace = {});

    [[nodiscard]] const GibbsSettings& settings() const { return settings_; }
    [[nodiscard]] std::span<const double> theta() const { return theta_; }
    /// Throws DomainError (theta) unless there are K numbers >= 0 of sum 1 to 1e-9.
    void assign(std::span<const double> theta);

private:
    void sweep(const ResponseHistory& history, RandomStream& stream);
    void split_groups(const ResponseHistory& history, RandomStream& stream);
    void spread_sets(const ResponseHistory& history, RandomStream& stream);
    void spread(RandomStream& stream, std::int64_t count);
    void draw_theta(RandomStream& stream);

    GibbsSettings settings_;
    std::vector<double> prior_;
    std::vector<double> theta_;
    GroupedResponses grouped_;
    std::vector<std::int64_t> counts_;  // x by category
    std::int64_t pool_ = 0;             // x ~ theta, still to be drawn
    std::vector<double> set_mass_;      // theta(S)
    std::vector<std::int64_t> set_extra_;
    // One part: its categories and the sum of theta from each to the last.
    std::vector<std::uint32_t> part_;
    std::vector<double> tail_;
};

}  // namespace assay
