#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay {

/// What our numbers say about a statement of a paper.
enum class Verdict { reproduced, differs, undecidable };

/// What a verdict rests on, beside the sentence that says it. Members left empty are not written.
struct Basis {
    std::string criterion{};             ///< the rule of the verdict, with its threshold
    std::vector<std::string> details{};  ///< the numbers of each setting
    std::string would_decide{};          ///< undecidable: what would decide it, at what cost
    friend bool operator==(const Basis&, const Basis&) = default;
};

/// One quantitative statement of a paper, and what we found.
struct Claim {
    std::string id;         ///< unique: "birrell2024-fig02-factor-4"
    std::string paper;      ///< "birrell2024"
    std::string where;      ///< "Sec 3.2, below Theorem 3.4"
    std::string statement;  ///< the paper's, in one sentence; nothing of what was found
    std::variant<double, std::string> found;  ///< in one sentence: number, test, result
    Verdict verdict = Verdict::undecidable;
    Basis basis{};

    friend bool operator==(const Claim&, const Claim&) = default;
};

[[nodiscard]] std::string_view to_string(Verdict verdict);

/// `reproduced` if it holds, else `differs`.
[[nodiscard]] Verdict decide(bool holds);

/// A JSON list, one object a claim, in the order given; numbers keep their bits, infinity is "inf".
///   Throws     DomainError on NaN, an empty field, or an id given twice
[[nodiscard]] std::string claims_to_json(const std::vector<Claim>& claims);

/// Reads such a list back; `name` stands for the file in messages.
///   Throws     FileError
[[nodiscard]] std::vector<Claim> claims_from_json(std::string_view text, const std::string& name);

/// "7 reproduced, 1 differs"; verdicts that do not occur are left out, "no claim" where none does.
[[nodiscard]] std::string count_verdicts(const std::vector<Claim>& claims);

}  // namespace assay
