#pragma once
#include <memory>
#include <string>
#include <vector>

#include "assay/ldp/simulation.hpp"
#include "experiments/claims.hpp"
#include "experiments/params.hpp"
#include "experiments/table.hpp"

namespace assay::experiments::aydin2024 {

/// One way to choose sets, as Section 7 compares them.
struct Method {
    std::string name;  ///< snake_case: "semi_adaptive_0_9"
    std::string label;
    SubsetRule rule;
};

/// Non-adaptive, semi-adaptive at each mass, and the six utilities.
[[nodiscard]] std::vector<Method> methods(const std::vector<double>& masses);

inline constexpr ResponseVariant variants[] = {ResponseVariant::theorem,
                                               ResponseVariant::as_released};

/// All runs of one method in one setting.
struct Cell {
    ResponseVariant variant = ResponseVariant::theorem;
    int categories = 0;
    double epsilon = 0.0;
    double concentration = 0.0;
    std::size_t method = 0;  ///< index into Sweep::methods
    /// By run. Equal runs of one K, epsilon and rho have equal populations, whatever the method,
    /// variant and budget share; those of different settings are independent.
    std::vector<double> total_variation;
    std::vector<double> subset_size;
    std::vector<double> sum_phi;
};

struct Sweep {
    double budget_share = 0.0;
    std::vector<Method> methods;
    std::vector<Cell> cells;

    [[nodiscard]] const Cell& at(ResponseVariant variant, int categories, double epsilon,
                                 double concentration, std::string_view method) const;
};

/// The simulation behind Figures 3 to 6: every method, number of categories, epsilon and rho at one
/// budget share, by both variants. Figures with the same parameters share one computation; with
/// `checkpoints`, a folder, a setting that was finished is not run again.
[[nodiscard]] std::shared_ptr<const Sweep> response_sweep(const Params& params,
                                                          double budget_share);

/// Declares the series of every variant and method. Those that are not epsilon-LDP by the audit say
/// so, and the semi-adaptive ones which epsilon_1 they take: budget_share epsilon by the paper's
/// text (theorem), epsilon with epsilon_2 = 0 in the authors' program (as released).
void add_method_series(Table& table, const Sweep& sweep);

/// A series: "as_released_entropy".
[[nodiscard]] std::string series_of(ResponseVariant variant, const Method& method);

/// The claim, what was found (a text) headed by the mechanism that it was found with, which may not
/// be private.
[[nodiscard]] Claim labelled(Claim claim, const Sweep& sweep, ResponseVariant variant);

/// What the tables of these figures say on how private a row is: the true epsilon.
[[nodiscard]] double audited_epsilon(const Sweep& sweep, const Cell& cell);

}  // namespace assay::experiments::aydin2024
