#include "experiments/figures.hpp"

#include <algorithm>

#include "assay/numeric/errors.hpp"
#include "experiments/assay/assay.hpp"
#include "experiments/aydin2024/aydin2024.hpp"
#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/chua2025/chua2025.hpp"
#include "experiments/mironov2019/mironov2019.hpp"

namespace assay::experiments {

const std::vector<Figure>& all_figures() {
    static const std::vector<Figure> figures = {
        {"birrell2024/fig01_with_replacement_lower_bounds", "birrell2024",
         birrell2024::run_fig01_with_replacement_lower_bounds},
        {"birrell2024/fig02_replace_one_bounds", "birrell2024",
         birrell2024::run_fig02_replace_one_bounds},
        {"birrell2024/fig03_epsilon_by_delta", "birrell2024",
         birrell2024::run_fig03_epsilon_by_delta},
        {"birrell2024/fig04_epsilon_fixed_size_and_poisson", "birrell2024",
         birrell2024::run_fig04_epsilon_fixed_size_and_poisson},
        {"birrell2024/fig04_accuracy_fixed_size_and_poisson", "birrell2024",
         birrell2024::run_fig04_accuracy_fixed_size_and_poisson},
        {"birrell2024/fig05_memory_by_epoch", "birrell2024",
         birrell2024::run_fig05_memory_by_epoch},
        {"birrell2024/fig06_add_remove_bound_by_m", "birrell2024",
         birrell2024::run_fig06_add_remove_bound_by_m},
        {"birrell2024/fig07_fixed_size_and_poisson_at_high_orders", "birrell2024",
         birrell2024::run_fig07_fixed_size_and_poisson_at_high_orders},
        {"birrell2024/fig08_with_replacement_by_batch_size", "birrell2024",
         birrell2024::run_fig08_with_replacement_by_batch_size},
        {"birrell2024/fig09_with_replacement_bounds", "birrell2024",
         birrell2024::run_fig09_with_replacement_bounds},
        {"birrell2024/fig10_accuracy_by_noise_and_batch_size", "birrell2024",
         birrell2024::run_fig10_accuracy_by_noise_and_batch_size},
        {"birrell2024/section41_gradient_variance", "birrell2024",
         birrell2024::run_section41_gradient_variance},
        {"mironov2019/fig01_left_largest_order", "mironov2019",
         mironov2019::run_fig01_left_largest_order},
        {"mironov2019/fig01_right_rdp", "mironov2019", mironov2019::run_fig01_right_rdp},
        {"mironov2019/table01_bounds", "mironov2019", mironov2019::run_table01_bounds},
        {"chua2025/fig01_auc_by_sampler", "chua2025", chua2025::run_fig01_auc_by_sampler},
        {"chua2025/fig02_delta_by_sampler", "chua2025", chua2025::run_fig02_delta_by_sampler},
        {"chua2025/fig03_importance_sampling", "chua2025", chua2025::run_fig03_importance_sampling},
        {"chua2025/fig04_order_statistics", "chua2025", chua2025::run_fig04_order_statistics},
        {"chua2025/table_d1_above_or_below_poisson", "chua2025",
         chua2025::run_table_d1_above_or_below_poisson},
        {"aydin2024/fig02_honest_response", "aydin2024", aydin2024::run_fig02_honest_response},
        {"aydin2024/fig03_total_variation_share_0_8", "aydin2024",
         aydin2024::run_fig03_total_variation_share_0_8},
        {"aydin2024/fig04_total_variation_share_0_9", "aydin2024",
         aydin2024::run_fig04_total_variation_share_0_9},
        {"aydin2024/fig05_subset_size_share_0_8", "aydin2024",
         aydin2024::run_fig05_subset_size_share_0_8},
        {"aydin2024/fig06_subset_size_share_0_9", "aydin2024",
         aydin2024::run_fig06_subset_size_share_0_9},
        {"aydin2024/table01_cost_of_utilities", "aydin2024",
         aydin2024::run_table01_cost_of_utilities},
        {"aydin2024/theorem03_posterior_mass", "aydin2024",
         aydin2024::run_theorem03_posterior_mass},
        {"aydin2024/theorem04_best_subset", "aydin2024", aydin2024::run_theorem04_best_subset},
        {"assay/brackets", "assay", brackets::run_brackets},
        {"assay/fixed_size", "assay", brackets::run_fixed_size},
        {"assay/with_replacement", "assay", brackets::run_with_replacement},
    };
    return figures;
}

std::vector<Figure> choose_figures(const std::vector<Figure>& figures,
                                   const std::vector<std::string>& stems) {
    for (const std::string& stem : stems)
        if (std::ranges::find(figures, stem, &Figure::stem) == figures.end())
            throw DomainError("--figure", stem, "one of the stems that `list` prints");
    if (stems.empty()) return figures;
    std::vector<Figure> chosen;
    std::ranges::copy_if(figures, std::back_inserter(chosen), [&](const Figure& figure) {
        return std::ranges::find(stems, figure.stem) != stems.end();
    });
    return chosen;
}

}  // namespace assay::experiments
