#pragma once
#include <string>

namespace assay {

/// The arithmetic that certified numbers are computed with, in one line: the significand of `real`
/// and the C library whose functions docs/error_bounds.md makes assumptions about, as it is loaded
/// now. "long double of 64 bits, double of 53 bits, C library glibc 2.36".
[[nodiscard]] std::string arithmetic_line();

}  // namespace assay
