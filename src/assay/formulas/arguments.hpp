#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "assay/formulas/thread_clock.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::formulas {

/// A randomised answer and the set of categories with which it was asked for, as in the line.
struct Answered {
    int y = 0;
    std::vector<int> S;
};

/// A parameter that may be left out, but not with the others as they are.
class MissingParameter : public Error {
public:
    explicit MissingParameter(std::string_view parameter);
    [[nodiscard]] const std::string& parameter() const noexcept { return parameter_; }

private:
    std::string parameter_;
};

/// The parameters of one line, read and checked: a quantity's `evaluate` finds every parameter of
/// its list here, in its domain.
class Arguments {
public:
    using Value = std::variant<double, std::vector<double>, std::vector<Answered>, std::string>;

    void set(std::string_view name, Value value);
    [[nodiscard]] bool has(std::string_view name) const;

    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    /// An integer whose domain lies within int.
    [[nodiscard]] int small(std::string_view name) const;
    [[nodiscard]] const std::vector<double>& numbers(std::string_view name) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    /// A set of categories, as listed.
    [[nodiscard]] std::vector<int> categories(std::string_view name) const;
    [[nodiscard]] const std::vector<Answered>& answers(std::string_view name) const;
    [[nodiscard]] const std::string& text(std::string_view name) const;

    /// When an evaluation made of many parts should stop and answer with what it has, in the
    /// processor time of the thread that evaluates.
    ThreadClock::time_point deadline = ThreadClock::time_point::max();

private:
    [[nodiscard]] const Value& value(std::string_view name) const;

    std::map<std::string, Value, std::less<>> values_;
};

}  // namespace assay::formulas
