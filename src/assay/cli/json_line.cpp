#include "assay/cli/json_line.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "assay/numeric/errors.hpp"
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

/// Numbers that the parser would make 0 reach their parameters as texts.
std::string with_underflows_as_texts(std::string_view line) {
    std::string text;
    for (std::string_view small = underflow_in(line); !small.empty(); small = underflow_in(line)) {
        const auto at = static_cast<std::size_t>(small.data() - line.data());
        text.append(line.substr(0, at)).append(1, '"').append(small).append(1, '"');
        line.remove_prefix(at + small.size());
    }
    return text.append(line);
}

}  // namespace

Json parse_object(std::string line) {
    std::vector<std::set<std::string>> keys;  // of the objects that are open
    const auto check = [&keys](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > deepest_nesting) throw Error("nested too deeply");
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key &&
            !keys.back().insert(parsed.get<std::string>()).second)
            throw Error(fmt::format("{} is there twice", parsed.get<std::string>()));
        return true;
    };
    if (line.find('\0') != line.npos)
        throw Error("not JSON: a null byte");  // else an end to the parser
    line = with_underflows_as_texts(line);
    for (int unreadable_numbers = 0;; ++unreadable_numbers) {
        try {
            keys.clear();
            Json parsed = Json::parse(line, check);
            if (!parsed.is_object()) throw Error("not a JSON object");
            return parsed;
        } catch (const Json::out_of_range& error) {
            // "... number overflow parsing '1e999'" is good JSON; as a text it reaches its
            // parameter.
            const std::string_view what = error.what();
            const std::size_t opening = what.find('\'');
            if (opening == what.npos || unreadable_numbers == 16) throw Error(reason_of(error));
            const std::string number(what.substr(opening + 1, what.rfind('\'') - opening - 1));
            line.replace(line.find(number), number.size(), '"' + number + '"');
        } catch (const Json::exception& error) {
            throw Error(reason_of(error));
        }
    }
}

}  // namespace assay::cli
