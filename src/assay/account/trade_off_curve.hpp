#pragma once
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "assay/numeric/enclosure.hpp"

namespace assay {

/// Which output distribution a test has to reject. With (P, Q) the outputs with the record and
/// without it (docs/proofs.md, order of a pair):
///   removal    null Q, alternative P: the test claims that the record was there
///   addition   null P, alternative Q
///   worst      at each false positive rate the better of the two tests
enum class TestDirection { worst, removal, addition };

[[nodiscard]] std::string_view to_string(TestDirection direction);

/// The largest epsilon of a sample: its exponential is a real.
inline constexpr double largest_sampled_epsilon = 1e4;

/// Both hockey-stick divergences at one epsilon: D(P || Q) and D(Q || P).
struct DivergenceSample {
    double epsilon = 0.0;
    Enclosure removal;
    Enclosure addition;
};

/// Trade-off function of a pair (P, Q) on the whole of [0, 1], between two piecewise linear ones.
///   Maths      TPR(a) = min over t >= 0 of t a + H_t(P || Q): the conjugate of the profile. Every
///              sample bounds TPR from above. From below, convexity of H bounds it between samples
///              (docs/proofs.md, trade-off functions)
///   Direction  both, rounding included
///   Domain     samples at increasing epsilons, the first at 0
///   Cost       O(samples) for one value
class TradeOffCurve {
public:
    /// Throws DomainError unless the samples are as above, within [0, 1].
    explicit TradeOffCurve(std::vector<DivergenceSample> samples);

    /// The largest power of a test of that level; 0 <= fpr <= 1.
    [[nodiscard]] Enclosure true_positive_rate(double fpr, TestDirection direction) const;
    /// Its upper side alone, in O(log samples): a bound, hardly above the one of all samples.
    [[nodiscard]] double power_above(double fpr, TestDirection direction) const;
    /// One less that, without cancellation where it is small.
    [[nodiscard]] Enclosure type_two_error(double fpr, TestDirection direction) const;

    /// How far the two sides are apart at most, in any direction.
    [[nodiscard]] double gap() const { return gap_; }
    [[nodiscard]] const std::vector<DivergenceSample>& samples() const { return samples_; }

    /// The upper side for slopes >= 1, where false positives are the rarer error: on [from, to] the
    /// power is at most the line between its values at both ends, which are from above.
    struct Piece {
        double from = 0.0;
        double to = 0.0;
        real power_from = 0.0L;
        real power_to = 0.0L;
    };
    /// Pieces that tile (0, to], ascending; beyond, the slope is 1.
    [[nodiscard]] std::vector<Piece> outer_pieces(TestDirection direction) const;

    /// The largest (other(epsilon) - delta(epsilon)) / (1 + e^epsilon) over epsilon >= 0, where
    /// delta is the larger divergence and `other` is the profile of another pair: how much the
    /// smallest Bayes risk of any prior falls when the release is reported as that pair.
    [[nodiscard]] Enclosure largest_excess(
        const std::function<Enclosure(double epsilon)>& other) const;

    /// |log slope| of the upper side at this level.
    [[nodiscard]] double epsilon_at(double fpr, TestDirection direction) const;

    /// Of the pieces between successive samples, how much of the gap comes from there being no
    /// sample within.
    struct Deficiency {
        std::size_t interval = 0;
        double depth = 0.0;   // of the lower side of H below its chord
        double gap = 0.0;     // of the samples at the ends
        double height = 0.0;  // of H at the left end
    };
    [[nodiscard]] std::vector<Deficiency> deficiencies() const;

private:
    /// H(slope) >= or <= height, in real numbers.
    struct Node {
        real slope;
        real height;
    };
    /// One divergence for slopes >= 1.
    struct Ray {
        std::vector<Node> upper;
        std::vector<Node> lower;  // complete: a minimum over all slopes >= 1 is one over these
    };
    static Ray make_ray(const std::vector<DivergenceSample>& samples,
                        Enclosure DivergenceSample::*own, Enclosure DivergenceSample::*other);
    [[nodiscard]] const Ray& front(TestDirection direction) const;
    [[nodiscard]] const Ray& back(TestDirection direction) const;

    std::vector<DivergenceSample> samples_;
    Ray removal_;
    Ray addition_;
    double gap_ = 0.0;
};

/// Both divergences at an epsilon, as sound sides.
using DivergenceSource = std::function<DivergenceSample(double epsilon)>;

/// How the samples of a curve are chosen.
struct CurveAim {
    double reach = 1.0;             // the last epsilon
    double corner = 0.0;            // one where a divergence has a corner; 0: nowhere
    double relative = 1e-4;         // of the divergence there, that missing samples may cost
    double absolute = 1e-7;         // likewise, absolutely
    double smallest_delta = 1e-13;  // divergences below it need no samples
    std::size_t most_samples = 20000;
};

/// A curve from samples where they are needed, as far as the work allows.
[[nodiscard]] TradeOffCurve sampled_curve(const DivergenceSource& source, const CurveAim& aim);

/// The curve with more samples around an epsilon, ever denser towards it.
[[nodiscard]] TradeOffCurve sampled_around(const DivergenceSource& source,
                                           const TradeOffCurve& curve, double epsilon);

/// The curve with one more sample, which takes the place of one at the same epsilon.
[[nodiscard]] TradeOffCurve with_sample(const TradeOffCurve& curve, const DivergenceSample& sample);

}  // namespace assay
