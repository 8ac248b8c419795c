// The certified curve of Renyi divergences of one step, and what 1000 of them cost by it.
// cmake -S examples -B build/examples && cmake --build build/examples --target rdp_curve
#include <assay/assay.hpp>
#include <cstdio>
#include <vector>

int main() {
    const assay::FixedSizeGaussian step{.noise_multiplier = 2.0, .sampling_probability = 0.01};
    const auto adjacency = assay::Adjacency::replace_one;
    const std::vector<double> orders = {1.5, 2, 4, 8, 16, 32, 64};

    std::printf("order  lower         upper         best published upper (nats, one step)\n");
    const std::vector<assay::OneStep> curve = assay::one_step_rdp(step, adjacency, orders);
    for (std::size_t i = 0; i < orders.size(); ++i)
        std::printf("%-5g  %-12s  %-12s  %s\n", orders[i],
                    assay::text_not_above(curve[i].lower.value, 6).c_str(),
                    assay::text_not_below(curve[i].upper.value, 6).c_str(),
                    assay::text_not_below(curve[i].published_upper.value, 6).c_str());

    const assay::RdpCurve run =
        assay::repeated(assay::exact_curve(step, adjacency, assay::Direction::upper, orders), 1000);
    const assay::CurveEpsilon by_curve = assay::curve_epsilon(run, 1e-5);
    std::printf("1000 steps: epsilon <= %s at order %g of these, delta = 1e-5\n",
                assay::text_not_below(by_curve.epsilon.value).c_str(), by_curve.order);
    const assay::Bracket best = assay::epsilon({adjacency, {{step, 1000}}}, 1e-5);
    std::printf("by the best accountant: epsilon in %s\n", describe(best).c_str());
}
