#include "verify/conformance/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "assay/numeric/number_text.hpp"

namespace assay::verify {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A number, or a text that is one: NaN and infinities in any of their usual spellings.
std::optional<double> number_of(const Json& value) {
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return std::nullopt;
    auto text = value.get<std::string>();
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!text.empty() && text.front() == '+') text.erase(0, 1);
    if (text == "nan" || text == "-nan") return not_a_number;
    if (text == "infinity") text = "inf";
    if (text == "-infinity") text = "-inf";
    return read_decimal(text);
}

Claim without_number(Claim::Kind kind, std::string text) {
    return {kind, not_a_number, not_a_number, std::move(text)};
}

Claim malformed(std::string why) {
    return without_number(Claim::Kind::malformed, std::move(why));
}

std::string text_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object() && value.contains("message") && value["message"].is_string())
        return value["message"].get<std::string>();
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Claim interval_of(const Json& ends) {
    if (!ends.is_array() || ends.size() != 2) return malformed("interval is not a pair");
    const auto low = number_of(ends[0]);
    const auto high = number_of(ends[1]);
    if (!low || !high) return malformed("an end of the interval is not a number");
    return {Claim::Kind::interval, *low, *high, ""};
}

Claim value_of(const Json& answer) {
    const auto value = number_of(answer["value"]);
    if (!value) return malformed("value is not a number");
    const auto said = answer.find("claims");
    if (said == answer.end() || !said->is_string())
        return malformed("claims is missing: upper, lower or estimate");
    for (const auto kind : {Claim::Kind::upper, Claim::Kind::lower, Claim::Kind::estimate})
        if (said->get<std::string>() == to_string(kind)) return {kind, *value, *value, ""};
    return malformed(
        fmt::format("claims = {} is none of upper, lower, estimate", said->get<std::string>()));
}

/// The line with every bare NaN, Infinity and number beyond doubles in quotation marks, and with
/// question marks for bytes that are no ASCII.
std::string with_quoted_words(std::string_view line) {
    std::string out;
    bool is_text = false;
    for (std::size_t i = 0; i < line.size();) {
        const char c = line[i];
        if (is_text) {
            const std::size_t taken = c == '\\' && i + 1 < line.size() ? 2 : 1;
            if (c == '"') is_text = false;
            if (static_cast<unsigned char>(c) < 0x80)
                out += line.substr(i, taken);
            else
                out += '?';
            i += taken;
            continue;
        }
        bool found = false;
        for (const std::string_view word : {"-Infinity", "Infinity", "-inf", "inf", "NaN", "nan"}) {
            if (line.substr(i, word.size()) != word) continue;
            out.append("\"").append(word).append("\"");
            i += word.size();
            found = true;
            break;
        }
        if (found) continue;
        // A number is looked at as a whole: its digits are no numbers of their own.
        if (c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0) {
            const std::string_view rest = line.substr(i);
            const std::string_view number =
                rest.substr(0, rest.find_first_not_of("+-.0123456789eE"));
            const bool beyond = std::isinf(read_decimal(number).value_or(0.0));
            out += beyond ? fmt::format("\"{}\"", number) : std::string(number);
            i += number.size();
            continue;
        }
        is_text = c == '"';
        out += c;
        ++i;
    }
    return out;
}

/// Nothing that a claim is made of lies deeper.
constexpr int deepest = 16;

Json parsed(std::string_view text) {
    return Json::parse(
        text, [](int depth, Json::parse_event_t, const Json&) { return depth <= deepest; }, false);
}

}  // namespace

std::string_view to_string(Claim::Kind kind) {
    switch (kind) {
        case Claim::Kind::upper: return "upper";
        case Claim::Kind::lower: return "lower";
        case Claim::Kind::estimate: return "estimate";
        case Claim::Kind::interval: return "interval";
        case Claim::Kind::unsupported: return "unsupported";
        case Claim::Kind::error: return "error";
        default: return "malformed";
    }
}

Claim claim_of(const Json& answer) {
    if (!answer.is_object()) return malformed("the answer is not an object");
    if (answer.contains("unsupported"))
        return without_number(Claim::Kind::unsupported, text_of(answer["unsupported"]));
    if (answer.contains("error"))
        return without_number(Claim::Kind::error, text_of(answer["error"]));
    if (answer.contains("interval")) return interval_of(answer["interval"]);
    if (answer.contains("value")) return value_of(answer);
    return malformed("none of value, interval, unsupported, error");
}

Json object_of_line(std::string_view line) {
    // A brace of the noise may come first; more than a few are no answer.
    std::size_t at = line.find('{');
    for (int tries = 0; at != line.npos && tries < 8; ++tries, at = line.find('{', at + 1)) {
        const std::string_view text = line.substr(at);
        Json json = parsed(text);
        if (json.is_discarded()) json = parsed(with_quoted_words(text));
        if (json.is_object() && json.contains("id")) return json;
    }
    return Json(Json::value_t::discarded);
}

}  // namespace assay::verify
