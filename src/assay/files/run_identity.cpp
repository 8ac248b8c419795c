#include "assay/files/run_identity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

const std::string* value_of(const RunIdentity& identity, const std::string& name) {
    const auto found = std::find_if(identity.begin(), identity.end(),
                                    [&](const RunField& field) { return field.name == name; });
    return found == identity.end() ? nullptr : &found->value;
}

/// Two texts that differ, short enough for a message: cut around their first difference.
std::string there_and_here(const std::string& there, const std::string& here) {
    constexpr std::size_t longest = 40;
    const auto [left, right] = std::mismatch(there.begin(), there.end(), here.begin(), here.end());
    const auto same = static_cast<std::size_t>(left - there.begin());
    const std::size_t begin = std::max(there.size(), here.size()) <= longest || same < longest / 2
                                  ? 0
                                  : same - longest / 2;
    const auto cut = [&](const std::string& text) {
        return fmt::format("{}{}{}", begin > 0 ? "..." : "", text.substr(begin, longest),
                           begin + longest < text.size() ? "..." : "");
    };
    return fmt::format("{} there, {} here", cut(there), cut(here));
}

}  // namespace

void require_readable(const RunField& field) {
    const bool name_is_a_word =
        !field.name.empty() && field.name.find_first_of(" \n") == std::string::npos;
    if (!name_is_a_word || field.value.find('\n') != std::string::npos)
        throw DomainError("field", field.name, "a name without blanks, a value of one line");
}

std::string differences(const RunIdentity& there, const RunIdentity& here) {
    std::string found;
    const auto compare = [&](const std::string& name, const std::string* a, const std::string* b) {
        const std::string none = "none";
        const std::string& left = a == nullptr ? none : *a;
        const std::string& right = b == nullptr ? none : *b;
        if (left != right)
            found += fmt::format("{}{} {}", found.empty() ? "" : "; ", name,
                                 there_and_here(left, right));
    };
    for (const auto& [name, value] : here) compare(name, value_of(there, name), &value);
    for (const auto& [name, value] : there)
        if (value_of(here, name) == nullptr) compare(name, &value, nullptr);
    return found;
}

}  // namespace assay
