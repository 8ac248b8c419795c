#include "experiments/mironov2019/exact_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/rdp/sampled_gaussian.hpp"
#include "assay/rdp/theorem_11.hpp"
#include "experiments/mironov2019/direct_sums.hpp"
#include "experiments/mironov2019/mironov2019.hpp"

namespace assay::experiments::mironov2019 {

namespace {

bool overlap(const Enclosure& a, const Enclosure& b) {
    return a.lower <= b.upper && b.lower <= a.upper;
}

double relative_difference(double a, double b) {
    return std::fabs(a - b) / std::max(std::fabs(a), std::fabs(b));
}

/// Two ways to the same number: how far apart they are where the second is narrow enough to tell.
struct Agreement {
    double largest_difference = 0.0;
    int compared = 0;
    int seen = 0;
    bool disjoint = false;

    void see(const Enclosure& exact, const Enclosure& other, double narrow) {
        ++seen;
        disjoint = disjoint || !overlap(exact, other);
        if (other.relative_width() > narrow) return;
        ++compared;
        largest_difference =
            std::max(largest_difference, relative_difference(exact.midpoint(), other.midpoint()));
    }
    [[nodiscard]] Verdict verdict(double narrow) const {
        if (compared == 0) return Verdict::undecidable;
        return decide(!disjoint && largest_difference <= narrow);
    }
    [[nodiscard]] std::string found(const char* what, double narrow) const {
        return fmt::format(
            "The largest relative difference of ε by {} and by our quadrature is {} at the {} of "
            "{} points that {} encloses narrowly.",
            what, below(largest_difference, narrow), compared, seen, what);
    }
};

Claim quadratic_in_q(const Params& params) {
    const std::vector<double> grid = params.numbers("slope_q");
    const double tolerance = params.number("slope_tolerance");
    double farthest = 2.0;
    for (const double sigma : params.numbers("slope_sigma"))
        for (const double order : params.numbers("slope_alpha"))
            for (std::size_t i = 1; i < grid.size(); ++i) {
                if (!theorem_11(order, sigma, grid[i]).applies) break;
                const double rise =
                    std::log(poisson_add_remove_rdp(order, sigma, grid[i]).midpoint() /
                             poisson_add_remove_rdp(order, sigma, grid[i - 1]).midpoint());
                const double slope = rise / std::log(grid[i] / grid[i - 1]);
                if (std::fabs(slope - 2.0) > std::fabs(farthest - 2.0)) farthest = slope;
            }
    return claim("quadratic-in-q", "Abstract",
                 "The cost of one evaluation falls quadratically with the sampling rate.",
                 fmt::format("In the range of Theorem 11 the slope d log ε / d log q farthest from "
                             "2 is {:.6f}.",
                             farthest),
                 decide(std::fabs(farthest - 2.0) <= tolerance),
                 {.criterion = fmt::format("Reproduced if it is within {} of 2.", tolerance)});
}

Claim stability_of_the_series(const Params& params) {
    const double tolerance = params.number("series_tolerance");
    double worst = 0.0;
    for (const double sigma : params.numbers("series_sigma"))
        for (const double order : params.numbers("series_alpha"))
            for (const double q : params.numbers("series_q")) {
                const double exact = poisson_add_remove_rdp(order, sigma, q).midpoint();
                const double series = series_in_double(order, sigma, q);
                worst = std::max(worst, std::min(1.0, std::fabs(series - exact) / exact));
            }
    return claim("series-stable-in-double", "Abstract, Section 3.3",
                 "The procedure is numerically stable.",
                 fmt::format("Its sum in double precision gives ε with a relative error of up to "
                             "{:.3g}, 1 meaning that no digit is left.",
                             worst),
                 decide(worst <= tolerance),
                 {.criterion = fmt::format("Reproduced if the error is at most {}.", tolerance),
                  .details = {"the digits are lost because A_α is 1 plus a tiny number"}});
}

}  // namespace

std::vector<Claim> exact_claims(const Params& params) {
    const double narrow = params.number("narrow");
    Agreement series;
    Agreement integer_sum;
    double smallest_quotient = std::numeric_limits<double>::infinity();
    bool never_below = true;
    bool always_decided = true;
    for (const double order : params.numbers("alpha"))
        for (const double sigma : params.numbers("sigma"))
            for (const double q : params.numbers("q")) {
                const Enclosure a = poisson_add_remove_rdp(order, sigma, q);
                const Enclosure b = poisson_addition_rdp(order, sigma, q);
                never_below = never_below && a.upper >= b.lower;
                always_decided = always_decided && a.lower >= b.upper;
                smallest_quotient = std::min(smallest_quotient, a.lower / b.upper);
                series.see(a, poisson_fractional_series_rdp(order, sigma, q), narrow);
                if (order == std::floor(order))
                    integer_sum.see(a, poisson_integer_order_rdp(static_cast<int>(order), sigma, q),
                                    narrow);
            }
    const Verdict corollary_7 = !never_below     ? Verdict::differs
                                : always_decided ? Verdict::reproduced
                                                 : Verdict::undecidable;
    return {
        claim("corollary-7", "Corollary 7", "A_α >= B_α.",
              fmt::format("The certified divergence of removal over that of addition is at least "
                          "1 + {:.2g}.",
                          smallest_quotient - 1.0),
              corollary_7),
        claim("series-equals-integral", "Section 3.3, Case II",
              "The series in erfc equals A_α for fractional and integer α.",
              series.found("the series", narrow), series.verdict(narrow)),
        claim("integer-sum-equals-integral", "Section 3.3, Case I; Table 1, row 2",
              "The finite sum equals A_α at integer α.", integer_sum.found("the sum", narrow),
              integer_sum.verdict(narrow)),
        stability_of_the_series(params),
        quadratic_in_q(params),
    };
}

}  // namespace assay::experiments::mironov2019
