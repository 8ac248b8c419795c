#include "assay/numeric/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay {

namespace {

/// What an input quoted in a message does not make longer than a reader would read.
std::string shortened(std::string message) {
    constexpr std::size_t most = 1000;
    constexpr std::size_t end = 300;
    std::ranges::replace(message, '\0', '?');  // which would end what()
    if (message.size() <= most) return message;
    return message.substr(0, most - end) + " ... " + message.substr(message.size() - end);
}

}  // namespace

Error::Error(const std::string& message) : std::runtime_error(shortened(message)) {}

DomainError::DomainError(std::string parameter, std::string value, std::string admissible)
    : Error(fmt::format("{} = {} is not admitted: {}", parameter, value, admissible)),
      parameter_(std::move(parameter)),
      value_(std::move(value)),
      admissible_(std::move(admissible)) {}

DomainError::DomainError(std::string parameter, double value, std::string admissible)
    : DomainError(std::move(parameter), fmt::format("{}", value), std::move(admissible)) {}

FileError::FileError(std::string file, int line, std::string message)
    : Error(line > 0 ? fmt::format("{}:{}: {}", file, line, message)
                     : fmt::format("{}: {}", file, message)),
      file_(std::move(file)),
      line_(line) {}

void require(bool ok, const char* parameter, double value, const char* admissible) {
    if (!ok) throw DomainError(parameter, value, admissible);
}

}  // namespace assay
