#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "assay/ldp/subset_choice.hpp"
#include "assay/ldp/utilities_dense.hpp"
#include "assay/privacy/citations.hpp"
#include "experiments/aydin2024/adaptive_stream.hpp"
#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/golden.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// Of a fitted exponent: at these K caches and lower orders still count.
constexpr double tolerance = 0.5;

double thread_seconds() {
    std::timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds of one call, in a series of so many that it lasts `each` or more.
template <class Work>
double time_of(double each, Work work) {
    for (int calls = 1;; calls *= 2) {
        const double start = thread_seconds();
        for (int i = 0; i < calls; ++i) work();
        const double spent = thread_seconds() - start;
        if (spent >= each || calls >= (1 << 28)) return spent / calls;
    }
}

/// Seconds of one call at every size, the shortest of four passes over all sizes: what disturbs the
/// machine for a while then does not bend the curve.
template <class WorkAt>
std::vector<double> times_at(const std::vector<std::int64_t>& sizes, double each,
                             const WorkAt& work_at) {
    std::vector<double> shortest(sizes.size(), std::numeric_limits<double>::infinity());
    for (int pass = 0; pass < 4; ++pass)
        for (std::size_t i = 0; i < sizes.size(); ++i)
            shortest[i] = std::min(shortest[i], time_of(each, work_at(static_cast<int>(sizes[i]))));
    return shortest;
}

/// Slope of log seconds against log K over the upper half of the sizes.
double exponent(const std::vector<std::int64_t>& sizes, const std::vector<double>& seconds) {
    double sx = 0.0;
    double sy = 0.0;
    double sxx = 0.0;
    double sxy = 0.0;
    const std::size_t first = sizes.size() / 2;
    const auto n = static_cast<double>(sizes.size() - first);
    for (std::size_t i = first; i < sizes.size(); ++i) {
        const double x = std::log(static_cast<double>(sizes[i]));
        const double y = std::log(seconds[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// One way to choose S, and the order that the paper gives it.
struct Measured {
    std::string name;
    std::string label;
    std::string utility;  ///< or rule, without how it is computed
    double printed_order = 0.0;
    bool is_printed_way = false;  ///< as the paper computes it, not by a closed form of ours
    std::vector<std::int64_t> sizes;
    std::vector<double> seconds;
};

double printed_order(Utility utility) {
    if (utility == Utility::fisher_information) return 4.0;
    return utility == Utility::honest_response ? 1.0 : 3.0;
}

std::string snake(Utility utility) {
    std::string name(to_string(utility));
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

std::vector<Measured> measure(const Params& params) {
    RestrictedResponse mechanism;
    mechanism.epsilon = params.number("epsilon");
    mechanism.budget_share = params.number("budget_share");
    const double each = params.number("seconds_each");
    // The share of theta in the most probable part of the categories is the same for every K.
    const double decay = params.number("decay");
    const auto theta_of = [&](int categories) {
        return geometric_distribution(categories, std::exp(decay / categories));
    };
    std::vector<Measured> all;
    const auto all_sizes = [&](std::string name, std::string label, std::string utility,
                               double order, const SubsetRule& rule) {
        Measured one{std::move(name),
                     std::move(label),
                     std::move(utility),
                     order,
                     order == 1.0,
                     params.integers("categories"),
                     {}};
        one.seconds = times_at(one.sizes, each, [&](int categories) {
            mechanism.categories = categories;
            return [&rule, utilities = SubsetUtilities(mechanism),
                    theta = theta_of(categories)]() mutable {
                static_cast<void>(choose_size(rule, utilities, theta));
            };
        });
        all.push_back(std::move(one));
    };
    for (const Utility utility : all_utilities)
        all_sizes(snake(utility), std::string(to_string(utility)), std::string(to_string(utility)),
                  printed_order(utility), ByUtility{utility});
    all_sizes("semi_adaptive", "semi-adaptive", "the semi-adaptive rule", 1.0, SemiAdaptive{0.9});
    for (const Utility utility : all_utilities) {
        Measured one{snake(utility) + "_dense",
                     std::string(to_string(utility)) + ", dense",
                     std::string(to_string(utility)),
                     printed_order(utility),
                     utility != Utility::honest_response,
                     params.integers("dense_categories"),
                     {}};
        one.seconds = times_at(one.sizes, each, [&](int categories) {
            mechanism.categories = categories;
            return [&mechanism, utility, theta = theta_of(categories),
                    subset = CategorySubset(categories)]() mutable {
                for (int size = 0; size < mechanism.categories; ++size) {
                    subset.resize(size);
                    static_cast<void>(dense_utility(utility, mechanism, subset, theta));
                }
            };
        });
        all.push_back(std::move(one));
    }
    return all;
}

std::string exponent_text(const Measured& one) {
    return fmt::format("{:.2f} for K from {} to {}", exponent(one.sizes, one.seconds),
                       one.sizes[one.sizes.size() / 2], one.sizes.back());
}

/// The order that the paper prints against what was measured of its own way to choose S; our closed
/// form for all k at once, where there is one, beside it.
Claim order_claim(const Measured& one, const Measured* closed_form) {
    Basis basis{.criterion = fmt::format("Reproduced if the exponent of seconds against K, fitted "
                                         "to the upper half of the K, is within {} of the printed "
                                         "one; the paper's algorithm is measured.",
                                         tolerance)};
    if (closed_form != nullptr)
        basis.details = {
            "our closed form for all k at once, which need not evaluate each S: "
            "exponent " +
            exponent_text(*closed_form)};
    return claim(
        "table01-" + one.name, "Table 1",
        fmt::format("Choosing S by {} costs O(K{}).", one.utility,
                    one.printed_order == 1.0 ? "" : fmt::format("^{}", one.printed_order)),
        fmt::format("{}seconds of the paper's algorithm grow with exponent {}, printed {}.",
                    experiments::measured, exponent_text(one), one.printed_order),
        decide(std::fabs(exponent(one.sizes, one.seconds) - one.printed_order) <= tolerance),
        std::move(basis));
}

/// One claim a row of the table: the paper's algorithm against its own order.
std::vector<Claim> order_claims(const std::vector<Measured>& all) {
    std::vector<Claim> claims;
    for (const Measured& one : all) {
        // The paper's way to U6 is the sums over k that ours are.
        if (!one.is_printed_way || one.name == "honest_response_dense") continue;
        const auto closed = std::ranges::find_if(all, [&](const Measured& other) {
            return !other.is_printed_way && other.utility == one.utility &&
                   other.printed_order > 1.0;
        });
        claims.push_back(order_claim(one, closed == all.end() ? nullptr : &*closed));
    }
    return claims;
}

}  // namespace

FigureResult run_table01_cost_of_utilities(const Params& params) {
    constexpr double any_positive_number = 1.0 - 0x1p-53;
    Table table(
        {{.name = "categories", .unit = "1", .golden_tolerance = 0.0},
         {.name = "seconds", .unit = "s, measured", .golden_tolerance = any_positive_number},
         {.name = "exponent", .unit = "1, measured", .golden_tolerance = any_positive_number},
         {.name = "printed_order", .unit = "1", .golden_tolerance = 0.0}});
    const std::vector<Measured> all = measure(params);
    for (const Measured& one : all) {
        table.add_series({one.name, one.label, Direction::estimate, cite::aydin2024_algorithm_1});
        const double grows = exponent(one.sizes, one.seconds);
        for (std::size_t i = 0; i < one.sizes.size(); ++i)
            table.add(one.name,
                      {static_cast<double>(one.sizes[i]), one.seconds[i], std::max(grows, 0.0),
                       one.printed_order},
                      "heuristic");
    }
    return {std::move(table), order_claims(all)};
}

}  // namespace assay::experiments::aydin2024
