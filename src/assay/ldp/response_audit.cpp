#include "assay/ldp/response_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr real row_tolerance = 1e-9L;

/// log(a / b), given a - b: a ratio near 1 keeps its digits.
RealInterval log_ratio(const RealInterval& a, const RealInterval& b,
                       const RealInterval& difference) {
    const RealInterval excess = difference / b;
    const bool near = excess.lower() > -0.5L && excess.upper() < 1.0L;
    return near ? log1p(excess) : log(a / b);
}

/// Collects ratios; the triple is that of the largest proved one.
class WorstRatio {
public:
    explicit WorstRatio(int subset_size) { audit_.subset_size = subset_size; }

    /// The ratio of y under x against y under x', of either sign.
    void add(const RealInterval& log_of_ratio, int x, int other, int y) {
        const RealInterval size = abs(log_of_ratio);
        if (size.lower() > epsilon_.lower() || !any_) {
            const bool swap = log_of_ratio.upper() < 0.0L;
            audit_.truth = swap ? other : x;
            audit_.other_truth = swap ? x : other;
            audit_.response = y;
        }
        epsilon_ = any_ ? max(epsilon_, size) : size;
        any_ = true;
    }
    [[nodiscard]] ResponseAudit audit() const {
        ResponseAudit result = audit_;
        result.epsilon = to_enclosure(epsilon_);
        return result;
    }

private:
    ResponseAudit audit_;
    RealInterval epsilon_;
    bool any_ = false;
};

ResponseAudit audit(const CertifiedDistribution& distribution) {
    const int k = distribution.subset_size;  // the first category outside S
    const int n = distribution.outside();
    WorstRatio worst(k);
    if (k > 0) worst.add(distribution.epsilon_1, 0, k, 0);
    if (n > 1) worst.add(distribution.epsilon_2, k, k + 1, k);
    if (k > 0)
        worst.add(log_ratio(distribution.honest_outside, distribution.outside_from_inside,
                            distribution.outside_advantage),
                  k, 0, k);
    if (k > 0 && n > 1)
        worst.add(log_ratio(distribution.other_outside, distribution.outside_from_inside,
                            distribution.outsider_surplus),
                  k + 1, 0, k);
    return worst.audit();
}

}  // namespace

ResponseAudit audit_response(const RestrictedResponse& mechanism, int subset_size) {
    return audit(certified_distribution(mechanism, subset_size));
}

ResponseAudit audit_response(const RestrictedResponse& mechanism, int subset_size,
                             double epsilon_2) {
    return audit(certified_distribution(mechanism, subset_size, epsilon_2));
}

ResponseAudit audit_worst_size(const RestrictedResponse& mechanism) {
    validate(mechanism);
    ResponseAudit worst = audit_response(mechanism, smallest_subset(mechanism));
    for (int size = worst.subset_size + 1; size <= largest_subset(mechanism); ++size) {
        const ResponseAudit next = audit_response(mechanism, size);
        const Enclosure both{std::max(worst.epsilon.lower, next.epsilon.lower),
                             std::max(worst.epsilon.upper, next.epsilon.upper)};
        if (next.epsilon.lower > worst.epsilon.lower) worst = next;
        worst.epsilon = both;
    }
    return worst;
}

ResponseAudit audit_response(const ResponseDistribution& distribution) {
    const int k = distribution.subset_size;
    const int n = distribution.categories - k;
    const auto log_between = [](double a, double b) {
        require(a > 0.0 && a <= 1.0, "distribution", a, "probabilities > 0");
        require(b > 0.0 && b <= 1.0, "distribution", b, "probabilities > 0");
        return log_ratio(a, b, RealInterval(a) - b);
    };
    WorstRatio worst(k);
    if (k > 1 || (k == 1 && n > 0))
        worst.add(log_between(distribution.honest_inside, distribution.other_inside), 0, 1, 0);
    if (n > 1)
        worst.add(log_between(distribution.honest_outside, distribution.other_outside), k, k + 1,
                  k);
    if (k > 0 && n > 0)
        worst.add(log_between(distribution.honest_outside, distribution.outside_from_inside), k, 0,
                  k);
    if (k > 0 && n > 1)
        worst.add(log_between(distribution.other_outside, distribution.outside_from_inside), k + 1,
                  0, k);
    return worst.audit();
}

ResponseAudit audit_matrix(std::span<const double> matrix, int rows, int columns) {
    require(rows >= 2, "matrix", rows, "at least two rows");
    require(columns >= 1, "matrix", columns, "at least one column");
    const auto height = static_cast<std::size_t>(rows);
    const auto width = static_cast<std::size_t>(columns);
    if (matrix.size() != height * width)
        throw DomainError("matrix", fmt::format("{} entries", matrix.size()),
                          fmt::format("{} rows of {} entries", rows, columns));
    for (std::size_t x = 0; x < height; ++x) {
        real sum = 0.0L;
        for (const double entry : matrix.subspan(x * width, width)) {
            if (!(entry >= 0.0))
                throw DomainError("matrix", fmt::format("{} in row {}", entry, x + 1),
                                  "entries >= 0");
            sum += entry;
        }
        if (!(std::fabs(sum - 1.0L) <= row_tolerance))
            throw DomainError(
                "matrix",
                fmt::format("row {} with the sum {:.12g}", x + 1, static_cast<double>(sum)),
                "rows whose sum is within 1e-9 of 1");
    }
    WorstRatio worst(0);
    for (std::size_t y = 0; y < width; ++y) {
        std::size_t most = 0;
        std::size_t least = 0;
        const auto entry = [&](std::size_t x) { return matrix[x * width + y]; };
        for (std::size_t x = 1; x < height; ++x) {
            if (entry(x) > entry(most)) most = x;
            if (entry(x) < entry(least)) least = x;
        }
        if (entry(most) == 0.0) continue;  // an answer that is never given
        const real a = entry(most);
        const real b = entry(least);
        // Zero against something: no epsilon suffices.
        const RealInterval ratio = b == 0.0L ? RealInterval(std::numeric_limits<real>::infinity())
                                             : log_ratio(a, b, RealInterval(a) - b);
        worst.add(ratio, static_cast<int>(most), static_cast<int>(least), static_cast<int>(y));
    }
    return worst.audit();
}

}  // namespace assay
