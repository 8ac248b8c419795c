#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "assay/ldp/estimator_state.hpp"

namespace assay {

struct PosteriorEstimate {
    std::vector<double> mean;          ///< a category
    std::vector<double> lower, upper;  ///< equal-tailed credible intervals
    double level = 0.0;
    int draws = 0;  ///< kept
    /// Langevin only: mean of sum phi over the kept draws, and what it is under the posterior. Far
    /// from it the draws are not the posterior's.
    std::optional<double> mean_sum_phi;
    double expected_sum_phi = 0.0;
};

/// AdOBEst-LDP (aydin2024 Algorithm 1) as a stream: ask for the set of the next user, feed the
/// answer, take the estimate at any time.
///   Maths      after each answer `updates` steps of the sampler, from where it stood, towards
///              p(theta | answers); theta_t is the last; the next set holds the categories most
///              probable under theta_t, as many as the rule says. Before any answer theta is
///              uniform
///   Memory     O(K) numbers, ResponseHistory::bytes() and 8 bytes an answer, at most 32 bytes a
///              distinct set, times at most 2; Gibbs 24 bytes a distinct (S, y) more. Measured at
///              K = 100 and 10^7 users, peak of the process: 200 MiB simulated by U6 and langevin;
///              where every set differs from the others and every answer is outside 548 MiB, 676
///              MiB with langevin, 996 MiB with an estimate by Gibbs
///   Random     what is drawn after answer t, and by estimate() there, are functions of the seed
///              and t: a restored estimator goes on with the same bits
///   Cost       an answer: `updates` steps of the sampler and the rule; a set is only chosen when
///              it is asked for
class AdaptiveEstimator {
public:
    /// Throws DomainError naming the parameter.
    explicit AdaptiveEstimator(AdaptiveSettings settings);

    [[nodiscard]] const AdaptiveSettings& settings() const { return settings_; }
    [[nodiscard]] int categories() const { return settings_.mechanism.categories; }

    /// The set and the distribution by which the next user answers, for respond().
    [[nodiscard]] const CategorySubset& subset();
    [[nodiscard]] const ResponseDistribution& distribution();

    /// The answer, 0..K-1, to subset().
    ///   Throws     DomainError (response), and changes nothing
    void feed(int response);
    /// An answer collected elsewhere, to this set; subset() stays no longer.
    ///   Throws     DomainError (response, subset, subset-size), and changes nothing
    void feed(const CategorySubset& subset, int response);

    /// Posterior mean and credible intervals from `updates` further steps of the sampler, the first
    /// `discarded` not counted. The stream goes on as if it had not been asked.
    ///   Domain     0 <= discarded < updates, 0 < level < 1, K (updates - discarded) <= 2^28
    ///   progress   called with the number of steps since the last call, of Gibbs after each step
    ///   Cost       `updates` steps; 8 K (updates - discarded) bytes
    ///   Throws     DomainError (updates, discarded, level)
    [[nodiscard]] PosteriorEstimate estimate(
        int updates, int discarded, double level = 0.95,
        const std::function<void(int steps)>& progress = {}) const;

    /// theta_t: one draw, not an estimate.
    [[nodiscard]] std::span<const double> current() const;
    [[nodiscard]] const ResponseHistory& history() const { return history_; }
    [[nodiscard]] std::int64_t responses() const { return history_.size(); }
    /// Mean of |S| over the answers so far (0 where there are none); 0 a user of the non-adaptive
    /// rule.
    [[nodiscard]] double mean_subset_size() const;
    /// Langevin: mean of sum phi over the stream's updates so far; sum rho under the posterior.
    [[nodiscard]] std::optional<double> mean_sum_phi() const;

    /// The inputs that were taken, as far as they were noted.
    [[nodiscard]] std::span<const TakenInput> inputs() const { return inputs_; }
    void note_input(const TakenInput& input) { inputs_.push_back(input); }

    /// All that decides what comes, and the inputs noted, as a state file.
    ///   Throws     FileError when it cannot be written
    void save(const std::filesystem::path& path) const;
    /// What save() wrote.
    ///   Throws     FileError: not a state, of another version, cut short, damaged
    [[nodiscard]] static AdaptiveEstimator restore(const std::filesystem::path& path);

private:
    void take(const CategorySubset& subset, int response);
    [[nodiscard]] RandomStream stream_at(std::uint64_t block) const;

    AdaptiveSettings settings_;
    SubsetUtilities utilities_;
    ResponseHistory history_;
    std::variant<LangevinSampler, GibbsSampler> sampler_;
    CategorySubset subset_;
    std::vector<double> falling_;
    bool chosen_ = false;
    std::int64_t sum_of_sizes_ = 0;
    std::vector<TakenInput> inputs_;
};

}  // namespace assay
