#pragma once
#include <string>

#include "assay/numeric/bound.hpp"
#include "assay/rdp/epsilon_bracket.hpp"

namespace assay {

/// What an answer should look like.
struct Goal {
    double relative_gap = 1e-3;  // (upper - lower) / upper
    StandingFilter standing = StandingFilter::any;
};

/// An answer: the truth lies in [lower, upper], each side the best that any accountant gives.
struct Bracket {
    Bound lower;
    Bound upper;
    Bound best_published;    // the best upper bound from published theorems alone
    double upper_order = 0;  // of the Renyi divergence behind it; 0: there is none
    double published_order = 0;
    std::string note;  // why a side is wide; empty where both are as close as was asked for

    /// (upper - lower) / upper; 0 where upper is 0 or infinite.
    [[nodiscard]] double gap() const;

    /// Takes each bound that is better, as far as the standing of its theorem is admitted.
    void improve(const Bound& better_lower, const Bound& better_upper, StandingFilter standing);
};

/// "[lower, upper]" with so many significant digits, rounded outward.
[[nodiscard]] std::string describe(const Bracket& bracket, int digits = 8);

[[nodiscard]] Bracket from_renyi(const PrivacyBracket& found);

}  // namespace assay
