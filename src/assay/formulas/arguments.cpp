#include "assay/formulas/arguments.hpp"

#include <fmt/format.h>

namespace assay::formulas {

MissingParameter::MissingParameter(std::string_view parameter)
    : Error(fmt::format("{} is missing", parameter)), parameter_(parameter) {}

void Arguments::set(std::string_view name, Value value) {
    values_.insert_or_assign(std::string(name), std::move(value));
}

bool Arguments::has(std::string_view name) const {
    return values_.contains(name);
}

const Arguments::Value& Arguments::value(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw MissingParameter(name);
    return found->second;
}

double Arguments::number(std::string_view name) const {
    return std::get<double>(value(name));
}

std::int64_t Arguments::integer(std::string_view name) const {
    return static_cast<std::int64_t>(number(name));
}

int Arguments::small(std::string_view name) const {
    return static_cast<int>(number(name));
}

const std::vector<double>& Arguments::numbers(std::string_view name) const {
    return std::get<std::vector<double>>(value(name));
}

std::vector<std::int64_t> Arguments::integers(std::string_view name) const {
    const std::vector<double>& list = numbers(name);
    std::vector<std::int64_t> result;
    result.reserve(list.size());
    for (const double x : list) result.push_back(static_cast<std::int64_t>(x));
    return result;
}

std::vector<int> Arguments::categories(std::string_view name) const {
    const std::vector<double>& list = numbers(name);
    std::vector<int> result;
    result.reserve(list.size());
    for (const double x : list) result.push_back(static_cast<int>(x));
    return result;
}

const std::vector<Answered>& Arguments::answers(std::string_view name) const {
    return std::get<std::vector<Answered>>(value(name));
}

const std::string& Arguments::text(std::string_view name) const {
    return std::get<std::string>(value(name));
}

}  // namespace assay::formulas
