#include "assay/epochs/sum_payoffs.hpp"
#include "assay/numeric/interruption.hpp"

#include <algorithm>
#include <numeric>

namespace assay {

namespace {

/// Positions may be out of order by less than a cell.
void sort_atoms(AtomicDistribution& distribution) {
    if (std::is_sorted(distribution.positions.begin(), distribution.positions.end())) return;
    std::vector<std::size_t> order(distribution.positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return distribution.positions[a] < distribution.positions[b];
    });
    AtomicDistribution sorted;
    sorted.above = distribution.above;
    for (const std::size_t i : order) {
        sorted.positions.push_back(distribution.positions[i]);
        sorted.masses.push_back(distribution.masses[i]);
    }
    distribution = std::move(sorted);
}

MassMoment total(const AtomicDistribution& distribution) {
    MassMoment sum;
    for (std::size_t i = 0; i < distribution.positions.size(); ++i) {
        sum.mass += distribution.masses[i];
        sum.moment += distribution.masses[i] * distribution.positions[i];
    }
    return sum;
}

}  // namespace

SumPayoffs::SumPayoffs(AtomicDistribution first, AtomicDistribution second)
    : first_(std::move(first)), second_(std::move(second)) {
    sort_atoms(first_);
    sort_atoms(second_);
    first_total_ = total(first_);
    second_total_ = total(second_);
    const std::vector<double>& x = second_.positions;
    const std::vector<double>& m = second_.masses;
    const std::size_t n = x.size();
    mass_above_.assign(n + 1, 0.0);
    excess_at_.assign(n + 1, 0.0);
    for (std::size_t j = n; j-- > 0;) {
        mass_above_[j] = mass_above_[j + 1] + m[j];
        if (j + 1 < n) excess_at_[j] = excess_at_[j + 1] + mass_above_[j + 1] * (x[j + 1] - x[j]);
    }
    mass_below_.assign(n + 1, 0.0);
    shortfall_at_.assign(n + 1, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
        mass_below_[j + 1] = mass_below_[j] + m[j];
        if (j > 0) shortfall_at_[j] = shortfall_at_[j - 1] + mass_below_[j] * (x[j] - x[j - 1]);
    }
}

double SumPayoffs::excess(double threshold) const {
    allow_interruption(4 * first_.positions.size());
    const std::vector<double>& x = second_.positions;
    const std::size_t n = x.size();
    double sum = 0.0;
    std::size_t j = n;  // x[j] is the first position above the threshold that is left
    for (std::size_t i = 0; i < first_.positions.size(); ++i) {
        const double left = threshold - first_.positions[i];
        while (j > 0 && x[j - 1] > left) --j;
        double payoff = 0.0;
        if (left <= 0.0)
            payoff = second_total_.moment - left * second_total_.mass;
        else if (j < n)
            payoff = excess_at_[j] + mass_above_[j] * (x[j] - left);
        sum += first_.masses[i] * payoff;
    }
    // Above the thresholds the payoff is the position less the threshold. The mass there is
    // subtracted: K m <= moment / e^{margin}, so that nothing cancels.
    const MassMoment& a = first_.above;
    const MassMoment& b = second_.above;
    const double mass = a.mass * (second_total_.mass + b.mass) + b.mass * first_total_.mass;
    const double moment = a.moment * (second_total_.mass + b.mass) +
                          a.mass * (second_total_.moment + b.moment) +
                          b.moment * first_total_.mass + b.mass * first_total_.moment;
    return sum + std::max(0.0, moment - threshold * mass);
}

double SumPayoffs::shortfall(double threshold) const {
    allow_interruption(4 * first_.positions.size());
    const std::vector<double>& x = second_.positions;
    double sum = 0.0;
    std::size_t j = x.size();  // the atoms before j lie below the threshold that is left
    for (std::size_t i = 0; i < first_.positions.size(); ++i) {
        const double left = threshold - first_.positions[i];
        while (j > 0 && x[j - 1] >= left) --j;
        if (j == 0) break;
        sum += first_.masses[i] * (shortfall_at_[j - 1] + mass_below_[j] * (left - x[j - 1]));
    }
    return sum;
}

std::size_t SumPayoffs::atoms() const {
    return std::max(first_.positions.size(), second_.positions.size());
}

}  // namespace assay
