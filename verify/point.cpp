#include "verify/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"

namespace assay::verify {

namespace {

template <class Coordinates>
auto find(Coordinates& coordinates, std::string_view name) {
    return std::find_if(coordinates.begin(), coordinates.end(),
                        [&](const auto& coordinate) { return coordinate.name == name; });
}

}  // namespace

double Point::operator[](std::string_view name) const {
    const auto at = find(coordinates_, name);
    if (at == coordinates_.end()) throw Error(fmt::format("no coordinate {} in: {}", name, text()));
    return at->value;
}

bool Point::has(std::string_view name) const {
    return find(coordinates_, name) != coordinates_.end();
}

long Point::integer(std::string_view name) const {
    const double value = (*this)[name];
    if (!(std::abs(value) < 0x1p53) || value != std::floor(value))
        throw Error(fmt::format("{} is no integer in: {}", name, text()));
    return static_cast<long>(value);
}

void Point::set(std::string_view name, double value) {
    const auto at = find(coordinates_, name);
    if (at == coordinates_.end())
        coordinates_.push_back({std::string(name), value});
    else
        at->value = value;
}

std::string Point::text() const {
    std::string line;
    for (const auto& [name, value] : coordinates_)
        line += fmt::format("{}{}={}", line.empty() ? "" : " ", name, value);
    return line;
}

Point Point::parse(std::string_view text) {
    constexpr std::string_view separators = " ,;\t";
    Point point;
    while (true) {
        const std::size_t begin = text.find_first_not_of(separators);
        if (begin == text.npos) return point;
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find_first_of(separators));
        text.remove_prefix(word.size());
        const std::size_t equals = word.find('=');
        const bool is_named = equals != word.npos && equals > 0;
        const auto value = is_named ? number_from_text(word.substr(equals + 1)) : std::nullopt;
        if (!value) throw Error(fmt::format("'{}' is not of the form name=number", word));
        point.set(word.substr(0, equals), *value);
    }
}

}  // namespace assay::verify
