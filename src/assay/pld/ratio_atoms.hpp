#pragma once
#include <vector>

#include "assay/numeric/bound.hpp"

namespace assay {

/// A finite law of the ratio W = dP/dQ with atoms anywhere, in (roughly) increasing order.
/// `under_p` = ratio * under_q. The four numbers at the end are those of PrivacyLossPmf.
struct RatioAtoms {
    Direction direction = Direction::upper;
    std::vector<double> under_q;
    std::vector<double> under_p;
    double infinity_mass = 0.0;
    double null_mass = 0.0;
    double mass_error = 0.0;
    double loss_error = 0.0;
};

}  // namespace assay
