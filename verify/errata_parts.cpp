#include "verify/errata_parts.hpp"

#include <fmt/format.h>

#include "assay/numeric/errors.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

constexpr int digits = 10;

}  // namespace

Interval agreed_value(const char* quantity, Method method, const Point& point) {
    Interval value = oracle_truth(quantity, method)(point, erratum_bits);
    const Enclosure answer = library_answer(std::string_view(quantity), point);
    const Interval library = Interval::between(Interval(answer.lower, erratum_bits),
                                               Interval(answer.upper, erratum_bits));
    if (!overlap(value, library))
        throw Error(fmt::format("{} at {}: the library answers [{}, {}], the oracle [{}, {}]",
                                quantity, point.text(), answer.lower, answer.upper,
                                value.lower_text(20), value.upper_text(20)));
    return value;
}

Interval Numbers::add(const std::string& name, const char* quantity, Method method,
                      const Point& point) {
    return add(name, agreed_value(quantity, method, point));
}

Json& Numbers::entry(const std::string& name) {
    if (json_.contains(name)) throw Error(fmt::format("two numbers are called '{}'", name));
    return json_[name];
}

const Interval& Numbers::add(const std::string& name, const Interval& value) {
    entry(name) = Json::array({value.lower_text(digits), value.upper_text(digits)});
    return value;
}

void Numbers::add(const std::string& name, long count) {
    entry(name) = count;
}

void Numbers::add(const std::string& name, const std::string& text) {
    entry(name) = text;
}

Interval number(double x) {
    return Interval(x, erratum_bits);
}

Erratum tried(int item, const char* paper, std::string statement, const Numbers& numbers,
              bool confirmed) {
    return {item, paper, std::move(statement), numbers.json(),
            confirmed ? "confirmed" : "not confirmed"};
}

Erratum not_decidable(int item, const char* paper, std::string statement, Numbers numbers,
                      const std::string& reason) {
    numbers.add("reason", reason);
    return {item, paper, std::move(statement), numbers.json(), "not decidable"};
}

}  // namespace assay::verify
