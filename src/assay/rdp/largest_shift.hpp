#pragma once
#include <optional>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// F = E_Q[(P/Q)^a] where one component w N(s, 1) of P all but decides it:
///   w^a e^(a(a-1)s^2/2 + (a-1)(added - lost)) <= F <= (w (1 + others))^a e^(a(a-1)s^2/2 + (a-1)
///   added).
struct LargestShift {
    real order;              // a > 1
    real shift = 0.0L;       // s >= 0
    real log_weight = 0.0L;  // log w <= 0
    real others = 0.0L;      // a-norm of P's other components over that of w N(s, 1)
    real added = 0.0L;       // from Q < phi, nats >= 0
    real lost = 0.0L;        // of the lower side, nats >= 0
};

/// log F / (a-1) in nats, relative width about 1e-13; none where `others` and `lost` count for more
/// or where arithmetic cannot tell. Parts may carry a relative error of 16 unit_roundoff each.
///   Source  Minkowski's inequality (docs/error_bounds.md#largest-shift)      Cost  O(1)
[[nodiscard]] std::optional<Enclosure> largest_shift_rdp(const LargestShift& rule);

}  // namespace assay
