#include "assay/cli/json_line.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "assay/files/bounded_input.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::cli {

namespace {

constexpr int deepest_nesting = 32;

std::string reason_of(const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: ...": keep the reason.
    std::string_view what = error.what();
    for (const std::string_view opening : {"] ", "parse error at line 1, "})
        if (const std::size_t at = what.find(opening); at != what.npos)
            what.remove_prefix(at + opening.size());
    return fmt::format("not JSON: {}", what);
}

/// Whether the parser would make 0 of a number, find no double for it, or round an integer.
bool is_changed(std::string_view number) {
    const std::optional<double> value = read_decimal(number);
    if (!value) return false;
    if (number.find_first_of(".eE") != number.npos)
        return std::isinf(*value) || is_underflow(number);
    return !read_integer<std::int64_t>(number) && !read_integer<std::uint64_t>(number);
}

/// Such numbers reach their parameters as texts.
std::string with_changed_as_texts(std::string_view line) {
    std::string text;
    for (std::string_view word = number_in(line, is_changed); !word.empty();
         word = number_in(line, is_changed)) {
        const auto at = static_cast<std::size_t>(word.data() - line.data());
        text.append(line.substr(0, at)).append(1, '"').append(word).append(1, '"');
        line.remove_prefix(at + word.size());
    }
    return text.append(line);
}

}  // namespace

Json parse_object(std::string line) {
    std::vector<std::set<std::string>> keys;  // of the objects that are open
    std::string twice;
    const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > deepest_nesting) throw JsonLineError("nested too deeply");
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key &&
            !keys.back().insert(parsed.get<std::string>()).second && twice.empty())
            twice = parsed.get<std::string>();
        return true;
    };
    if (line.size() > largest_json_line) throw JsonLineError(too_long(largest_json_line));
    if (line.find('\0') != line.npos)
        throw JsonLineError("not JSON: a null byte");  // else an end to the parser
    line = with_changed_as_texts(line);
    try {
        Json parsed = Json::parse(line, check);
        if (!parsed.is_object()) throw JsonLineError("not a JSON object");
        if (twice.empty()) return parsed;
        throw JsonLineError(fmt::format("{} is there twice", twice),
                            twice == "id" ? Json() : parsed.value("id", Json()));
    } catch (const Json::exception& error) {
        throw JsonLineError(reason_of(error));
    }
}

}  // namespace assay::cli
