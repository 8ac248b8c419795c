#include "assay/account/allocation_attacks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "assay/numeric/bisect.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/rdp/analytic_gaussian.hpp"

namespace assay {

namespace {

constexpr double largest_epsilon = 5000.0;
/// Of each probability: normal tails up to z = 40 are within 2e-16, what follows does not amplify.
constexpr real relative_error = 1e-15L;

/// P(S) - e^epsilon Q(S), S: some batch exceeds z deviations of its noise.
class LargestBatch {
public:
    LargestBatch(const RandomAllocation& mechanism, double epsilon)
        : shift_(1.0L / static_cast<real>(mechanism.noise_multiplier)),
          with_(static_cast<real>(mechanism.allocations)),
          without_(static_cast<real>(mechanism.batches_per_epoch - mechanism.allocations)),
          weight_(std::exp(static_cast<real>(epsilon)) * (1.0L + 1e-17L)) {}

    [[nodiscard]] real operator()(real z) const {
        const real plain = std::log1p(-normal_tail(z));
        const real moved = std::log1p(-normal_tail(z - shift_));
        const real under_p = -std::expm1(without_ * plain + with_ * moved);
        const real under_q = -std::expm1((without_ + with_) * plain);
        return under_p * (1.0L - relative_error) - weight_ * under_q * (1.0L + relative_error);
    }

    /// At a threshold that is nearly the best.
    [[nodiscard]] double best() const {
        constexpr real highest = 40.0L;
        const real top = std::min(highest, shift_ + 12.0L);
        real place = 0.0L;
        real most = 0.0L;
        constexpr int places = 160;
        for (int i = 1; i < places; ++i) {
            const real z = top * static_cast<real>(i) / static_cast<real>(places);
            if (const real value = (*this)(z); value > most) {
                most = value;
                place = z;
            }
        }
        for (real step = 0.5L * top / places; step > 1e-6L && most > 0.0L; step *= 0.5L)
            for (const real z : {place - step, place + step})
                if (const real value = (*this)(std::min(z, highest)); value > most) {
                    most = value;
                    place = std::min(z, highest);
                }
        return std::clamp(round_down(most * (1.0L - 1e-17L)), 0.0, 1.0);
    }

private:
    real shift_;
    real with_;
    real without_;
    real weight_;
};

}  // namespace

double attacked_delta(const RandomAllocation& mechanism, std::int64_t epochs, double epsilon) {
    if (epsilon > largest_epsilon) return 0.0;
    const real k = static_cast<real>(mechanism.allocations);
    const real noise = mechanism.noise_multiplier;
    const real square = k * k * static_cast<real>(epochs) /
                        (static_cast<real>(mechanism.batches_per_epoch) * noise * noise) *
                        (1.0L - 1e-17L);
    return std::max(gaussian_delta(square, epsilon).lower, LargestBatch(mechanism, epsilon).best());
}

double attacked_epsilon(const RandomAllocation& mechanism, std::int64_t epochs, double delta) {
    const auto exceeds = [&](double epsilon) {
        return attacked_delta(mechanism, epochs, epsilon) > delta;
    };
    if (!exceeds(0.0)) return 0.0;
    double low = 0.0;
    double high = 1.0;
    while (high < largest_epsilon && exceeds(high)) {
        low = high;
        high = std::min(2.0 * high, largest_epsilon);
    }
    return bisect(low, high, 1e-9, std::not_fn(exceeds), 40).low;
}

}  // namespace assay
