#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/pld/privacy_loss_pmf.hpp"

namespace assay {

/// `count` independent repetitions of one distribution. The pointee outlives the call.
struct RepeatedLoss {
    const PrivacyLossPmf* pmf = nullptr;
    std::int64_t count = 1;
};

/// log E W^order of the product of all parts, order >= 0 or below: from the finite masses; +inf
/// where they may have lost digits to underflow.
[[nodiscard]] double log_moment(std::span<const RepeatedLoss> parts, double order);

/// The same from above, rounding included (docs/error_bounds.md#privacy-loss).
[[nodiscard]] double log_moment_above(std::span<const RepeatedLoss> parts, double order);

/// Which of the two divergences a distribution is tilted for: E (W - e^epsilon)_+ or E (1 -
/// e^epsilon W)_+.
enum class PayoffSide { removal, addition };

/// The tilt that keeps small deltas near epsilon accurate: the order of Chernoff's bound, or the
/// mildest one that worsens that bound by at most e^slack (a milder tilt has a narrower
/// distribution).
/// >= 1 for removal, <= 0 for addition.
[[nodiscard]] double tilt_for(std::span<const RepeatedLoss> parts, double epsilon, PayoffSide side,
                              double slack);

/// Whether the losses spread over so many nats that orders of moments differ by less than 0.1
/// there.
[[nodiscard]] bool are_wide(std::span<const RepeatedLoss> parts);

/// Throws DomainError or DirectionError unless there is a part, counts are >= 1, every distribution
/// has a point, and all of them compose.
void require_composable(std::span<const RepeatedLoss> parts);

/// Chernoff's bounds of what a composition has far out, from its moments of several orders.
class TiltedTails {
public:
    TiltedTails(std::span<const RepeatedLoss> parts, double tilt);

    /// log E W^tilt, as log_moment rounds it.
    [[nodiscard]] double centre() const { return centre_; }

    /// Upper bound of log E [W^base; log W > loss], or < loss; rounding included.
    [[nodiscard]] double log_mass(double base, double loss, bool above) const;

    /// The nearest loss found beyond which the tilted distribution has mass about e^{-nats} at
    /// most: where a window may end, which needs no proof.
    [[nodiscard]] double reach(double nats, bool above) const;

private:
    struct Moment {
        double order;
        double value;  // upper bound of log E W^order
    };

    double tilt_;
    double centre_ = 0.0;
    std::vector<Moment> moments_;
};

}  // namespace assay
