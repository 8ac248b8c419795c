#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay::cli {

/// Why a line of `assay eval` has no answer.
enum class ErrorKind {
    unknown_quantity,
    missing_parameter,
    unknown_parameter,
    domain,
    not_a_number,
    not_json,
    memory,
    internal
};

[[nodiscard]] constexpr std::string_view to_string(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::unknown_quantity: return "unknown_quantity";
        case ErrorKind::missing_parameter: return "missing_parameter";
        case ErrorKind::unknown_parameter: return "unknown_parameter";
        case ErrorKind::domain: return "domain";
        case ErrorKind::not_a_number: return "not_a_number";
        case ErrorKind::not_json: return "not_json";
        case ErrorKind::memory: return "memory";
        default: return "internal";
    }
}

/// A line that cannot be answered as it stands. `parameter` is empty where no parameter is at
/// fault.
class InputError : public Error {
public:
    InputError(ErrorKind kind, std::string parameter, const std::string& message)
        : Error(message), kind_(kind), parameter_(std::move(parameter)) {}

    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
    [[nodiscard]] const std::string& parameter() const noexcept { return parameter_; }

private:
    ErrorKind kind_;
    std::string parameter_;
};

}  // namespace assay::cli
