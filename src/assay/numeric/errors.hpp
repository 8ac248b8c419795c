#pragma once
#include <stdexcept>
#include <string>

namespace assay {

/// Base of every exception the library throws; what() is one complete line of at most some hundred
/// bytes: of a longer one the middle is left out.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message);
};

/// A parameter lies outside the set on which the asked quantity is defined.
class DomainError : public Error {
public:
    DomainError(std::string parameter, std::string value, std::string admissible);
    DomainError(std::string parameter, double value, std::string admissible);

    [[nodiscard]] const std::string& parameter() const noexcept { return parameter_; }
    [[nodiscard]] const std::string& value() const noexcept { return value_; }
    [[nodiscard]] const std::string& admissible() const noexcept { return admissible_; }

private:
    std::string parameter_;
    std::string value_;
    std::string admissible_;
};

/// Answers contradict each other: a defect of the library, whatever the input.
class InternalError : public Error {
public:
    using Error::Error;
};

/// Results of different direction (upper, lower) or adjacency were combined.
class DirectionError : public Error {
public:
    using Error::Error;
};

/// No theorem covers this sampler under this adjacency.
class UnsupportedMechanism : public Error {
public:
    using Error::Error;
};

/// A file cannot be read, parsed or written; line 0 means the file as a whole.
class FileError : public Error {
public:
    FileError(std::string file, int line, std::string message);

    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    [[nodiscard]] int line() const noexcept { return line_; }

private:
    std::string file_;
    int line_;
};

/// Throws DomainError unless `ok`; a NaN makes every comparison false, so NaN is refused here.
void require(bool ok, const char* parameter, double value, const char* admissible);

}  // namespace assay
