#pragma once
#include <memory>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/pld/chernoff.hpp"
#include "assay/pld/loss_points.hpp"
#include "assay/pld/pair_masses.hpp"

namespace assay {

/// The distribution of a sum of privacy losses under one of the two measures, on one side of the
/// truth for every payoff (e^loss - K)_+, in convex order of the loss (docs/proofs.md R.7). Masses
/// are sums of positive products: what a tail has, it has with a relative error alone, whatever its
/// size and that of the losses (docs/error_bounds.md#sums-of-losses).
///   removal    log W under Q: E (W - K)_+
///   addition   -log W under P: E_P (1/W - K)_+ = E_Q (1 - KW)_+
///   Cost       a product: about 8 n (m log2 m) multiplications for n points on each side
class LossSum {
public:
    /// One step. What has less mass than `negligible` leaves to infinity or is dropped.
    LossSum(const DominatingPair& pair, std::shared_ptr<const LossPoints> points,
            Direction direction, PayoffSide side, double negligible);

    /// Sum with an independent one on the same points and side; losses below the point
    /// `smallest_kept` are merged.
    [[nodiscard]] LossSum plus(const LossSum& other, int smallest_kept) const;

    /// The divergence at an epsilon of this distribution, or of the sum with an independent one,
    /// which need not be put on the points for that; rounded to its side.    Domain  epsilon >= 0
    [[nodiscard]] double delta(double epsilon, const LossSum* other = nullptr) const;

    /// Products of masses behind it.
    [[nodiscard]] double products() const { return products_; }

private:
    friend class SumDivergence;

    /// Masses between two points are placed this part of their distance too high (upper): more than
    /// the rounding of any share.
    static constexpr real nudge = 0x1p-44L;

    /// Smaller masses and moments of doubles may have lost digits to underflow, and e^loss of them
    /// in the other measure: a mass leaves, to infinity (upper) or for good.
    static constexpr double least = 0x1p-960;

    /// Cells [L_k, L_{k+1}) and their mirror images: masses at L_k (upper); masses with first
    /// moments of |loss| (lower).
    struct Side {
        std::vector<double> mass;
        std::vector<double> moment;
    };
    /// What lies around 0: the mass and, of a lower distribution, its signed moment and the size of
    /// what that is a sum of.
    struct Centre {
        real mass = 0.0L;
        real moment = 0.0L;
        real size = 0.0L;
        double terms = 0.0;
        void add(real more, real more_moment) {
            mass += more;
            moment += more_moment;
            size += more_moment < 0.0L ? -more_moment : more_moment;
            ++terms;
        }
    };
    struct Product;

    LossSum() = default;
    void start_upper(const std::vector<PairMass>& cells);
    void start_lower(const std::vector<PairMass>& cells);
    [[nodiscard]] real other_mass() const;
    void settle_upper(int kept);
    void settle_lower(int kept, Centre centre);
    void drop_small();

    std::shared_ptr<const LossPoints> points_;
    Direction direction_ = Direction::upper;
    double negligible_ = 0.0;
    Side gains_;
    Side costs_;
    double zero_ = 0.0;
    real infinity_ = 0.0L;  // mass of the other measure where this one may have none (upper)
    double products_ = 0.0;
    double mass_error_ = 0.0;  // masses stand for theirs times e^{+-mass_error}
};

/// LossSum::delta made ready for many epsilons: what does not depend on them is computed once.
///   Cost       an exponential and a binary search a question and mass of `other`
class SumDivergence {
public:
    explicit SumDivergence(const LossSum& sum, const LossSum* other = nullptr);
    [[nodiscard]] double delta(double epsilon) const;

private:
    struct Atoms {
        explicit Atoms(const LossSum& sum);
        std::vector<real> loss;  // increasing
        std::vector<real> mass;
    };
    /// E (W - K)_+ at any K: from the sums of masses and of W - 1 over the atoms above a threshold.
    class Payoff {
    public:
        Payoff(Atoms atoms, bool upper);
        [[nodiscard]] real at(real threshold) const;
        [[nodiscard]] bool is_finite() const;

    private:
        std::vector<real> loss_;
        real sign_;
        std::vector<real> above_;
        std::vector<real> excess_;
        std::vector<real> size_;
    };

    bool upper_;
    Payoff payoff_;
    bool is_known_;
    real infinite_;
    real error_;
    std::vector<real> shifts_;  // the losses of `other`, and its masses in the other measure
    std::vector<real> weights_;
};

}  // namespace assay
