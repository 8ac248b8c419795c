#include "assay/ldp/estimator_state.hpp"

#include <limits>
#include <sstream>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

EstimatorState some_state() {
    EstimatorState state;
    state.settings.mechanism = {.categories = 3,
                                .epsilon = 0.1,
                                .budget_share = 1.0 / 3.0,
                                .variant = ResponseVariant::as_released};
    state.settings.rule = SemiAdaptive{0.1 + 0.2};
    state.settings.sampler = LangevinSettings{
        .updates = 7, .subsample = 9, .step = {.first = 1e-300, .delay = 3.3, .power = 0.7}};
    state.settings.prior = {0.1, std::numeric_limits<double>::denorm_min(), 1e9};
    state.settings.seed = ~std::uint64_t{0};
    state.responses = {{.category = 2, .set = 5}, {.category = 0, .set = 0}};
    state.members = {1, 2, 3};
    state.sum_of_sizes = -1;
    state.sampler = {.phi = {0.0, -0.0, 1e308}, .sum_of_sums = 1.0 / 7.0, .updates = 8};
    return state;
}

std::string text_of(const EstimatorState& state) {
    std::ostringstream out;
    write_state(out, "there", state);
    return out.str();
}

}  // namespace

TEST_CASE("a state is read as it was written", "[estimator_state]") {
    std::vector<EstimatorState> states{some_state(), some_state(), some_state()};
    states[1].settings.rule = ByUtility{Utility::mean_squared_error};
    states[1].settings.sampler = GibbsSettings{.updates = 3};
    states[2].settings.rule = NonAdaptive{};
    states[2].responses.assign(200'000, {.category = 1, .set = 2});
    for (const EstimatorState& state : states) {
        const std::string text = text_of(state);
        std::istringstream in(text);
        const EstimatorState read = read_state(in, "there");
        CHECK(read.settings.mechanism.categories == state.settings.mechanism.categories);
        CHECK(read.settings.mechanism.epsilon == state.settings.mechanism.epsilon);
        CHECK(read.settings.mechanism.budget_share == state.settings.mechanism.budget_share);
        CHECK(read.settings.mechanism.variant == state.settings.mechanism.variant);
        CHECK((read.settings.rule == state.settings.rule));
        CHECK((read.settings.sampler == state.settings.sampler));
        CHECK(read.settings.prior == state.settings.prior);
        CHECK(read.settings.seed == state.settings.seed);
        CHECK((read.responses == state.responses));
        CHECK(read.members == state.members);
        CHECK(read.sum_of_sizes == state.sum_of_sizes);
        CHECK((read.sampler == state.sampler));
        CHECK(text_of(read) == text);  // to the bit, -0 too
    }
}

TEST_CASE("a long count in a damaged state asks for no memory", "[estimator_state]") {
    std::string text = text_of(some_state());
    // The number of prior parameters, 3, is the only such word before the parameters.
    const std::string three("\x03\0\0\0\0\0\0\0", 8);
    const std::size_t at = text.find(three, text.find('\n') + 8);
    REQUIRE(at != std::string::npos);
    text[at + 6] = 0x7F;
    std::istringstream in(text);
    CHECK_THROWS_WITH(read_state(in, "there"), "there: is cut short");
}

TEST_CASE("a stream that takes nothing is an error", "[estimator_state]") {
    std::ostringstream out;
    out.setstate(std::ios::failbit);
    CHECK_THROWS_WITH(write_state(out, "there", some_state()), "there: cannot be written");
}
