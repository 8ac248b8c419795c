#include "verify/errata.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "verify/errata_parts.hpp"

namespace assay::verify {

namespace {

/// "2.5e-02" as 0.025, where the exponent is small.
std::string plain(const std::string& scientific) {
    const std::size_t at = scientific.find('e');
    if (at == std::string::npos) return scientific;
    const int exponent = std::stoi(scientific.substr(at + 1));
    const std::string sign = scientific.front() == '-' ? "-" : "";
    std::string digits = scientific.substr(sign.size(), at - sign.size());
    std::erase(digits, '.');
    if (exponent < -4 || exponent + 1 >= static_cast<int>(digits.size())) return scientific;
    if (exponent < 0)
        return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    digits.insert(static_cast<std::size_t>(exponent) + 1, ".");
    return sign + digits;
}

std::string value_text(const Json& value) {
    if (!value.is_array()) return value.is_string() ? value.get<std::string>() : value.dump();
    const std::string lower = plain(value[0].get<std::string>());
    const std::string upper = plain(value[1].get<std::string>());
    return lower == upper ? lower : fmt::format("[{}, {}]", lower, upper);
}

/// Bars would end a table's cell.
std::string cell(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

}  // namespace

std::vector<Erratum> errata_on_trial() {
    std::vector<Erratum> errata;
    for (auto* list :
         {theorem_errata, with_replacement_errata, formula_errata, accounting_errata, figure_errata,
          sampled_gaussian_errata, balls_and_bins_errata, batch_size_errata, local_privacy_errata})
        for (Erratum& one : list()) errata.push_back(std::move(one));
    std::stable_sort(errata.begin(), errata.end(),
                     [](const Erratum& a, const Erratum& b) { return a.item < b.item; });
    return errata;
}

std::string errata_json(const std::vector<Erratum>& errata) {
    Json all = Json::array();
    for (const Erratum& one : errata)
        all.push_back({{"item", one.item},
                       {"paper", one.paper},
                       {"statement", one.statement},
                       {"numbers", one.numbers},
                       {"verdict", one.verdict}});
    return all.dump(2) + "\n";
}

std::string errata_markdown(const std::vector<Erratum>& errata) {
    std::string text =
        "# Mistakes in the papers, tried again\n\n"
        "Written by `assay-verify errata`; do not edit. Every number is computed afresh in "
        "interval "
        "arithmetic by the oracles of `verify/`, and where `assay eval` has the quantity its "
        "answer "
        "was required to overlap the oracle's. [a, b] contains the exact value at the doubles "
        "named.\n\n"
        "- confirmed: the numbers bear the statement out;\n"
        "- not confirmed: they do not;\n"
        "- not decidable: numbers cannot tell, and the reason is given.\n\n"
        "birrell2024: Birrell, Ebrahimi, Behnia, Pacheco, *DP-SGD with Fixed-Size Minibatches: "
        "Tighter RDP Guarantees with or without Replacement*, NeurIPS 2024. mironov2019: Mironov, "
        "Talwar, Zhang, *Rényi Differential Privacy of the Sampled Gaussian Mechanism*, 2019. "
        "chua2025: Chua, Ghazi, Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha, Zhang, "
        "*Balls-and-Bins Sampling for DP-SGD*, 2025. aydin2024: Aydin, Yildirim, *Adaptive Online "
        "Bayesian Estimation of Frequency Distributions with Local Differential Privacy*, "
        "2024.\n\n"
        "| item | paper | statement | verdict |\n| --- | --- | --- | --- |\n";
    for (const Erratum& one : errata)
        text += fmt::format("| {} | {} | {} | {} |\n", one.item, one.paper, cell(one.statement),
                            one.verdict);
    text += "\n## Numbers\n";
    for (const Erratum& one : errata) {
        if (one.numbers.empty()) continue;
        text += fmt::format("\nItem {}, {}: {}\n\n", one.item, one.paper, one.verdict);
        for (const auto& [name, value] : one.numbers.items())
            text += fmt::format("- {}: {}\n", name, value_text(value));
    }
    return text;
}

std::vector<std::string> errata_differences(std::string_view expected, std::string_view found) {
    const Json a = Json::parse(expected);
    const Json b = Json::parse(found);
    std::vector<std::string> lines;
    if (a.size() != b.size())
        lines.push_back(fmt::format("{} entries instead of {}", b.size(), a.size()));
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i] == b[i]) continue;
        const Json difference = Json::diff(a[i], b[i]);
        lines.push_back(fmt::format("item {}: {}", a[i].at("item").dump(), difference.dump()));
    }
    return lines;
}

}  // namespace assay::verify
