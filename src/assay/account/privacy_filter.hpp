#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/account/calibrate.hpp"
#include "assay/privacy/release.hpp"
#include "assay/rdp/rdp_sum.hpp"

namespace assay {

/// Refuses the step that would exceed (epsilon, delta), where mechanisms, their parameters and
/// their number are chosen with knowledge of what was released before.
///   Maths      at the orders a_1 .. a_k, sums of the divergences of what was admitted. A phase is
///              admitted when, with it, one order at least has a sum whose conversion at delta/k is
///              at most epsilon: then the whole is (epsilon, delta)-private
///              (docs/proofs.md, privacy filter; one order alone: feldman2021)
///   Domain     eps >= 0 finite, 0 < delta < 1; orders > 1, distinct; steps, not epoch samplers
///   Direction  safe: divergences, sums and conversions are rounded up
///   Cost       Renyi divergences at k orders where a mechanism is new, else some ns
///   Throws     DomainError, UnsupportedMechanism, InternalError; then nothing changes
class PrivacyFilter {
public:
    PrivacyFilter(Adjacency adjacency, const PrivacyTarget& target, std::vector<double> orders);

    /// Whether the phase may be released; if so it counts as released.
    bool admit(const Phase& phase);
    /// The same question, with no consequence.
    [[nodiscard]] bool admits(const Phase& phase) const;

    /// An epsilon at delta that what was admitted satisfies, whatever it was chosen by; never above
    /// that of the target. 0 where nothing was.
    [[nodiscard]] double spent_epsilon() const;

    [[nodiscard]] const std::vector<Phase>& phases() const { return phases_; }
    [[nodiscard]] std::span<const double> orders() const { return orders_; }
    [[nodiscard]] Theorem theorem() const;

private:
    [[nodiscard]] std::vector<Bound> divergences_of(const Phase& phase) const;
    [[nodiscard]] double epsilon_with(const std::vector<Bound>& divergences,
                                      std::int64_t repetitions) const;

    Adjacency adjacency_;
    PrivacyTarget target_;
    std::vector<double> orders_;
    double share_;               // of delta, for each order
    std::vector<Phase> phases_;  // equal neighbours are one
    std::vector<RdpSum> sums_;   // of all phases but the last, by order
    std::vector<Bound> last_;    // one repetition of the last phase
};

/// Orders for a filter that is to admit about as much as `plan`: the best one for it, from its
/// Renyi divergences. Any orders are sound; these are tight where the run comes as planned.
///   Throws     as epsilon
[[nodiscard]] std::vector<double> filter_orders(const Release& plan, double delta);

}  // namespace assay
