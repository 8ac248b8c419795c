#include "experiments/aydin2024/response_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/tbb/collaborative_call_once.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>

#include "assay/files/build_info.hpp"
#include "assay/files/progress_line.hpp"
#include "assay/ldp/response_audit.hpp"
#include "assay/monte_carlo/checkpoint.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"

namespace assay::experiments::aydin2024 {
namespace {

/// Everything that decides the numbers of a sweep.
struct SweepParameters {
    std::vector<std::int64_t> categories;
    std::vector<double> epsilons;
    std::vector<double> concentrations;
    std::vector<double> masses;
    double budget_share = 0.0;
    std::int64_t users_per_category = 0;
    double step_over_users = 0.0;
    int updates = 0;
    int subsample = 0;
    int final_updates = 0;
    int discarded = 0;
    std::int64_t runs = 0;
    std::uint64_t seed = 0;
    std::string checkpoints;
};

SweepParameters read(const Params& params, double budget_share) {
    const auto small = [&](const char* key) { return static_cast<int>(params.integer(key)); };
    return {.categories = params.integers("categories"),
            .epsilons = params.numbers("epsilons"),
            .concentrations = params.numbers("concentrations"),
            .masses = params.numbers("semi_adaptive_masses"),
            .budget_share = budget_share,
            .users_per_category = params.integer("users_per_category"),
            .step_over_users = params.number("step_over_users"),
            .updates = small("updates"),
            .subsample = small("subsample"),
            .final_updates = small("final_updates"),
            .discarded = small("discarded"),
            .runs = params.integer("runs"),
            .seed = static_cast<std::uint64_t>(params.integer("seed")),
            .checkpoints = params.has("checkpoints") ? params.text("checkpoints") : ""};
}

/// One variant, K, epsilon and rho: all methods and runs.
struct Setting {
    RestrictedResponse mechanism;
    double concentration = 0.0;
    std::uint64_t population = 0;  // the same for both variants
};

std::vector<Setting> settings(const SweepParameters& p) {
    std::vector<Setting> all;
    // The larger K take longer and begin.
    auto categories = p.categories;
    std::ranges::sort(categories, std::ranges::greater{});
    std::uint64_t population = 0;
    for (const std::int64_t k : categories)
        for (const double epsilon : p.epsilons)
            for (const double rho : p.concentrations) {
                for (const ResponseVariant variant : variants)
                    all.push_back(
                        {{static_cast<int>(k), epsilon, p.budget_share, variant}, rho, population});
                ++population;
            }
    return all;
}

SimulationPlan plan_of(const SweepParameters& p, const Setting& setting, const SubsetRule& rule) {
    SimulationPlan plan;
    plan.users = p.users_per_category * setting.mechanism.categories;
    plan.settings.mechanism = mechanism_for(rule, setting.mechanism);
    plan.settings.rule = rule;
    plan.settings.sampler =
        LangevinSettings{.updates = p.updates,
                         .subsample = p.subsample,
                         .step = {.first = p.step_over_users / static_cast<double>(plan.users)}};
    plan.settings.seed = RandomStream(p.seed, Purpose::population, setting.population).bits();
    plan.concentration = setting.concentration;
    plan.final_updates = p.final_updates;
    plan.discarded = p.discarded;
    return plan;
}

std::string setting_name(const Setting& s) {
    return fmt::format("{}_K{}_epsilon{}_share{}_rho{}", to_string(s.mechanism.variant),
                       s.mechanism.categories, s.mechanism.epsilon, s.mechanism.budget_share,
                       s.concentration);
}

/// A finished setting on disk: three numbers a run, a group a method and run.
Checkpoint empty_checkpoint(const SweepParameters& p, const Setting& setting,
                            std::size_t method_count) {
    const auto text = [](auto x) { return fmt::to_string(x); };
    return {{{"setting", setting_name(setting)},
             {"masses", fmt::format("{}", fmt::join(p.masses, ","))},
             {"users-per-category", text(p.users_per_category)},
             {"step-over-users", text(p.step_over_users)},
             {"updates", text(p.updates)},
             {"subsample", text(p.subsample)},
             {"final-updates", text(p.final_updates)},
             {"discarded", text(p.discarded)},
             {"seed", text(p.seed)},
             {"version", build_info().version}},
            {method_count * static_cast<std::uint64_t>(p.runs), 3},
            {},
            {}};
}

/// The groups of a setting: read where they were finished, else run, and kept.
GroupSums run_setting(const SweepParameters& p, const Setting& setting,
                      const std::vector<Method>& all) {
    Checkpoint state = empty_checkpoint(p, setting, all.size());
    if (state.shape.blocks_per_group() != 1)
        throw DomainError("runs", fmt::format("{}", p.runs), "at most 4096 runs over the methods");
    const std::filesystem::path file =
        std::filesystem::path(p.checkpoints) / (setting_name(setting) + ".checkpoint");
    if (!p.checkpoints.empty() && std::filesystem::exists(file)) {
        Checkpoint found = read_checkpoint(file);
        require_same_run(file, found, state);
        if (found.groups.size() == state.shape.blocks) return std::move(found.groups);
    }
    const auto runs = static_cast<std::uint64_t>(p.runs);
    for (std::uint64_t block = 0; block < state.shape.blocks; ++block) {
        const SimulationResult result =
            simulate(plan_of(p, setting, all[block / runs].rule), block % runs);
        state.groups[block] = {result.total_variation, result.mean_subset_size,
                               result.mean_sum_phi};
    }
    if (!p.checkpoints.empty()) {
        std::filesystem::create_directories(p.checkpoints);
        write_checkpoint(file, state);
    }
    return std::move(state.groups);
}

Sweep run_sweep(const SweepParameters& p) {
    Sweep sweep{p.budget_share, methods(p.masses), {}};
    const std::vector<Setting> all = settings(p);
    std::vector<GroupSums> found(all.size());
    // Figures run beside each other, so that none has a terminal's line for itself.
    ProgressLine line(std::cerr, false, {});
    std::atomic<std::size_t> finished = 0;
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, all.size(), 1),
        [&](const auto& range) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) {
                found[i] = run_setting(p, all[i], sweep.methods);
                ++finished;
                if (!p.checkpoints.empty())
                    line.show([&] {
                        return fmt::format("{}: {} of {} settings are done", setting_name(all[i]),
                                           finished.load(), all.size());
                    });
            }
        },
        tbb::simple_partitioner{});
    const auto runs = static_cast<std::uint64_t>(p.runs);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t method = 0; method < sweep.methods.size(); ++method) {
            Cell cell{all[i].mechanism.variant,
                      all[i].mechanism.categories,
                      all[i].mechanism.epsilon,
                      all[i].concentration,
                      method,
                      {},
                      {},
                      {}};
            for (std::uint64_t run = 0; run < runs; ++run) {
                const std::vector<double>& sums = found[i].at(method * runs + run);
                cell.total_variation.push_back(sums[0]);
                cell.subset_size.push_back(sums[1]);
                cell.sum_phi.push_back(sums[2]);
            }
            sweep.cells.push_back(std::move(cell));
        }
    return sweep;
}

