#pragma once
#include "assay/numeric/bound.hpp"

/// The theorems that results rest on. `ours` are proved in docs/proofs.md, not peer-reviewed.
namespace assay::cite {

inline constexpr Theorem mironov2017_gaussian{"mironov2017 Proposition 7", Standing::published};
inline constexpr Theorem mironov2019_theorems_4_5{"mironov2019 Theorems 4 and 5",
                                                  Standing::published};
inline constexpr Theorem birrell2024_thm_3_1{"birrell2024 Theorem 3.1", Standing::published};
inline constexpr Theorem birrell2024_thm_3_4{"birrell2024 Theorem 3.4", Standing::published};
inline constexpr Theorem birrell2024_thm_c_9_at_3{"birrell2024 Theorem C.9 at m = 3",
                                                  Standing::published};
inline constexpr Theorem birrell2024_thm_3_6{"birrell2024 Theorem 3.6", Standing::published};
inline constexpr Theorem birrell2024_eq_115{"birrell2024 equation (115)", Standing::published};
inline constexpr Theorem wang2019_thm_9{"wang2019 Theorem 9", Standing::published};
inline constexpr Theorem unsampled_gaussian{"mironov2017 Proposition 7, without amplification",
                                            Standing::published};
inline constexpr Theorem fixed_size_replace_one{
    "docs/proofs.md, fixed-size sampling under replace-one", Standing::ours};
inline constexpr Theorem poisson_replace_one{"docs/proofs.md, Poisson sampling under replace-one",
                                             Standing::ours};
inline constexpr Theorem with_replacement{"docs/proofs.md, fixed-size sampling with replacement",
                                          Standing::ours};
inline constexpr Theorem explicit_pair{"docs/proofs.md, lower bound from an explicit pair",
                                       Standing::ours};
inline constexpr Theorem group_pair{"docs/proofs.md, groups of records", Standing::ours};
inline constexpr Theorem attained{"explicit pair of neighbouring data sets", Standing::published};
inline constexpr Theorem balle2018_gaussian{"balle2018 Theorem 8 (analytic Gaussian)",
                                            Standing::published};
inline constexpr Theorem unsampled_hockey_stick{
    "balle2018 Theorem 8 (analytic Gaussian), without amplification", Standing::published};
inline constexpr Theorem chua2025_thm_3_1{"chua2025 Theorem 3.1", Standing::published};
inline constexpr Theorem chua2025_prop_3_2{
    "balle2018 Theorem 8 with chua2025 Proposition 3.2 (joint convexity)", Standing::published};
inline constexpr Theorem chua2025_eq_6{"chua2025 equation (6)", Standing::published};
inline constexpr Theorem chua2024_shuffle{"chua2025 Proposition 2.6", Standing::published};
inline constexpr Theorem chua2025_monte_carlo{"chua2025 Theorem 4.1", Standing::published};
inline constexpr Theorem bennett{"hoeffding1963 Theorem 3 (Bennett's inequality)",
                                 Standing::published};
inline constexpr Theorem convex_order{"docs/proofs.md, convex order of sums", Standing::ours};
inline constexpr Theorem koskela2020_composition{"chua2025 Proposition 2.5", Standing::published};
inline constexpr Theorem privacy_loss_distributions{
    "docs/proofs.md, privacy loss distributions on grids", Standing::ours};
inline constexpr Theorem smallest_mu{"docs/proofs.md, smallest mu", Standing::ours};
inline constexpr Theorem symmetric_dominating_pair{
    "docs/proofs.md, symmetric dominating pair under replace-one", Standing::ours};
inline constexpr Theorem turned_pairs{"docs/proofs.md, turned pairs under replace-one",
                                      Standing::ours};
inline constexpr Theorem jump_chain{"docs/proofs.md, the chain under replace-one", Standing::ours};
inline constexpr Theorem one_jump{"docs/proofs.md, one jump under replace-one", Standing::ours};
inline constexpr Theorem null_record_pair{"docs/proofs.md, dominating pair under zero-out",
                                          Standing::ours};
inline constexpr Theorem truncated_poisson{"docs/proofs.md, truncated Poisson batches",
                                           Standing::ours};
inline constexpr Theorem random_allocation{"docs/proofs.md, k of T batches", Standing::ours};
inline constexpr Theorem with_replacement_told{
    "docs/proofs.md, sampling with replacement, the number of hits told", Standing::ours};
inline constexpr Theorem feldman2021_filter{"feldman2021, Renyi filter of one order",
                                            Standing::published};
inline constexpr Theorem privacy_filter{"docs/proofs.md, privacy filter", Standing::ours};

inline constexpr Theorem aydin2024_theorem_1{"aydin2024 Theorem 1", Standing::published};
inline constexpr Theorem aydin2024_algorithm_1{"aydin2024 Algorithm 1", Standing::published};
inline constexpr Theorem aydin2024_algorithm_2{"aydin2024 Algorithm 2", Standing::published};
inline constexpr Theorem aydin2024_theorem_3{"aydin2024 Theorem 3", Standing::published};
inline constexpr Theorem aydin2024_theorem_4{"aydin2024 Theorem 4", Standing::published};

}  // namespace assay::cite
