#include "assay/formulas/quantity.hpp"

#include "assay/formulas/quantities.hpp"
#include "test_support/test_support.hpp"

namespace assay::formulas {
namespace {

TEST_CASE("values that cross do not leave a quantity", "[formulas]") {
    Quantity quantity{"crossed", {}, "", "", trivial::line, [](const Arguments&) -> Answer {
                          return Enclosure{2.0, 1.0};
                      }};
    CHECK_THROWS_AS(evaluate(quantity, {}), InternalError);
    quantity.curve = [](std::span<const double> orders, const Arguments&) {
        return std::vector<Enclosure>(orders.size(), Enclosure{0.0, std::nan("")});
    };
    const double order = 2.0;
    CHECK_THROWS_AS(evaluate_curve(quantity, {&order, 1}, {}), InternalError);
}

TEST_CASE("a curve is what real orders and one mechanism determine", "[formulas]") {
    for (const char* name : {"exact.poisson_add_remove", "wang2019.lower", "mironov2019.thm_11"}) {
        CAPTURE(name);
        const Quantity& quantity = *find_quantity(name);
        bool integer_order = false;
        for (const Parameter& parameter : quantity.parameters)
            if (std::string_view(parameter.name) == "alpha")
                integer_order = parameter.type != ParameterType::number;
        CHECK(is_curve(quantity) == !integer_order);
    }
    for (const char* name : {"birrell2024.thm_3_6", "birrell2024.q_tilde", "birrell2024.log_M"})
        CHECK_FALSE(is_curve(*find_quantity(name)));
}

// Catches orders that are asked at the wrong place, and answers made up after the deadline.
TEST_CASE("a curve is its orders one by one, trivial after the deadline", "[formulas]") {
    const std::vector<double> orders{1.5, 2.0, 7.25};
    for (const char* name : {"exact.poisson_add_remove", "birrell2024.thm_3_3"}) {
        CAPTURE(name);
        const Quantity& quantity = *find_quantity(name);
        Arguments arguments;
        for (const char* noise : {"s", "sigma"}) arguments.set(noise, 2.0);
        arguments.set("q", 0.01);
        arguments.set("m", 4.0);
        const std::vector<Enclosure> curve = evaluate_curve(quantity, orders, arguments);
        REQUIRE(curve.size() == orders.size());
        for (std::size_t i = 0; i < orders.size(); ++i) {
            Arguments at = arguments;
            at.set("alpha", orders[i]);
            const Enclosure one = evaluate(quantity, at).values.front();
            CHECK(test_support::meet(curve[i], one));
            CHECK(curve[i].relative_width() < 1e-9);
        }
    }
    Quantity slow = *find_quantity("exact.poisson_add_remove");
    slow.curve = nullptr;
    Arguments late;
    late.set("s", 2.0);
    late.set("q", 0.01);
    late.deadline = ThreadClock::time_point::min();
    for (const Enclosure& value : evaluate_curve(slow, orders, late))
        CHECK(value == trivial::half_line);
}

}  // namespace
}  // namespace assay::formulas
