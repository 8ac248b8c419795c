#pragma once
#include <nlohmann/json.hpp>

#include "verify/judge.hpp"

namespace assay::verify {

using Json = nlohmann::ordered_json;

/// {"point": {"alpha": 2.5, ..}, "verdict", "margin", "width", "bits", "subject": [lower, upper],
/// "truth": ["..", ".."], "note"}: doubles keep their bits, infinities are the strings "inf",
/// "-inf".
[[nodiscard]] Json to_json(const Trial& trial);
/// The inverse. Throws Json::exception or Error.
[[nodiscard]] Trial trial_from_json(const Json& json);

}  // namespace assay::verify
