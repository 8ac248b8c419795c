#include "experiments/birrell2024/variance_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/gradient_variance.hpp"

namespace assay::experiments::birrell2024 {
namespace {

/// Mean and variance of a value that takes finitely many values with known weights.
class Listing {
public:
    void add(real weight, real value) {
        weight_ += weight;
        first_ += weight * value;
        second_ += weight * value * value;
    }
    [[nodiscard]] double mean() const { return static_cast<double>(first_ / weight_); }
    [[nodiscard]] double variance() const {
        const real centre = first_ / weight_;
        return static_cast<double>(second_ / weight_ - centre * centre);
    }

private:
    real weight_ = 0.0L;
    real first_ = 0.0L;
    real second_ = 0.0L;
};

real sum_over(std::span<const double> a, unsigned members) {
    real sum = 0.0L;
    for (std::size_t i = 0; i < a.size(); ++i)
        if ((members >> i & 1U) != 0) sum += static_cast<real>(a[i]);
    return sum;
}

Listing list_poisson(std::span<const double> a, int batch) {
    const real q = static_cast<real>(batch) / static_cast<real>(a.size());
    Listing listing;
    for (unsigned members = 0; members < 1U << a.size(); ++members) {
        const int inside = std::popcount(members);
        const int outside = static_cast<int>(a.size()) - inside;
        listing.add(
            std::pow(q, static_cast<real>(inside)) * std::pow(1.0L - q, static_cast<real>(outside)),
            sum_over(a, members) / static_cast<real>(batch));
    }
    return listing;
}

Listing list_without_replacement(std::span<const double> a, int batch) {
    Listing listing;
    for (unsigned members = 0; members < 1U << a.size(); ++members)
        if (std::popcount(members) == batch)
            listing.add(1.0L, sum_over(a, members) / static_cast<real>(batch));
    return listing;
}

void list_draws(std::span<const double> a, int batch, int drawn, real sum, Listing& listing) {
    if (drawn == batch) return listing.add(1.0L, sum / static_cast<real>(batch));
    for (const double value : a)
        list_draws(a, batch, drawn + 1, sum + static_cast<real>(value), listing);
}

Listing list_with_replacement(std::span<const double> a, int batch) {
    Listing listing;
    list_draws(a, batch, 0, 0.0L, listing);
    return listing;
}

double mean_of(std::span<const double> a, double power) {
    double sum = 0.0;
    for (const double value : a) sum += std::pow(value, power);
    return sum / static_cast<double>(a.size());
}

double off(double found, double expected) {
    return std::abs(found / expected - 1.0);
}

}  // namespace

std::vector<Claim> variance_claims(std::span<const double> population, const Setting& setting) {
    require(population.size() >= 3 && population.size() <= 8, "population",
            static_cast<double>(population.size()), "3 to 8 values");
    const int size = static_cast<int>(population.size());
    const double inverse_size = 1.0 / size;
    // 1 - mean^2 / mean of squares, the factor of (145) and (146).
    const double spread = 1.0 - std::pow(mean_of(population, 1.0), 2.0) / mean_of(population, 2.0);

    double formulas = 0.0;  // largest relative deviation of (143)-(144) from the listing
    double ratio_22 = 0.0;  // of (22)
    double ratio_147 = 0.0;
    for (int batch = 1; batch < size; ++batch) {
        const double poisson = list_poisson(population, batch).variance();
        const double with = list_with_replacement(population, batch).variance();
        const double without = list_without_replacement(population, batch).variance();
        formulas =
            std::max({formulas, off(variance_poisson(population, batch).midpoint(), poisson),
                      off(variance_with_replacement(population, batch).midpoint(), with),
                      off(variance_without_replacement(population, batch).midpoint(), without)});
        ratio_22 = std::max(ratio_22, off(without / poisson, spread / (1.0 - inverse_size)));
        const double q = batch * inverse_size;
        ratio_147 = std::max(ratio_147, off(with / without, (1.0 - inverse_size) / (1.0 - q)));
    }
    const double single = list_with_replacement(population, 1).variance() /
                          list_without_replacement(population, 1).variance();
    const double skipped = list_without_replacement(population.subspan(1), 2).mean();
    const double mean = mean_of(population, 1.0);

    std::vector<double> centred(population.begin(), population.end());
    for (double& value : centred) value -= mean;
    const double at_minimum =
        list_without_replacement(centred, 2).variance() / list_poisson(centred, 2).variance();
    const double at_paper_size = 1.0 / (1.0 - 1.0 / static_cast<double>(setting.dataset));
    const double factor = (1.0 - 1.0 / static_cast<double>(setting.dataset)) / (1.0 - setting.q);

    constexpr double rounding = 1e-12;
    return {
        claim("appendix-f-variances", "Sec 4.1, (21); Appendix F, (143)-(144)",
              "The variances of Poisson, with- and without-replacement batch averages have the "
              "printed closed forms.",
              fmt::format(
                  "They agree with the listing of every batch of a population of {} with a {}.",
                  size, describe_gap(formulas, rounding)),
              decide(formulas < rounding)),
        claim("sec4.1-variance-ratio", "Sec 4.1, (22); Appendix F, (146)",
              "Var Z_B / Var Z_P = (1 - mean^2 / mean square) / (1 - 1/|D|).",
              fmt::format(
                  "For the listed population and every |B| the two sides agree with a {} ({:.6f}).",
                  describe_gap(ratio_22, rounding), spread / (1.0 - inverse_size)),
              decide(ratio_22 < rounding)),
        claim("sec4.1-fixed-size-smaller", "Sec 4.1",
              "Away from a critical point Var Z_B < Var Z_P; close to one it is slightly larger, "
              "by 1 / (1 - 1/|D|).",
              fmt::format(
                  "Var Z_B is {:.6f} times Var Z_P with mean {:g} and {:.6f} times with mean 0.",
                  spread / (1.0 - inverse_size), mean, at_minimum),
              decide(spread / (1.0 - inverse_size) < 1.0 &&
                     off(at_minimum, 1.0 / (1.0 - inverse_size)) < rounding),
              {.details = {fmt::format("with mean 0 at |D| = {}: {:.7f} times", setting.dataset,
                                       at_paper_size)}}),
        claim("appendix-f-with-replacement-larger", "Appendix F, below (147)",
              "The variance with replacement is always larger, (1 - 1/|D|)/(1 - q) > 1.",
              fmt::format("At |B| = 1 the ratio is {:.6f}.", single),
              decide(single > 1.0 + rounding)),
        claim(
            "appendix-f-factor-close-to-1", "Sec 4.1; Appendix F, (147)",
            "The factor between the two variances is (1 - 1/|D|)/(1 - q), close to 1 for small q.",
            fmt::format("It is {:.6f} at the paper's |B| and |D|, and for the listed population "
                        "and every |B| the formula holds with a {}.",
                        factor, describe_gap(ratio_147, rounding)),
            decide(ratio_147 < rounding && factor < 1.01),
            {.criterion = "Reproduced if the former is below 1.01 and the latter holds."}),
        claim("sec4.1-range-of-batch", "Sec 4.1; Appendix F, (142)",
              "A batch drawn from {2, .., |D|} has the mean of all |D| values.",
              fmt::format(
                  "Its mean is {:g}, that of all values {:g}: the range has to be {{1, .., |D|}}.",
                  skipped, mean),
              decide(off(skipped, mean) < rounding)),
    };
}

}  // namespace assay::experiments::birrell2024
