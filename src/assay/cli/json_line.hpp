#pragma once
#include <string>

#include "assay/cli/json_number.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

/// A line that holds no object, with its id where that could be read all the same, else null.
class JsonLineError : public Error {
public:
    explicit JsonLineError(const std::string& message, Json id = nullptr)
        : Error(message), id_(std::move(id)) {}
    [[nodiscard]] const Json& id() const { return id_; }

private:
    Json id_;
};

/// The object that a line of JSON Lines holds. Numbers that the parser would change become texts:
/// those that no double is near, and integers of more than 64 bits.
///   Throws     JsonLineError, one line: longer than 1 MiB, not JSON, not an object, nested deeper
///              than 32, a name that is there twice
[[nodiscard]] Json parse_object(std::string line);

}  // namespace assay::cli
