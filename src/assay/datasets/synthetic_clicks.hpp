#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/datasets/dataset.hpp"

namespace assay {

/// A stand-in for click logs of which the true model is known.
struct SyntheticClicks {
    std::int64_t examples = 100'000;
    std::uint64_t seed = 0;
    int integers = 13;             // long-tailed whole numbers 0 .. 9999, given as log(1 + v)
    int fields = 26;               // categorical ones
    std::int32_t smallest = 4;     // categories of the first field
    std::int32_t largest = 1000;   // of the last one; between them a geometric sequence
    double tail_exponent = 1.1;    // category k = 1, 2, .. has probability ~ k^-tail_exponent
    double mean_log_odds = -1.35;  // about a quarter of the labels are 1
    double log_odds_spread = 1.3;  // standard deviation of the log odds over the examples
};

/// The refusals of synthetic_clicks, before any work.
///   Throws     DomainError naming the field
void validate(const SyntheticClicks& clicks);

/// Examples, and the log odds of each label being 1 under the model that drew it.
struct SyntheticSample {
    Dataset data;
    std::vector<double> log_odds;
};

/// Independent examples of independent features.
///   Maths      log odds = mean + spread * sum_i e_i(feature i), label ~ Bernoulli. A field's e_i
///   is
///              a normal number for each category, an integer's is +-log(1 + v), both standardised
///              under the distribution of the feature to mean 0 and variance 1 / (fields +
///              integers): so the mean and the spread are those of the log odds exactly, and a
///              linear model on one-hot categories and the given values is the true one
///   Domain     examples 1 .. 2^32-1; 0 <= integers, fields <= 1000, not both 0; 2 <= smallest <=
///              largest <= 10^7; tail exponent in [0, 10]; mean in [-30, 30]; spread in [0, 30]
///   Direction  the first examples are the same whatever their number (Purpose::synthetic_data)
///   Cost       about 2 us an example of 39 features, and 4 bytes for each of these
///   Throws     DomainError
[[nodiscard]] SyntheticSample synthetic_sample(const SyntheticClicks& clicks);

/// The data of synthetic_sample alone.
[[nodiscard]] Dataset synthetic_clicks(const SyntheticClicks& clicks);

/// The area under the ROC curve of the true model, which no model exceeds but by chance; the labels
/// are summed out, so only the choice of the examples is random.
///   Maths      sum_{i,j} p_i (1-p_j) [s_i > s_j, or half if equal] / (sum_i p_i sum_j (1-p_j)) for
///              the log odds s and p = 1 / (1 + e^-s)
///   Direction  estimate, error about 0.3 / sqrt(n)        Cost  a sort
///   Throws     DomainError (examples) for none; 0.5 where all labels are certain and alike
[[nodiscard]] double best_possible_auc(std::span<const double> log_odds);

}  // namespace assay
