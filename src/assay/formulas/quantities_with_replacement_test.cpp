#include <cmath>

#include "assay/rdp/with_replacement_bounds.hpp"
#include "test_support/quantity_value.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using test_support::quantity_value;

// Parameters of different values: catches two that are exchanged on their way to the formula.

namespace {

constexpr double batch = 6.0;
constexpr double dataset = 40.0;

/// Bin(n; batch, 1/dataset).
double drawn(int n) {
    const double p = 1.0 / dataset;
    return std::tgamma(batch + 1.0) / std::tgamma(n + 1.0) / std::tgamma(batch - n + 1.0) *
           std::pow(p, n) * std::pow(1.0 - p, batch - n);
}

}  // namespace

TEST_CASE("the effective sampling probability is that of the copies kept", "[formulas]") {
    for (const int copies : {1, 2, 4}) {
        double some = 0.0;
        for (int n = 1; n <= copies; ++n) some += drawn(n);
        const Enclosure found = quantity_value(
            "birrell2024.q_tilde", {{"B", batch}, {"D", dataset}, {"K", double(copies)}});
        CAPTURE(copies);
        CHECK(test_support::agrees(found, some / (some + drawn(0)), 1e-13));
    }
}

// At an order between integers every step of the way from the exact value is a loss; the order
// grows from 2, where there is a closed form.
TEST_CASE("the bounds with replacement are in their order", "[formulas]") {
    const double sigma = 4.0;
    const auto value = [&](const char* name, double order, test_support::Parameters more) {
        formulas::Arguments arguments;
        for (const auto& [parameter, given] : more) arguments.set(parameter, given);
        arguments.set("alpha", order);
        arguments.set("sigma", sigma);
        arguments.set("B", batch);
        arguments.set("D", dataset);
        return evaluate(*formulas::find_quantity(name), arguments).values.front();
    };
    const Enclosure exact = value("birrell2024.thm_3_7", 2.0, {});
    const Enclosure exact_h = value("birrell2024.thm_3_6_exact_h", 2.5, {{"K", 6.0}});
    const Enclosure capped = value("birrell2024.thm_3_6_capped", 2.5, {{"m", 4.0}, {"K", 6.0}});
    const Enclosure printed = value("birrell2024.thm_3_6", 2.5, {{"m", 4.0}, {"K", 6.0}});
    CHECK(exact.upper < exact_h.lower);
    CHECK(exact_h.upper < capped.lower);
    CHECK(capped.upper < printed.lower);
    CHECK(printed == theorem_3_6_rdp(2.5, sigma, 4, 6, 40, 6));
    CHECK(capped == theorem_3_6_capped_rdp(2.5, sigma, 4, 6, 40, 6));
    const double linear =
        3.0 * batch / 2.0 * (2.0 * batch * 2.0 / (sigma * sigma) - std::log(dataset));
    CHECK(test_support::agrees(value("birrell2024.eq_120", 3.0, {}), linear, 1e-13));
}
