#pragma once
#include <limits>
#include <type_traits>

namespace assay {

template <class Real>
struct Bisected {
    Real low;   // there the predicate was false
    Real high;  // there it was true
};

/// Halves [low, high] while it is wider than width * high and has a number inside, at most `most`
/// times. That the predicate is false at low and true at high is assumed, not asked. Each end that
/// moved is a place where it was asked, also where it changes more than once.
template <class Real, class Predicate>
Bisected<Real> bisect(Real low, std::type_identity_t<Real> high, std::type_identity_t<Real> width,
                      const Predicate& is_high, int most = std::numeric_limits<int>::max()) {
    for (int i = 0; i < most && high - low > width * high; ++i) {
        const Real middle = Real(0.5) * (low + high);
        if (middle <= low || middle >= high) break;
        (is_high(middle) ? high : low) = middle;
    }
    return {low, high};
}

}  // namespace assay
