#include "assay/account/bracket.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {

Goal goal_of(Effort effort) {
    const double gap = effort == Effort::quick ? 1e-2 : (effort == Effort::normal ? 1e-3 : 1e-4);
    return {.relative_gap = gap,
            .cheap_gap = effort == Effort::quick ? gap : 0.1 * gap,
            .effort = effort};
}

std::uint64_t most_work(Effort effort) {
    if (effort == Effort::quick) return 4'500'000'000;
    return effort == Effort::normal ? 9'000'000'000 : 90'000'000'000;
}

Goal with_gap(Goal goal, double relative_gap) {
    goal.relative_gap = goal.cheap_gap = relative_gap;
    return goal;
}

Effort effort_from_string(std::string_view name) {
    if (name == "quick") return Effort::quick;
    if (name == "normal") return Effort::normal;
    if (name == "thorough") return Effort::thorough;
    throw DomainError("effort", std::string(name), "quick, normal or thorough");
}

double Bracket::gap() const {
    if (!std::isfinite(upper.value) || upper.value == 0.0) return 0.0;
    return (upper.value - lower.value) / upper.value;
}

void Bracket::improve(const Bound& better_lower, const Bound& better_upper,
                      StandingFilter standing) {
    const auto is_admitted = [&](const Bound& bound) {
        return standing == StandingFilter::any || bound.theorem.standing == Standing::published;
    };
    if (is_admitted(better_lower) && better_lower.value > lower.value) lower = better_lower;
    if (is_admitted(better_upper) && better_upper.value < upper.value) {
        upper = better_upper;
        upper_order = 0.0;
    }
    if (better_upper.theorem.standing == Standing::published &&
        better_upper.value < best_published.value) {
        best_published = better_upper;
        published_order = 0.0;
    }
}

std::string describe(const Bracket& bracket, int digits) {
    return fmt::format("[{}, {}]", text_not_above(bracket.lower.value, digits),
                       text_not_below(bracket.upper.value, digits));
}

Bracket from_renyi(const PrivacyBracket& found) {
    return {found.lower,       found.upper,           found.published_upper,
            found.upper_order, found.published_order, ""};
}

}  // namespace assay
