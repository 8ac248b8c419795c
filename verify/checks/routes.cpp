#include "verify/checks/routes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assay/numeric/errors.hpp"
#include "verify/oracles/oracle.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

Check library_row(std::string id, std::string claim, Relation relation, Space space, int quick,
                  int full) {
    Check check;
    check.subject = "library: " + id.substr(0, id.rfind('.'));
    check.id = std::move(id);
    check.claim = std::move(claim);
    check.relation = relation;
    check.space = std::move(space);
    check.quick_points = quick;
    check.full_points = full;
    return check;
}

namespace {

std::vector<Oracle> oracles_by(Method method) {
    switch (method) {
        case Method::sum: return integer_order_oracles();
        case Method::formula: return published_formula_oracles();
        case Method::trapezoid: return trapezoid_oracles();
        default: return arb_oracles();
    }
}

}  // namespace

std::string_view to_string(Method method) {
    switch (method) {
        case Method::sum: return "sum";
        case Method::formula: return "formula";
        case Method::trapezoid: return "trapezoid";
        default: return "arb";
    }
}

std::function<Interval(const Point&, long)> oracle_truth(std::string_view quantity, Method method) {
    const std::vector<Oracle> oracles = oracles_by(method);
    const auto at = std::find_if(oracles.begin(), oracles.end(),
                                 [&](const Oracle& oracle) { return oracle.quantity == quantity; });
    if (at == oracles.end())
        throw Error(fmt::format("no oracle of {} by {}", quantity, to_string(method)));
    return at->evaluate;
}

std::function<Interval(const Point&, long)> any_oracle(std::string_view quantity) {
    return [name = std::string(quantity)](const Point& point, long bits) {
        const std::vector<Oracle> oracles = oracles_of(name, point);
        if (oracles.empty())
            throw Error(fmt::format("no oracle of {} covers {}", name, point.text()));
        return oracles.front().evaluate(point, bits);
    };
}

std::function<Enclosure(const Point&)> library_subject(std::string quantity) {
    return [quantity = std::move(quantity)](const Point& point) {
        return library_answer(std::string_view(quantity), point);
    };
}

std::string oracle_name(std::string_view quantity, Method method) {
    return fmt::format("{}: {}", to_string(method), quantity);
}

}  // namespace assay::verify
