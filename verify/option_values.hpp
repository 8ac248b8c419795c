#pragma once
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "assay/numeric/number_text.hpp"

namespace assay::verify {

/// A seed: any unsigned integer of 64 bits. The option parser itself takes -1 for the largest.
inline const CLI::Validator is_seed(
    [](const std::string& text) {
        return read_integer<std::uint64_t>(text)
                   ? std::string()
                   : text + " is no integer from 0 to 18446744073709551615";
    },
    "0..2^64-1");

/// A finite number of seconds, 0 or more.
inline const CLI::Validator is_seconds(
    [](const std::string& text) {
        const double seconds = number_from_text(text).value_or(-1.0);
        return seconds >= 0.0 && std::isfinite(seconds) && !is_underflow(text)
                   ? std::string()
                   : text + " is no number of seconds";
    },
    "SECONDS");

}  // namespace assay::verify