/// One computation for all figures of a process that ask for the same sweep; who comes second
/// helps.
struct Shared {
    tbb::collaborative_once_flag once;
    std::shared_ptr<const Sweep> sweep;
};

Shared& shared(const std::string& key) {
    static std::mutex guard;
    static std::map<std::string, Shared> all;
    const std::lock_guard lock(guard);
    return all[key];
}

Enclosure audited(const Sweep& sweep, const Cell& cell) {
    const RestrictedResponse mechanism =
        mechanism_for(sweep.methods[cell.method].rule,
                      {cell.categories, cell.epsilon, sweep.budget_share, cell.variant});
    return audit_worst_size(mechanism).epsilon;
}

/// The largest audited epsilon over the claimed one, 0 where none exceeds it.
double worst_excess(const Sweep& sweep, ResponseVariant variant, const Method& method) {
    double worst = 0.0;
    for (const Cell& cell : sweep.cells) {
        if (cell.variant != variant || sweep.methods[cell.method].name != method.name) continue;
        const Enclosure epsilon = audited(sweep, cell);
        if (epsilon.lower > cell.epsilon) worst = std::max(worst, epsilon.upper / cell.epsilon);
    }
    return worst;
}

/// "U1 FIM, as released, not ε-LDP: true ε up to 1.83 ε"; the semi-adaptive rule says which of its
/// two readings it is.
std::string series_label(const Sweep& sweep, ResponseVariant variant, const Method& method) {
    const bool is_released = variant == ResponseVariant::as_released;
    std::string label = method.label + (is_released ? ", as released" : "");
    if (std::holds_alternative<SemiAdaptive>(method.rule))
        label += is_released ? std::string(", ε1 = ε, ε2 = 0")
                             : fmt::format(", ε1 = {} ε", sweep.budget_share);
    const double worst = worst_excess(sweep, variant, method);
    if (worst > 0.0) label += fmt::format(", not ε-LDP: true ε up to {:.3f} ε", worst);
    return label;
}

}  // namespace

