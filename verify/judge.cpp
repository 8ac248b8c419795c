#include "verify/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>

namespace assay::verify {

namespace {

constexpr int truth_digits = 20;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// truth >= x, for every, respectively for no, number of the interval.
bool certainly_above(const Interval& truth, double x) {
    return mpfr_cmp_d(truth.lower(), x) >= 0;
}
bool certainly_not_above(const Interval& truth, double x) {
    return mpfr_cmp_d(truth.upper(), x) < 0;
}
bool certainly_below(const Interval& truth, double x) {
    return mpfr_cmp_d(truth.upper(), x) <= 0;
}
bool certainly_not_below(const Interval& truth, double x) {
    return mpfr_cmp_d(truth.lower(), x) > 0;
}

Verdict both(Verdict a, Verdict b) {
    if (a == Verdict::violated || b == Verdict::violated) return Verdict::violated;
    if (a == Verdict::undecided || b == Verdict::undecided) return Verdict::undecided;
    return Verdict::holds;
}

Verdict upper_side(const Enclosure& subject, const Interval& truth) {
    if (certainly_below(truth, subject.upper)) return Verdict::holds;
    return certainly_not_below(truth, subject.upper) ? Verdict::violated : Verdict::undecided;
}

Verdict lower_side(const Enclosure& subject, const Interval& truth) {
    if (certainly_above(truth, subject.lower)) return Verdict::holds;
    return certainly_not_above(truth, subject.lower) ? Verdict::violated : Verdict::undecided;
}

Verdict common_point(const Enclosure& subject, const Interval& truth) {
    // The truth is a reference interval in its own right here: touching is enough.
    return certainly_not_below(truth, subject.upper) || certainly_not_above(truth, subject.lower)
               ? Verdict::violated
               : Verdict::holds;
}

Verdict decide(Relation relation, const Enclosure& subject, const Interval& truth) {
    switch (relation) {
        case Relation::at_least: return upper_side(subject, truth);
        case Relation::at_most: return lower_side(subject, truth);
        case Relation::overlaps: return common_point(subject, truth);
        default: return both(lower_side(subject, truth), upper_side(subject, truth));
    }
}

/// x relative to the size of the truth; both may be 0 or infinite.
double relative(double x, double size) {
    if (x == 0.0) return 0.0;
    if (std::isnan(x)) return 0.0;  // inf - inf: equal ends
    if (size == 0.0 || std::isinf(x)) return std::copysign(infinity, x);
    return x / size;
}

void measure(Trial& trial, Relation relation, const Interval& truth) {
    const double low = truth.lower_double();
    const double high = truth.upper_double();
    const double size = std::max(std::abs(low), std::abs(high));
    const double finite_size = std::isinf(size) ? 1.0 : size;
    const Enclosure& s = trial.subject;
    // Differences of ends that both round to one double are formed in MPFR.
    const double above = (Interval(s.upper, 64) - truth).lower_double();
    const double below = (truth - Interval(s.lower, 64)).lower_double();
    const double over = relative(s.upper == infinity ? infinity : above, finite_size);
    const double under = relative(s.lower == -infinity ? infinity : below, finite_size);
    switch (relation) {
        case Relation::at_least: trial.margin = over; break;
        case Relation::at_most: trial.margin = under; break;
        default: trial.margin = std::min(over, under);
    }
    trial.width = s.lower == s.upper ? 0.0 : relative(s.upper - s.lower, finite_size);
}

bool is_too_wide(const Check& check, const Trial& trial, const Interval& truth) {
    return trial.width > check.widest && mpfr_cmp_d(truth.upper(), check.narrow_from) >= 0;
}

}  // namespace

Trial judge(const Check& check, const Point& point, const JudgeLimits& limits) {
    using Clock = std::chrono::steady_clock;
    Trial trial;
    trial.point = point;
    try {
        trial.subject = check.evaluate(point);
    } catch (const std::exception& error) {
        trial.verdict = Verdict::violated;
        trial.margin = -infinity;
        trial.note = fmt::format("the subject throws: {}", error.what());
        return trial;
    }
    if (!(trial.subject.lower <= trial.subject.upper)) {  // NaN included
        trial.verdict = Verdict::violated;
        trial.margin = -infinity;
        trial.note = "the subject is no interval";
        return trial;
    }
    const auto start = Clock::now();
    double last_width = infinity;
    int without_progress = 0;
    bool too_wide = false;
    for (long bits = limits.first_bits; bits <= limits.last_bits; bits *= 2) {
        try {
            const Interval truth = check.truth(point, bits);
            trial.bits = bits;
            trial.truth_lower = truth.lower_text(truth_digits);
            trial.truth_upper = truth.upper_text(truth_digits);
            trial.verdict = decide(check.relation, trial.subject, truth);
            measure(trial, check.relation, truth);
            too_wide = is_too_wide(check, trial, truth);
            const double width = truth.relative_width();
            without_progress = width < last_width ? 0 : without_progress + 1;
            last_width = width;
        } catch (const std::exception& error) {
            trial.verdict = Verdict::undecided;
            trial.note = fmt::format("the oracle throws: {}", error.what());
            return trial;
        }
        if (trial.verdict != Verdict::undecided || without_progress == 2) break;
        // Twice the bits cost four times the time or more.
        const double spent = std::chrono::duration<double>(Clock::now() - start).count();
        if (5.0 * spent > limits.seconds) break;
    }
    if (trial.verdict == Verdict::holds && too_wide) {
        trial.verdict = Verdict::violated;
        trial.note = fmt::format("wider than {:g}", check.widest);
    }
    if (trial.verdict == Verdict::undecided) trial.note = "the oracle is too wide to decide";
    return trial;
}

}  // namespace assay::verify
