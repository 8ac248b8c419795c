#include "experiments/chua2025/chua2025.hpp"
#include "experiments/chua2025/fig02_claims.hpp"

namespace assay::experiments::chua2025 {

FigureResult run_fig02_delta_by_sampler(const Params& params) {
    MonteCarloEffort effort = read_effort(params, params.integer("samples"));
    const auto seed = static_cast<std::uint64_t>(params.integer("seed"));
    const Narrowness wanted{.gap = params.number("gap"),
                            .negligible_delta = params.number("negligible_delta")};
    const std::int64_t points = params.integer("points");
    const std::int64_t fine = params.integer("points_that_decide");

    Table table = sampler_table();
    std::vector<SamplerCurves> panels;
    for (const Params& panel : params.sections("panel")) {
        panels.push_back(
            sampler_curves(read_sampler_panel(panel, points), fine, wanted, effort, seed));
        add_sampler_curves(table, panels.back());
        if (params.has("samples_of_other_panels"))  // than the first
            effort.samples = params.integer("samples_of_other_panels");
    }
    std::vector<Claim> claims = sampler_claims(panels, effort);
    const Params kl = params.section("kl");
    claims.push_back(kl_claim(panels, kl.integer("cells"), kl.number("gap")));
    claims.push_back(inflation_claim(params.section("inflation"), effort.beta, seed));
    return {std::move(table), std::move(claims)};
}

}  // namespace assay::experiments::chua2025
