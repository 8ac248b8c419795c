#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
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

/// All that decides what an adaptive estimator does next.
struct EstimatorState {
    AdaptiveSettings settings;
    std::vector<ResponseHistory::Response> responses;
    std::vector<std::uint64_t> members;  // as ResponseHistory::members_outside()
    std::int64_t sum_of_sizes = 0;
    LangevinSampler::State sampler{};  // of Gibbs theta alone, as phi
};

/// Little endian: a magic line, a version, the settings, the answers, the sampler, a CRC-32 of all
/// before it.
///   Memory     8 bytes an answer and those of its sets, as in `state`; the stream is written in
///              one pass
///   Throws     FileError (name) when the stream does not take it
void write_state(std::ostream& out, const std::string& name, const EstimatorState& state);

/// What write_state wrote, every double to the bit. Whether the settings are admitted is for the
/// estimator to say.
///   Throws     FileError (name): no state, of another version, cut short, damaged
[[nodiscard]] EstimatorState read_state(std::istream& in, const std::string& name);

}  // namespace assay
