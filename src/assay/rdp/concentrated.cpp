#include "assay/rdp/concentrated.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/worst_pair.hpp"

namespace assay {

Bound tcdp_rho(const Mechanism& mechanism, Adjacency adjacency, double omega) {
    require(omega > 1.0 && std::isfinite(omega), "omega", omega, "1 < omega < inf");
    // Orders 1 = a_0 < a_1 < .. < a_n = omega in a ratio of at most 1.05; D is nondecreasing, so
    // D_a / a <= D_{a_{i+1}} / a_i on [a_i, a_{i+1}].
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::log(omega) / std::log(1.05))));
    std::vector<double> orders;
    for (int i = 1; i < pieces; ++i) orders.push_back(std::pow(omega, double(i) / pieces));
    orders.push_back(omega);
    const std::vector<Enclosure> curve = exact_rdp(mechanism, adjacency, orders);
    double rho = 0.0;
    double before = 1.0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        if (curve[i].upper > 0.0) rho = std::max(rho, widen_up(curve[i].upper / before, 2));
        before = orders[i];
    }
    return Bound{rho, Direction::upper, exact_theorem(mechanism, adjacency),
                 std::isfinite(rho) ? Status::certified : Status::vacuous};
}

Bound zcdp_rho(const Mechanism& mechanism, Adjacency adjacency) {
    const WorstRenyiPair worst = worst_renyi_pair(mechanism, adjacency);
    if (!likelihood_ratio(worst)) return Bound{0.0, Direction::upper, worst.theorem};
    const real shift = worst.unsampled_shift;
    return Bound{round_up(0.5L * shift * shift * (1.0L + 16.0L * unit_roundoff)), Direction::upper,
                 cite::unsampled_gaussian};
}

}  // namespace assay
