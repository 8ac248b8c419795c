#include <cmath>

#include "verify/checks/law_parts.hpp"
#include "verify/rows.hpp"
#include "verify/subjects.hpp"

namespace assay::verify {

namespace {

Check law(std::string id, std::string claim, Space space, int quick, int full) {
    Check check;
    check.id = std::move(id);
    check.claim = std::move(claim);
    check.kind = Kind::law;
    check.space = std::move(space);
    check.quick_points = quick;
    check.full_points = full;
    return check;
}

}  // namespace

Interval interval_of(const Enclosure& x) {
    return Interval::between(Interval(x.lower, distribution_bits),
                             Interval(x.upper, distribution_bits));
}

Enclosure enclosure_of(const Interval& x) {
    return {x.lower_double(), x.upper_double()};
}

Check at_most_law(std::string id, std::string claim, Space space, int quick, int full, Side small,
                  Side large) {
    Check check = law(std::move(id), std::move(claim), std::move(space), quick, full);
    check.subject = "library: the larger side";
    check.oracle = "library: the smaller side's lower end";
    check.relation = Relation::at_least;
    check.evaluate = [large = std::move(large)](const Point& p) { return enclosure_of(large(p)); };
    check.truth = [small = std::move(small)](const Point& p, long bits) {
        return Interval(small(p).lower_double(), bits);
    };
    return check;
}

Check equality_law(std::string id, std::string claim, Space space, int quick, int full, Side a,
                   Side b) {
    Check check = law(std::move(id), std::move(claim), std::move(space), quick, full);
    check.subject = "library: one route";
    check.oracle = "library: the other route";
    check.relation = Relation::overlaps;
    check.evaluate = [a = std::move(a)](const Point& p) { return enclosure_of(a(p)); };
    check.truth = [b = std::move(b)](const Point& p, long) { return b(p); };
    return check;
}

Side answer(std::string quantity) {
    return answer(std::move(quantity), [](Point&) {});
}

Side answer(std::string quantity, std::function<void(Point&)> change) {
    return [quantity = std::move(quantity), change = std::move(change)](const Point& point) {
        Point changed = point;
        change(changed);
        return interval_of(library_answer(std::string_view(quantity), changed));
    };
}

Dimension step_dimension() {
    return {"step", Scale::logarithmic, 1e-12, 1.0, false, {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0}};
}

double larger_order(const Point& point) {
    return 1.0 + (point["alpha"] - 1.0) * (1.0 + point["step"]);
}

double larger_probability(const Point& point) {
    const double q = point["q"];
    return q + 0.5 * point["step"] * std::fmin(q, 1.0 - q);
}

double larger(const Point& point, const char* name) {
    return point[name] * (1.0 + point["step"]);
}

std::vector<Check> law_rows() {
    return joined({divergence_laws, sampler_laws, bound_laws, conversion_laws, accounting_laws,
                   composition_laws, bracket_laws, sequence_laws, trade_off_laws});
}

}  // namespace assay::verify
