#include "assay/ldp/subset_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {

namespace {

constexpr std::string_view non_adaptive = "non-adaptive";
constexpr std::string_view semi_adaptive = "semi-adaptive-";

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

bool admissible(const SemiAdaptive& rule) {
    return rule.mass > 0.0 && rule.mass < 1.0;
}

int smallest_of_mass(double mass, const RestrictedResponse& mechanism,
                     std::span<const double> falling) {
    if (falling.size() != static_cast<std::size_t>(mechanism.categories))
        throw DomainError("probabilities", fmt::format("{} values", falling.size()),
                          fmt::format("one a category, {}", mechanism.categories));
    const int largest = largest_subset(mechanism);
    int size = 0;
    for (double sum = 0.0; size < largest && !(sum >= mass - near_tie); ++size)
        sum += falling[static_cast<std::size_t>(size)];
    return std::max(size, smallest_subset(mechanism));
}

}  // namespace

std::string to_string(const SubsetRule& rule) {
    return std::visit(
        Overloaded{[](const NonAdaptive&) { return fmt::format("{}", non_adaptive); },
                   [](const SemiAdaptive& r) { return fmt::format("{}{}", semi_adaptive, r.mass); },
                   [](const ByUtility& r) { return fmt::format("{}", to_string(r.utility)); }},
        rule);
}

SubsetRule subset_rule_from_string(std::string_view name) {
    if (name == non_adaptive) return NonAdaptive{};
    for (const Utility utility : all_utilities)
        if (name == to_string(utility)) return ByUtility{utility};
    if (name.starts_with(semi_adaptive)) {
        const std::string_view digits = name.substr(semi_adaptive.size());
        const SemiAdaptive rule{read_decimal(digits).value_or(0.0)};  // 0 is not admissible
        if (admissible(rule)) return rule;
    }
    throw DomainError("rule", fmt::format("{}", name),
                      "non-adaptive, semi-adaptive-<mass in (0, 1)> or the name of a utility");
}

RestrictedResponse mechanism_for(const SubsetRule& rule, const RestrictedResponse& mechanism) {
    RestrictedResponse used = mechanism;
    if (std::holds_alternative<ByUtility>(rule) || mechanism.variant == ResponseVariant::theorem)
        return used;
    if (std::holds_alternative<SemiAdaptive>(rule)) used.budget_share = 1.0;
    used.variant = ResponseVariant::theorem;
    return used;
}

int choose_size(const SubsetRule& rule, SubsetUtilities& utilities,
                std::span<const double> falling) {
    return std::visit(
        Overloaded{[](const NonAdaptive&) { return 0; },
                   [&](const SemiAdaptive& r) {
                       require(admissible(r), "mass", r.mass, "a number in (0, 1)");
                       return smallest_of_mass(r.mass, utilities.mechanism(), falling);
                   },
                   [&](const ByUtility& r) { return utilities.best_size(r.utility, falling); }},
        rule);
}

}  // namespace assay
