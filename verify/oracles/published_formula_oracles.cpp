#include "verify/oracles/balls_and_bins_formulas.hpp"
#include "verify/oracles/oracle.hpp"
#include "verify/oracles/published_add_remove.hpp"
#include "verify/oracles/published_conversions.hpp"
#include "verify/oracles/published_general.hpp"
#include "verify/oracles/published_hockey_stick.hpp"
#include "verify/oracles/published_moments.hpp"
#include "verify/oracles/published_replace_one.hpp"
#include "verify/oracles/published_truncated_sum.hpp"
#include "verify/oracles/published_with_replacement.hpp"

namespace assay::verify {

std::vector<Oracle> published_formula_oracles() {
    std::vector<Oracle> oracles;
    for (const auto& list : {published_moment_oracles(), published_add_remove_oracles(),
                             published_replace_one_oracles(), published_with_replacement_oracles(),
                             published_truncated_sum_oracles(), published_general_oracles(),
                             published_conversion_oracles(), published_hockey_stick_oracles(),
                             balls_and_bins_formula_oracles()})
        oracles.insert(oracles.end(), list.begin(), list.end());
    return oracles;
}

}  // namespace assay::verify
