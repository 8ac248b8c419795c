#include "verify/oracles/balls_and_bins_formulas.hpp"
#include "verify/oracles/integer_order_binomial.hpp"
#include "verify/oracles/integer_order_mixture.hpp"
#include "verify/oracles/oracle.hpp"

namespace assay::verify {

std::vector<Oracle> integer_order_oracles() {
    std::vector<Oracle> oracles;
    for (const auto& list : {integer_order_binomial_oracles(), integer_order_mixture_oracles(),
                             balls_and_bins_sum_oracles()})
        oracles.insert(oracles.end(), list.begin(), list.end());
    return oracles;
}

}  // namespace assay::verify
