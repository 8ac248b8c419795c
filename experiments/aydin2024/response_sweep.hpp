#pragma once
#include <memory>
#include <string>
#include <vector>

#include "assay/ldp/simulation.hpp"
#include "assay/record/params.hpp"

namespace assay::experiments::aydin2024 {

/// One way to choose sets, as Section 7 compares them.
struct Method {
    std::string name;  ///< snake_case: "semi_adaptive_0_9"
    std::string label;
    SubsetRule rule;
};

/// Non-adaptive, semi-adaptive at each mass, and the six utilities.
[[nodiscard]] std::vector<Method> methods(const std::vector<double>& masses);

/// What a mechanism is answered with: by Theorem 1, or as the authors' program does.
///   as released: the sets of a utility take the released table of epsilon_2; the semi-adaptive
///   rule takes epsilon_1 = epsilon, epsilon_2 = 0 (the theorem at budget share 1, private); the
///   non-adaptive one is standard randomised response in both
[[nodiscard]] RestrictedResponse mechanism_of(const SubsetRule& rule,
                                              const RestrictedResponse& mechanism);

/// All runs of one method in one setting.
struct Cell {
    ResponseVariant variant = ResponseVariant::theorem;
    int categories = 0;
    double epsilon = 0.0;
    double concentration = 0.0;
    std::size_t method = 0;               ///< index into Sweep::methods
    std::vector<double> total_variation;  ///< by run: equal numbers are equal populations
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

/// What the tables of these figures say on how private a row is: the true epsilon.
[[nodiscard]] double audited_epsilon(const Sweep& sweep, const Cell& cell);

}  // namespace assay::experiments::aydin2024
