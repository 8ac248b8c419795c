#pragma once
#include <string>
#include <string_view>

#include "assay/numeric/errors.hpp"

namespace assay {

[[noreturn]] inline void refuse_toml() {
    throw Error("is no TOML");
}

}  // namespace assay

// toml++. Its own assertions are false for some malformed files ("[[["): they would end a program
// with assertions, and be taken for granted by the optimiser of one without. Here they throw an
// Error in both.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(expr) ((expr) ? void() : assay::refuse_toml())
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace assay {

/// The document in `text`, which errors call `name`. Refused as well is what the parser does not
/// bear: nesting more than 64 deep, letters outside ASCII that are in no comment or text, texts of
/// several lines, quotation marks and brackets within a word.
///   Throws     FileError (name, line)
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& name);

}  // namespace assay
