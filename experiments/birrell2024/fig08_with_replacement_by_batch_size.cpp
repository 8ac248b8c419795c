#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/privacy/citations.hpp"
#include "assay/rdp/fixed_size_with_replacement.hpp"
#include "assay/rdp/fixed_size_without_replacement.hpp"
#include "assay/rdp/truncated_lower_bound.hpp"
#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/birrell2024/curves.hpp"

namespace assay::experiments::birrell2024 {
namespace {

struct BatchSizes {
    int order = 2;
    double q = 0.0;
    std::vector<double> sigmas;

    [[nodiscard]] std::int64_t dataset(std::int64_t batch) const {
        return std::llround(static_cast<double>(batch) / q);
    }
    [[nodiscard]] Enclosure exact(double sigma, std::int64_t batch) const {
        return fixed_size_with_replacement_rdp(order, sigma, batch, dataset(batch));
    }
};

std::string named(const char* curve, double sigma) {
    return fmt::format("{}_sigma_{:g}", curve, sigma);
}

/// The first |B| at which the curve has left `departure` times its value at |B| = 2.
std::int64_t critical_batch(const BatchSizes& now, double sigma) {
    const double start = now.exact(sigma, 2).midpoint();
    std::int64_t below = 2;
    std::int64_t above = 4096;
    while (above - below > 1) {
        const std::int64_t middle = (below + above) / 2;
        (now.exact(sigma, middle).midpoint() < departure * start ? below : above) = middle;
    }
    return above;
}

std::vector<Claim> claims(const Params& params, const BatchSizes& now, const Table& table) {
    const auto large = params.section("large").integers("batch_sizes");
    std::vector<std::int64_t> critical;
    std::vector<std::string> found_critical;
    double largest_slope = 0.0;  // relative growth from |B| = 2 to half the critical size
    double gap = 0.0;            // between (122) and the quadrature
    double least_growth = INFINITY;
    for (const double sigma : now.sigmas) {
        const std::int64_t batch = critical_batch(now, sigma);
        critical.push_back(batch);
        found_critical.push_back(fmt::format("sigma = {:g}: |B| = {}", sigma, batch));
        largest_slope =
            std::max(largest_slope, ratio(now.exact(sigma, batch / 2), now.exact(sigma, 2)) - 1.0);
        const auto sum = table.values(named("lower_bound", sigma), "y");
        const auto exact = table.values(named("exact", sigma), "y");
        for (std::size_t i = 0; i < sum.size(); ++i)
            gap = std::max(gap, std::abs(sum[i] / exact[i] - 1.0));
        for (std::size_t i = 0; i + 1 < large.size(); ++i) {
            const auto at = [&](std::int64_t size) {
                return equation_120_rdp(now.order, sigma, size, now.dataset(size)).lower;
            };
            least_growth = std::min(least_growth, at(large[i + 1]) / at(large[i]));
        }
    }
    const auto last =
        static_cast<std::int64_t>(table.values(named("exact", now.sigmas.front()), "x").back());
    const auto outside = std::ranges::count_if(critical, [&](auto batch) { return batch > last; });
    return {
        claim("fig08-initially-horizontal", "Appendix D.2, Figure 8",
              "Each curve starts out horizontal.",
              fmt::format("From |B| = 2 to half the critical size it grows by at most {:.4f} %.",
                          100.0 * largest_slope),
              decide(largest_slope < 0.01), {.criterion = "Reproduced if by less than 1 %."}),
        claim("fig08-critical-batch", "Appendix D.2, Figure 8",
              "For each sigma there is a |B| beyond which the divergence increases rapidly.",
              fmt::format("It has twice its value at |B| = 2 from |B| = {} at sigma = {:g} to |B| "
                          "= {} at sigma = {:g}, {} of them beyond the sizes drawn.",
                          critical.front(), now.sigmas.front(), critical.back(), now.sigmas.back(),
                          outside),
              decide(std::ranges::is_sorted(critical) && critical.back() < 4096),
              {.criterion = "Reproduced if that |B| rises with sigma and is below 4096.",
               .details = found_critical}),
        claim("fig08-single-sum", "Appendix D.2.1, (122)",
              "At order 2 the bound is one sum by the binomial theorem.",
              "The sum and the divergence by quadrature agree with a " + describe_gap(gap, 1e-12) +
                  ".",
              decide(gap < 1e-12)),
        claim(
            "fig08-unbounded", "Appendix D.2, (120)",
            "At fixed q the bound grows without limit in |B|.",
            fmt::format("(120) grows at least {:.3g}-fold for each factor 10 from |B| = {} to {}.",
                        least_growth, large.front(), large.back()),
            decide(least_growth > 10.0), {.criterion = "Reproduced if more than 10-fold."}),
    };
}

}  // namespace

FigureResult run_fig08_with_replacement_by_batch_size(const Params& params) {
    const BatchSizes now{.order = static_cast<int>(params.integer("order")),
                         .q = params.number("sampling_probability"),
                         .sigmas = params.numbers("noise_multipliers")};
    const auto batches = as_doubles(params.integers("batch_sizes"));

    Table table = curve_table("batch size |B|", "nats");
    for (const double sigma : now.sigmas) {
        add_curve(table,
                  {named("lower_bound", sigma), fmt::format("σ = {:g}", sigma), Direction::lower,
                   drawn::thm_3_7},
                  batches, at_each(batches, [&](double size) {
                      const std::int64_t batch = std::llround(size);
                      // T_2 is the whole {0, .., |B|}; there is no k > 2 at order 2.
                      return theorem_3_7_truncated_rdp(now.order, sigma, batch, now.dataset(batch),
                                                       {0});
                  }));
        add_curve(table,
                  {named("exact", sigma), fmt::format("σ = {:g}, exact", sigma), Direction::upper,
                   cite::with_replacement},
                  batches, at_each(batches, [&](double size) {
                      return now.exact(sigma, std::llround(size));
                  }));
    }
    return {table, claims(params, now, table)};
}

}  // namespace assay::experiments::birrell2024
