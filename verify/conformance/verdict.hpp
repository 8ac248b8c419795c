#pragma once
#include <array>
#include <string>
#include <string_view>

#include "verify/conformance/claim.hpp"

namespace assay::verify {

/// What a claim is worth beside a certified bracket.
enum class ClaimVerdict {
    sound,
    undecided,
    loose,
    unsound,
    close,
    off,
    invalid,
    crash,
    timeout,
    unsupported
};

inline constexpr std::array all_claim_verdicts{
    ClaimVerdict::unsound,   ClaimVerdict::invalid,    ClaimVerdict::crash, ClaimVerdict::timeout,
    ClaimVerdict::off,       ClaimVerdict::loose,      ClaimVerdict::close, ClaimVerdict::sound,
    ClaimVerdict::undecided, ClaimVerdict::unsupported};

/// "sound", "UNSOUND", ...
[[nodiscard]] std::string_view to_string(ClaimVerdict verdict);
/// The inverse.
///   Throws     Error for any other text
[[nodiscard]] ClaimVerdict claim_verdict_from_string(std::string_view text);

/// What is certified: the truth lies in [lower, upper].
struct CertifiedBracket {
    double lower = 0.0;
    double upper = 0.0;
};

struct JudgedClaim {
    ClaimVerdict verdict = ClaimVerdict::invalid;
    /// The worse of claim / U and L / claim for the sides that the claim has, at least 1 where it
    /// is on its safe side; below 1 an upper claim under L (or a lower one over U) by that factor.
    /// An estimate's factor is its ratio to the nearer end. NaN where there is no number.
    double factor = 0.0;
    std::string note;
};

/// The verdict on a claim about a question `asked` ("epsilon", ...), whose truth is in `bracket`.
///   Rules      upper claim v: UNSOUND below L, undecided within (L, U), sound up to 1.01 U, else
///              loose; a lower one is mirrored. An interval is UNSOUND where it misses [L, U] or
///              its lower end is above its upper one (then it holds nothing),
///              undecided where an end lies within, sound where each end is within 1 %, else loose.
///              An estimate within 1 % of [L, U] is close, else off. NaN, a negative answer and a
///              probability above 1 are invalid. 1e-9 relative is given to every claim
[[nodiscard]] JudgedClaim judge_claim(const Claim& claim, std::string_view asked,
                                      const CertifiedBracket& bracket);

}  // namespace assay::verify
