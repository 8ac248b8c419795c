#include "assay/ldp/certified_posterior.hpp"

#include "test_support/enumerated_response.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

const RestrictedResponse four_categories{.categories = 4, .epsilon = 2.0, .budget_share = 0.85};
const std::vector<AnswerWithSubset> six_answers{{0, {}},        {2, {1, 2}}, {3, {0}},
                                                {1, {0, 1, 3}}, {2, {0, 3}}, {3, {3, 0, 2, 1}}};
const std::vector<double> phi{0.5, 2.25, 1.0, 0.25};  // of sum 4

/// ln prod_t h_t plus, with a prior, the log density of independent Gammas, up to a constant.
Wide log_density(const WideColumn<Wide>& at, const std::vector<double>& rho) {
    Wide total = 0;
    for (const Wide& x : at) total += x;
    Wide sum = 0;
    for (const AnswerWithSubset& answer : six_answers) {
        const WideMatrix<Wide> g = enumerate_matrix(four_categories, answer.subset);
        Wide h = 0;
        for (std::size_t x = 0; x < at.size(); ++x)
            h += g[static_cast<std::size_t>(answer.response)][x] * at[x] / total;
        sum += log(h);
    }
    for (std::size_t i = 0; i < rho.size(); ++i) sum += (rho[i] - 1.0) * log(at[i]) - at[i];
    return sum;
}

}  // namespace

TEST_CASE("the certified likelihood holds the enumerated one", "[ldp]") {
    const WideColumn<Wide> at(phi.begin(), phi.end());
    CHECK_THAT(to_enclosure(certified_log_likelihood(four_categories, phi, six_answers)),
               Encloses(log_density(at, {}), 1e-14));
    CHECK(certified_log_likelihood(four_categories, phi, {}).is_zero());
    const WideMatrix<Wide> g = enumerate_matrix(four_categories, {1, 2});
    const ResponseLikelihood likelihood(four_categories, {3, {1, 2}});
    for (int x = 0; x < 4; ++x)
        CHECK_THAT(to_enclosure(likelihood.coefficient(x)),
                   Encloses(g[3][static_cast<std::size_t>(x)], 1e-15));
}

TEST_CASE("the certified gradient holds differences in 50 digits", "[ldp]") {
    const std::vector<double> rho{0.5, 1.0, 2.0, 0.1};
    std::vector<double> tenfold = phi;
    for (double& x : tenfold) x *= 10.0;
    const auto gradient = certified_gradient_phi(four_categories, tenfold, 10.0, rho, six_answers);
    REQUIRE(gradient.size() == 4);
    const Wide step = 1e-12;
    for (std::size_t i = 0; i < 4; ++i) {
        WideColumn<Wide> up(phi.begin(), phi.end());
        WideColumn<Wide> down = up;
        up[i] += step;
        down[i] -= step;
        const Wide slope = (log_density(up, rho) - log_density(down, rho)) / (2 * step);
        CHECK_THAT(to_enclosure(gradient[i]), Encloses(slope, 1e-13, 1e-20));
    }
}

TEST_CASE("an answer that is almost certain keeps the digits of its logarithm", "[ldp]") {
    const RestrictedResponse honest{.categories = 3, .epsilon = 60.0, .budget_share = 0.9};
    const std::vector<double> weights{1.0, 0.0, 0.0};
    for (const std::vector<int>& subset : {std::vector<int>{}, {0}, {1}, {0, 1, 2}}) {
        const Wide g = enumerate_matrix(honest, subset)[0][0];
        const std::vector<AnswerWithSubset> one{{0, subset}};
        CHECK_THAT(to_enclosure(certified_log_likelihood(honest, weights, one)),
                   Encloses(log(g), 1e-14, 1e-20));
    }
}

TEST_CASE("answers and weights outside the domain are refused", "[ldp]") {
    const auto likelihood = [&](const std::vector<double>& weights, const AnswerWithSubset& one) {
        return refused([&] {
            return certified_log_likelihood(four_categories, weights,
                                            std::vector<AnswerWithSubset>{one});
        });
    };
    CHECK(likelihood(phi, {4, {}}) == "response");
    CHECK(likelihood(phi, {-1, {}}) == "response");
    CHECK(likelihood(phi, {0, {4}}) == "subset");
    CHECK(likelihood(phi, {0, {1, 1}}) == "subset");
    CHECK(likelihood({1.0, 1.0}, {0, {}}) == "weights");
    CHECK(likelihood({0.0, 0.0, 0.0, 0.0}, {0, {}}) == "weights");
    CHECK(likelihood({-1.0, 1.0, 1.0, 1.0}, {0, {}}) == "weights");
    const auto gradient = [&](const std::vector<double>& weights, double scale,
                              const std::vector<double>& rho) {
        return refused([&] {
            return certified_gradient_phi(four_categories, weights, scale, rho, six_answers);
        });
    };
    const std::vector<double> ones(4, 1.0);
    CHECK(gradient({0.0, 1.0, 1.0, 1.0}, 1.0, ones) == "weights");
    CHECK(gradient(ones, 0.0, ones) == "scale");
    CHECK(gradient(ones, 1.0, {1.0, 1.0, 0.0, 1.0}) == "rho");
    CHECK(gradient(ones, 1.0, {1.0}) == "rho");
}
