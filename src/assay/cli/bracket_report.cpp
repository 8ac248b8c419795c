#include "assay/cli/bracket_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/files/build_info.hpp"
#include "assay/help/wrap.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

std::string theorem_text(const Bound& bound) {
    if (bound.status == Status::vacuous) return "vacuous: nothing could be certified";
    return fmt::format("{} ({})", bound.theorem.citation,
                       bound.theorem.standing == Standing::published
                           ? "published"
                           : "ours: proved there, not peer-reviewed");
}

}  // namespace

std::string side_text(const Bound& bound) {
    return bound.direction == Direction::lower ? text_not_above(bound.value)
                                               : text_not_below(bound.value);
}

std::string side_line(std::string_view label, const Bound& bound, double order) {
    const std::string first = fmt::format("  {:<20} {:<16} ", label, side_text(bound));
    const std::string at = order > 1.0 ? fmt::format("at order {:.6g}, ", order) : "";
    return wrapped(at + theorem_text(bound), first, first.size());
}

Json side_json(const Bound& bound, double order) {
    Json json{{"value", json_number(bound.value)}};
    if (order > 1.0) json["order"] = order;
    json["theorem"] = bound.theorem.citation;
    json["standing"] = to_string(bound.theorem.standing);
    json["status"] = to_string(bound.status);
    return json;
}

std::string report_text(const BracketReport& report, const ReleaseInput& input) {
    const Bracket& bracket = report.bracket;
    std::string text =
        fmt::format("{} in [{}, {}] at {} = {}\n\n", report.wanted, side_text(bracket.lower),
                    side_text(bracket.upper), report.given, report.given_value);
    text += side_line("upper", bracket.upper, bracket.upper_order);
    text += side_line("lower", bracket.lower);
    text += side_line("best published upper", bracket.best_published, bracket.published_order);
    if (!bracket.note.empty()) text += wrapped("note: " + bracket.note, "  ", 4);
    text += input.phases.size() == 1 ? "\nmechanism\n" : "\nphases\n";
    for (const PhaseInput& phase : input.phases) text += wrapped(phase.description(), "  ", 4);
    if (report.accountant != "best")
        text += fmt::format(
            "\naccountant\n  {} alone, for comparison\n",
            report.accountant == "rdp" ? "Renyi divergences" : "privacy loss distributions");
    if (report.orders != "continuous")
        text += fmt::format("\norders\n  the minimum over {} alone\n", report.orders);
    text += "\nassumptions\n";
    for (const std::string& assumption : input.assumptions()) text += wrapped(assumption, "  ", 4);
    return text;
}

Json report_json(const BracketReport& report, const ReleaseInput& input) {
    const Bracket& bracket = report.bracket;
    return {{"quantity", report.wanted},
            {report.given, report.given_value},
            {"adjacency", to_string(input.release.adjacency)},
            {"phases", input.phases_json()},
            {"release", release_json(input.release)},
            {"accountant", report.accountant},
            {"orders", report.orders},
            {"standing", input.standing == StandingFilter::any ? "any" : "published"},
            {"lower", side_json(bracket.lower)},
            {"upper", side_json(bracket.upper, bracket.upper_order)},
            {"published_upper", side_json(bracket.best_published, bracket.published_order)},
            {"gap", bracket.gap()},
            {"note", bracket.note.empty() ? Json(nullptr) : Json(bracket.note)},
            {"assumptions", input.assumptions()},
            {"version", build_info().version}};
}

}  // namespace assay::cli
