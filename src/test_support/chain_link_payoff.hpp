#pragma once
#include <cmath>

#include "assay/pld/jump_chain.hpp"

namespace assay::test_support {

/// What a link of the chain says that the last steps pay at most, at the ratio x before them.
inline double chain_link_payoff(const ChainLink& link, double x) {
    const RisingThresholds& found = link.thresholds;
    const double moved = x * std::exp(found.loss_error);
    double sum = found.infinity_mass * x;
    for (std::size_t j = 0; j < found.thresholds.size(); ++j) {
        const double s = std::exp(found.thresholds[j]);
        if (moved > s) sum += found.rises[j] * (moved * std::log(moved / s) - moved + s);
    }
    return std::exp(found.mass_error + found.loss_error) * sum +
           std::exp(link.log_power + link.order * std::log(x));
}

}  // namespace assay::test_support
