#include "experiments/chua2025/kl_divergence.hpp"

#include <cmath>
#include <vector>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::experiments::chua2025;

namespace {

/// E_Q[W log W] of two steps by the midpoint rule in both coordinates.
template <class Ratio>
double kl_of_two_steps(double sigma, Ratio ratio) {
    constexpr int nodes = 800;
    constexpr double reach = 14.0;
    constexpr double width = 2.0 * reach / nodes;
    std::vector<double> mass;
    std::vector<double> likelihood;
    for (int i = 0; i < nodes; ++i) {
        const double z = -reach + (i + 0.5) * width;
        mass.push_back(std::exp(-0.5 * z * z) * width / std::sqrt(2.0 * 3.141592653589793));
        likelihood.push_back(std::exp(z / sigma - 0.5 / (sigma * sigma)));
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < mass.size(); ++i)
        for (std::size_t j = 0; j < mass.size(); ++j) {
            const double w = ratio(likelihood[i], likelihood[j]);
            sum += mass[i] * mass[j] * w * std::log(w);
        }
    return sum;
}

}  // namespace

TEST_CASE("both divergences are on their side of a quadrature, and close", "[chua2025]") {
    for (const double sigma : {0.5, 1.0, 2.0}) {
        CAPTURE(sigma);
        const double balls =
            kl_of_two_steps(sigma, [](double x, double y) { return 0.5 * x + 0.5 * y; });
        const double lower = balls_and_bins_kl_lower({sigma, 2}, 400, 1e-3);
        CHECK(lower <= balls * (1.0 + 1e-9));
        CHECK(lower >= balls * (1.0 - 2e-3));
        const double poisson = kl_of_two_steps(
            sigma, [](double x, double y) { return (0.5 + 0.5 * x) * (0.5 + 0.5 * y); });
        const double upper = poisson_kl_upper({sigma, 2});
        CHECK(upper >= poisson * (1.0 - 1e-9));
        CHECK(upper <= poisson * (1.0 + 1e-5));
    }
}
