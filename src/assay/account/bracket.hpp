#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "assay/numeric/bound.hpp"
#include "assay/rdp/epsilon_bracket.hpp"

namespace assay {

/// How much work an answer may take: counted, not clocked, so that its bits do not depend on the
/// machine. Answers that need more are wider, and their note says so.
enum class Effort { quick, normal, thorough };

/// What an answer should look like.
struct Goal {
    double relative_gap = 1e-3;  // (upper - lower) / upper; the note of a wider answer says why
    double cheap_gap = 1e-4;     // aimed at as well where that takes a tenth of the effort at most
    Effort effort = Effort::normal;
    StandingFilter standing = StandingFilter::any;
};

/// quick: relative gap 1e-2, normal: 1e-3, thorough: 1e-4, and the work that goes with it; a tenth
/// of the gap where that is cheap, but for quick.
[[nodiscard]] Goal goal_of(Effort effort);

/// What an answer, or a search for a parameter, may take of it, roughly in ns of one processor.
[[nodiscard]] std::uint64_t most_work(Effort effort);

/// That gap and none closer.
[[nodiscard]] Goal with_gap(Goal goal, double relative_gap);

/// Of "quick", "normal" or "thorough".              Throws  DomainError
[[nodiscard]] Effort effort_from_string(std::string_view name);

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
