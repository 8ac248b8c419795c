#include "experiments/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "assay/files/json_number.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

constexpr Verdict all_verdicts[] = {Verdict::reproduced, Verdict::differs, Verdict::undecidable};

Json found_to_json(const std::variant<double, std::string>& found) {
    if (const auto* text = std::get_if<std::string>(&found)) return *text;
    const double number = std::get<double>(found);
    require(!std::isnan(number), "found", number, "a number, or a text");
    return number_to_json<Json>(number);
}

/// The members of a basis that say something, behind those of its claim.
void add_basis(Json& json, const Basis& basis) {
    if (!basis.criterion.empty()) json["criterion"] = basis.criterion;
    if (!basis.details.empty()) json["details"] = basis.details;
    if (!basis.would_decide.empty()) json["would_decide"] = basis.would_decide;
}

Basis basis_from_json(const Json& json) {
    return {.criterion = json.value("criterion", std::string()),
            .details = json.value("details", std::vector<std::string>()),
            .would_decide = json.value("would_decide", std::string())};
}

std::variant<double, std::string> found_from_json(const Json& json) {
    if (json.is_number()) return json.get<double>();
    const auto text = json.get<std::string>();
    const std::optional<double> number = number_from_text(text);
    if (number && std::isinf(*number)) return *number;
    return text;
}

Verdict verdict_from(const std::string& text, const std::string& name) {
    for (const Verdict verdict : all_verdicts)
        if (text == to_string(verdict)) return verdict;
    throw FileError(name, 0, fmt::format("verdict \"{}\" is unknown", text));
}

void require_text(const std::string& value, const char* field) {
    if (value.empty()) throw DomainError(field, "\"\"", "a claim leaves no field empty");
}

}  // namespace

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::reproduced: return "reproduced";
        case Verdict::differs: return "differs";
        default: return "undecidable";
    }
}

Verdict decide(bool holds) {
    return holds ? Verdict::reproduced : Verdict::differs;
}

std::string claims_to_json(const std::vector<Claim>& claims) {
    Json list = Json::array();
    std::set<std::string> ids;
    for (const Claim& claim : claims) {
        require_text(claim.id, "id");
        require_text(claim.paper, "paper");
        require_text(claim.where, "where");
        require_text(claim.statement, "statement");
        if (!ids.insert(claim.id).second)
            throw DomainError("id", claim.id, "every claim has an id of its own");
        list.push_back({{"id", claim.id},
                        {"paper", claim.paper},
                        {"where", claim.where},
                        {"statement", claim.statement},
                        {"found", found_to_json(claim.found)},
                        {"verdict", to_string(claim.verdict)}});
        add_basis(list.back(), claim.basis);
    }
    return list.dump(2) + "\n";
}

std::vector<Claim> claims_from_json(std::string_view text, const std::string& name) {
    try {
        std::vector<Claim> claims;
        for (const Json& json : Json::parse(text))
            claims.push_back({.id = json.at("id"),
                              .paper = json.at("paper"),
                              .where = json.at("where"),
                              .statement = json.at("statement"),
                              .found = found_from_json(json.at("found")),
                              .verdict = verdict_from(json.at("verdict"), name),
                              .basis = basis_from_json(json)});
        return claims;
    } catch (const Json::exception& error) {
        throw FileError(name, 0, std::string("is no list of claims: ") + error.what());
    }
}

std::string count_verdicts(const std::vector<Claim>& claims) {
    std::string line;
    for (const Verdict verdict : all_verdicts) {
        const auto count = std::count_if(claims.begin(), claims.end(), [&](const Claim& claim) {
            return claim.verdict == verdict;
        });
        if (count == 0) continue;
        line += fmt::format("{}{} {}", line.empty() ? "" : ", ", count, to_string(verdict));
    }
    return line.empty() ? "no claim" : line;
}

}  // namespace assay
