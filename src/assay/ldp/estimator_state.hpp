#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <variant>
#include <vector>

#include "assay/ldp/gibbs.hpp"
#include "assay/ldp/langevin.hpp"
#include "assay/ldp/subset_choice.hpp"

namespace assay {

/// What draws theta from its posterior: Langevin updates on subsamples, or exact Gibbs sweeps.
using PosteriorSampler = std::variant<LangevinSettings, GibbsSettings>;

struct AdaptiveSettings {
    RestrictedResponse mechanism;
    SubsetRule rule = ByUtility{};
    PosteriorSampler sampler = LangevinSettings{};
    std::vector<double> prior;  ///< Dirichlet parameters rho_i in [1e-6, 1e9]; empty: 1 each
    std::uint64_t seed = 0;
};

/// One input whose answers were taken, so that the same file is not counted twice.
struct TakenInput {
    std::uint64_t digest = 0;  // of its answers, in their order
    std::int64_t answers = 0;
    std::int64_t taken_at = 0;  // seconds since 1970, UTC

    [[nodiscard]] bool is_same(const TakenInput& other) const {
        return digest == other.digest && answers == other.answers;
    }
};

/// What an adaptive estimator goes on with, besides the answers.
struct EstimatorCourse {
    AdaptiveSettings settings;
    std::vector<TakenInput> inputs{};
    std::int64_t sum_of_sizes = 0;
    LangevinSampler::State sampler{};  // of Gibbs theta alone, as phi
};

/// All that decides what an adaptive estimator does next.
struct EstimatorState {
    EstimatorCourse course;
    std::vector<ResponseHistory::Response> responses;
    std::vector<std::uint64_t> members;  // as ResponseHistory::members_outside()
};

/// Writes a state file (files/state_file.hpp), whole or not at all.
///   Memory     8 bytes an answer and those of its sets, once
///   Throws     FileError when it cannot be written
void write_state(const std::filesystem::path& path, const EstimatorCourse& course,
                 std::span<const ResponseHistory::Response> responses,
                 std::span<const std::uint64_t> members);

/// What write_state wrote, every double to the bit. Whether the settings are admitted is for the
/// estimator to say.
///   Memory     the file and the state
///   Throws     FileError: no state, of another version, cut short, damaged
[[nodiscard]] EstimatorState read_state(const std::filesystem::path& path);

}  // namespace assay