std::vector<Method> methods(const std::vector<double>& masses) {
    std::vector<Method> all{{"non_adaptive", "non-adaptive", NonAdaptive{}}};
    for (const double mass : masses) {
        std::string name = fmt::format("semi_adaptive_{}", mass);
        std::ranges::replace(name, '.', '_');
        all.push_back({name, fmt::format("semi-adaptive {}", mass), SemiAdaptive{mass}});
    }
    const char* labels[] = {"U1 FIM", "U2 entropy", "U3 TV1", "U4 TV2", "U5 MSE", "U6 P(Y=X)"};
    for (std::size_t i = 0; i < all_utilities.size(); ++i) {
        std::string name(to_string(all_utilities[i]));
        std::ranges::replace(name, '-', '_');
        all.push_back({name, labels[i], ByUtility{all_utilities[i]}});
    }
    return all;
}

const Cell& Sweep::at(ResponseVariant variant, int categories, double epsilon, double concentration,
                      std::string_view method) const {
    const auto found = std::ranges::find_if(cells, [&](const Cell& cell) {
        return cell.variant == variant && cell.categories == categories &&
               cell.epsilon == epsilon && cell.concentration == concentration &&
               methods[cell.method].name == method;
    });
    if (found == cells.end()) throw Error("the sweep has no such cell");
    return *found;
}

std::shared_ptr<const Sweep> response_sweep(const Params& params, double budget_share) {
    const SweepParameters p = read(params, budget_share);
    const std::string key = fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {} {} {} {}", fmt::join(p.categories, ","),
        fmt::join(p.epsilons, ","), fmt::join(p.concentrations, ","), fmt::join(p.masses, ","),
        p.budget_share, p.users_per_category, p.step_over_users, p.updates, p.subsample,
        p.final_updates, p.discarded, p.runs, p.seed, p.checkpoints);
    Shared& one = shared(key);
    tbb::collaborative_call_once(one.once,
                                 [&] { one.sweep = std::make_shared<const Sweep>(run_sweep(p)); });
    return one.sweep;
}

std::string series_of(ResponseVariant variant, const Method& method) {
    std::string name = fmt::format("{}_{}", to_string(variant), method.name);
    std::ranges::replace(name, '-', '_');
    return name;
}

void add_method_series(Table& table, const Sweep& sweep) {
    for (const ResponseVariant variant : variants)
        for (const Method& method : sweep.methods)
            table.add_series({series_of(variant, method), series_label(sweep, variant, method),
                              Direction::estimate, cite::aydin2024_algorithm_1});
}

double audited_epsilon(const Sweep& sweep, const Cell& cell) {
    return audited(sweep, cell).upper;
}

Claim labelled(Claim claim, const Sweep& sweep, ResponseVariant variant) {
    double worst = 0.0;
    for (const Method& method : sweep.methods)
        worst = std::max(worst, worst_excess(sweep, variant, method));
    const std::string which =
        variant == ResponseVariant::theorem
            ? std::string("With the mechanism of Theorem 1, ")
            : fmt::format(
                  "With the mechanism as released (U1 to U6 not ε-LDP: true ε up to {:.3f} "
                  "ε), ",
                  worst);
    claim.found = which + std::get<std::string>(claim.found);
    return claim;
}

}  // namespace assay::experiments::aydin2024
