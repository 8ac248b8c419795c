#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "assay/cli/phase_input.hpp"

namespace assay::cli {

/// What is done with each phase of a list.
using TakePhase = std::function<void(const Fields&)>;

/// A schedule file: TOML with one table [[phase]] per phase, its keys named like the options.
///   Throws     FileError (file, line), with what `take` throws in it
void read_schedule(const std::filesystem::path& file, const TakePhase& take);

/// The same from a text; `name` stands for the file in messages.
void parse_schedule(std::string_view text, const std::string& name, const TakePhase& take);

}  // namespace assay::cli
