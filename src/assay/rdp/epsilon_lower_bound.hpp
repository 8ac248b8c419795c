#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "assay/rdp/likelihood_ratio.hpp"

namespace assay {

/// `steps` independent outputs of one attained pair; a null pair releases nothing.
struct RepeatedPair {
    std::shared_ptr<const LikelihoodRatio> pair;
    std::int64_t steps = 1;
};

/// A number below delta(epsilon) = E_P[(1 - e^{epsilon - L})_+] of the product of all pairs.
///   Maths      the better of two: Berry-Esseen for the loss under exponential tilting, over many
///              tilts (Proposition 6b, constant 0.56), and the event that some step's output lies
///              beyond z, over many z (Proposition 6d; docs/proofs.md, section I)
///   Direction  lower; 0 when neither says anything
[[nodiscard]] double delta_lower_bound(std::span<const RepeatedPair> parts, double epsilon);

/// The same at many epsilons, of which most of the work does not depend. For one thread at a time.
class DeltaLowerBound {
public:
    explicit DeltaLowerBound(std::span<const RepeatedPair> parts);
    ~DeltaLowerBound();
    DeltaLowerBound(DeltaLowerBound&&) = delete;

    [[nodiscard]] double at(double epsilon);

private:
    struct Known;
    std::unique_ptr<Known> known_;
};

/// The same by Proposition 6b at a single tilt.
///   Domain     tilt >= 0, epsilon >= 0               Direction  lower; 0 when it says nothing
[[nodiscard]] double tilted_delta_bound(std::span<const RepeatedPair> parts, double tilt,
                                        double epsilon);

/// A number that the epsilon at `delta` of the product is not below; 0 when nothing is certified.
[[nodiscard]] double epsilon_lower_bound(std::span<const RepeatedPair> parts, double delta);

}  // namespace assay
