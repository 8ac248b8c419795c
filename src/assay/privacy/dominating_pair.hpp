#pragma once
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "assay/numeric/bound.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/mechanism.hpp"

namespace assay {

// The one table from a mechanism to the pairs of output distributions that accountants work with.
// Lengths are in units of the noise; N_c is the normal distribution at c.

/// A pair (P, Q) whose hockey-stick divergences, in both orders, are at least those of one
/// repetition on any two neighbours, and which therefore may be composed in its place
/// (docs/proofs.md F).
///   removal     P = (1-q) N_0 + q N_c, Q = N_0           (a record, or none; q = 1: no sampling)
///   antipodal   P = (1-q) N_0 + q N_c, Q = (1-q) N_0 + q N_{-c}
///   symmetric   the ratio W = dP/dQ of `removal` where W > 1, with Q's mass; 1/W there, with P's
///               mass; and 1 with the rest
///   halved      P = (1-q) N_0 + q N_c, Q = (1-q) N_0 + q N_(c/2)
///   largest     the largest of `batches` coordinates N(0, 1), to one of which c (P) or c/2 (Q) is
///               added; q = 1
///   null_record as symmetric, but 1/W is that of c/2, and W is cut off below the place where both
///               sides are equally far apart in total variation; 1 has the rest
struct DominatingPair {
    enum class Shape { removal, antipodal, symmetric, halved, largest, null_record };
    Shape shape = Shape::removal;
    real q = 1.0L;
    real c = 0.0L;
    bool attained = true;  // by two neighbouring data sets: then a lower bound is one of the truth
    Theorem theorem;

    /// Sampling with replacement: with probability Bin(B, 1/D)(k) the record is hit k times, c is
    /// the shift of one hit and q the probability of any. The removal pair is then
    /// P = sum_k Bin(B, 1/D)(k) N_(kc), and another shape tells k, drawn given that it is not 0:
    /// its pair is that with shift kc.
    struct Draws {
        std::int64_t batch_size = 0;
        std::int64_t dataset_size = 0;
    };
    std::optional<Draws> draws = std::nullopt;
    std::int64_t batches = 1;

    /// With this probability, which is told, the step is that of another shape and shift and the
    /// same q: a batch that is cut.
    struct Cut {
        real probability = 0.0L;
        Shape shape = Shape::removal;
        real c = 0.0L;
    };
    Cut cut = {};
    [[nodiscard]] bool is_cut() const { return cut.probability > 0.0L; }

    /// Pairs that two neighbours attain, with no larger divergences: the same where it is attained
    /// itself. Which of them tells more depends on q, c and the number of repetitions.
    [[nodiscard]] std::vector<DominatingPair> attained_pairs() const;
};

/// The pair of one repetition; c = 0 where nothing is released.
///   Throws  DomainError, UnsupportedMechanism where no theorem gives a pair
[[nodiscard]] DominatingPair dominating_pair(const Mechanism& mechanism, Adjacency adjacency);

/// Whether a theorem gives one.
[[nodiscard]] bool has_dominating_pair(const Mechanism& mechanism, Adjacency adjacency);

/// What the largest sum of an epoch of shuffled batches tells of a record against a null one, all
/// others opposite to the record (chua2025 Proposition 2.6): neighbours attain it, and it does not
/// dominate.
[[nodiscard]] DominatingPair largest_coordinate_pair(const Shuffled& mechanism);

/// P = (1-q) N_0 + q N_shift, Q = (1-q) N_0 + q N_other.
struct TwoPointMixtures {
    real q = 1.0L;
    real shift = 0.0L;
    real other = 0.0L;
};

/// P = sum_k Bin(B, 1/D)(k) N_(k shift), Q = N_0.
struct BinomialMixture {
    std::int64_t batch_size = 0;
    std::int64_t dataset_size = 0;
    real shift = 0.0L;
};

/// The pair that two neighbours attain and whose Renyi divergence of every order is the largest
/// (docs/proofs.md A-E), with the theorem behind that.
struct WorstRenyiPair {
    std::variant<TwoPointMixtures, BinomialMixture> mixtures;
    Theorem theorem;
    /// The mean shift without sampling: D_a <= a unsampled_shift^2 / 2 (with replacement the record
    /// may fill the whole batch).
    real unsampled_shift = 0.0L;

    /// Both are normal, without a mixture.
    [[nodiscard]] bool is_gaussian() const;
};

/// Whether a theorem gives one.
[[nodiscard]] bool has_worst_renyi_pair(const Mechanism& mechanism, Adjacency adjacency);

///   Throws  DomainError, UnsupportedMechanism where no theorem gives one
[[nodiscard]] WorstRenyiPair worst_renyi_pair(const Mechanism& mechanism, Adjacency adjacency);

}  // namespace assay
