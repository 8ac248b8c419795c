#pragma once
#include <vector>

#include "assay/numeric/bound.hpp"

namespace assay {

/// What has less mass than this under P or under Q may have lost digits to underflow: it goes to
/// infinity and to ratio 0 (upper) or is dropped (lower).
inline constexpr double least_mass = 0x1p-980;

/// A finite distribution of the ratio W = dP/dQ with atoms anywhere, in (roughly) increasing order.
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
