#pragma once
#include "assay/numeric/errors.hpp"

// toml++. Its own assertions are false for some malformed files ("[[["): they would end a program
// with assertions, and be taken for granted by the optimiser of one without. Here they throw an
// Error in both.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(expr) ((expr) ? void() : throw assay::Error("is no TOML"))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
