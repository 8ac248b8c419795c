#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

inline constexpr std::size_t terminal_columns = 80;

/// A paragraph in lines of at most 80 columns where its words allow that: the first line begins
/// with `first`, the others with `hanging` blanks. Runs of blanks inside the paragraph are kept.
[[nodiscard]] std::string wrapped(std::string_view paragraph, std::string_view first,
                                  std::size_t hanging);

}  // namespace assay
