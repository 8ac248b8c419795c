#include "verify/conformance/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

constexpr double given = 1e-9;      // to every claim, relative
constexpr double allowance = 0.01;  // beyond the bracket, relative, of a sound side
constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool is_probability(std::string_view asked) {
    return asked == "delta" || asked == "advantage" || asked == "type_two_error" ||
           asked == "true_positive_rate" || asked == "sampling_probability";
}

/// x / y of numbers >= 0, where 0/0 and inf/inf are 1.
double ratio(double x, double y) {
    return x == y ? 1.0 : x / y;
}

bool below(double claim, double limit) {
    return claim < limit && claim < limit * (1.0 - given);
}
bool above(double claim, double limit) {
    return claim > limit && claim > limit * (1.0 + given);
}

struct Side {
    ClaimVerdict verdict;
    double factor;
};

Side upper_side(double claim, const CertifiedBracket& truth) {
    if (below(claim, truth.lower)) return {ClaimVerdict::unsound, ratio(claim, truth.lower)};
    const double factor = ratio(claim, truth.upper);
    if (below(claim, truth.upper)) return {ClaimVerdict::undecided, 1.0};
    if (above(claim, truth.upper * (1.0 + allowance))) return {ClaimVerdict::loose, factor};
    return {ClaimVerdict::sound, std::max(1.0, factor)};
}

Side lower_side(double claim, const CertifiedBracket& truth) {
    if (above(claim, truth.upper)) return {ClaimVerdict::unsound, ratio(truth.upper, claim)};
    const double factor = ratio(truth.lower, claim);
    if (above(claim, truth.lower)) return {ClaimVerdict::undecided, 1.0};
    if (below(claim, truth.lower * (1.0 - allowance))) return {ClaimVerdict::loose, factor};
    return {ClaimVerdict::sound, std::max(1.0, factor)};
}

JudgedClaim judge_interval(const Claim& claim, const CertifiedBracket& truth) {
    if (above(claim.low, claim.high))
        return {ClaimVerdict::unsound, ratio(claim.high, claim.low),
                "the lower end is above the upper end"};
    const Side high = upper_side(claim.high, truth);
    const Side low = lower_side(claim.low, truth);
    if (high.verdict == ClaimVerdict::unsound)
        return {ClaimVerdict::unsound, high.factor, "the upper end is below the truth"};
    if (low.verdict == ClaimVerdict::unsound)
        return {ClaimVerdict::unsound, low.factor, "the lower end is above the truth"};
    // Undecided before loose: an end within the bracket may be wrong.
    for (const auto verdict : {ClaimVerdict::undecided, ClaimVerdict::loose})
        if (high.verdict == verdict || low.verdict == verdict)
            return {verdict, std::max(high.factor, low.factor),
                    high.verdict == verdict ? "the upper end" : "the lower end"};
    return {ClaimVerdict::sound, std::max(high.factor, low.factor), ""};
}

JudgedClaim judge_estimate(double claim, const CertifiedBracket& truth) {
    if (below(claim, truth.lower)) {
        const bool far = below(claim, truth.lower * (1.0 - allowance));
        return {far ? ClaimVerdict::off : ClaimVerdict::close, ratio(claim, truth.lower),
                "below the truth"};
    }
    if (above(claim, truth.upper)) {
        const bool far = above(claim, truth.upper * (1.0 + allowance));
        return {far ? ClaimVerdict::off : ClaimVerdict::close, ratio(claim, truth.upper),
                "above the truth"};
    }
    return {ClaimVerdict::close, 1.0, ""};
}

/// Why the numbers of a claim can answer no such question; empty where they can.
std::string impossible(const Claim& claim, std::string_view asked) {
    if (std::isnan(claim.low) || std::isnan(claim.high)) return "NaN";
    // The smallest number of an interval may be any: that an answer is at least 0 is known anyway.
    const bool is_interval = claim.kind == Claim::Kind::interval;
    if ((is_interval ? claim.high : claim.low) < 0.0)
        return fmt::format("{} = {} is negative", asked, claim.high);
    if (is_probability(asked) && (is_interval ? claim.low : claim.high) > 1.0 + given)
        return fmt::format("{} = {} is above 1", asked, claim.high);
    return "";
}

}  // namespace

std::string_view to_string(ClaimVerdict verdict) {
    switch (verdict) {
        case ClaimVerdict::sound: return "sound";
        case ClaimVerdict::undecided: return "undecided";
        case ClaimVerdict::loose: return "loose";
        case ClaimVerdict::unsound: return "UNSOUND";
        case ClaimVerdict::close: return "close";
        case ClaimVerdict::off: return "off";
        case ClaimVerdict::crash: return "crash";
        case ClaimVerdict::timeout: return "timeout";
        case ClaimVerdict::unsupported: return "unsupported";
        default: return "invalid";
    }
}

ClaimVerdict claim_verdict_from_string(std::string_view text) {
    for (const ClaimVerdict verdict : all_claim_verdicts)
        if (text == to_string(verdict)) return verdict;
    throw Error(fmt::format("'{}' is no verdict", text));
}

JudgedClaim judge_claim(const Claim& claim, std::string_view asked,
                        const CertifiedBracket& bracket) {
    if (claim.kind == Claim::Kind::unsupported)
        return {ClaimVerdict::unsupported, none, claim.text};
    if (claim.kind == Claim::Kind::error) return {ClaimVerdict::crash, none, claim.text};
    if (claim.kind == Claim::Kind::malformed) return {ClaimVerdict::invalid, none, claim.text};
    if (std::string why = impossible(claim, asked); !why.empty())
        return {ClaimVerdict::invalid, none, std::move(why)};
    if (claim.kind == Claim::Kind::interval) return judge_interval(claim, bracket);
    if (claim.kind == Claim::Kind::estimate) return judge_estimate(claim.high, bracket);
    const bool is_upper = claim.kind == Claim::Kind::upper;
    const Side side = is_upper ? upper_side(claim.high, bracket) : lower_side(claim.low, bracket);
    return {side.verdict, side.factor, ""};
}

}  // namespace assay::verify
