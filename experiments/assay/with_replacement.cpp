#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/account/account.hpp"
#include "assay/account/one_accountant.hpp"
#include "experiments/assay/assay.hpp"

namespace assay::experiments::brackets {
namespace {

/// A point of a panel, and the figure of birrell2024 whose setting it has.
struct Setting {
    std::int64_t figure = 0;
    double noise = 0.0;
    std::int64_t batch = 0;
    double q = 0.0;
    double delta = 0.0;
    std::int64_t steps = 0;

    [[nodiscard]] Release release(bool with_replacement) const {
        if (!with_replacement)
            return {Adjacency::add_remove, {{FixedSizeGaussian{noise, q}, steps}}};
        const std::int64_t records = std::llround(static_cast<double>(batch) / q);
        return {Adjacency::add_remove,
                {{FixedSizeWithReplacementGaussian{noise, batch, records}, steps}}};
    }
    [[nodiscard]] std::vector<double> row(const Bound& lower, const Bound& upper) const {
        return {static_cast<double>(figure),
                noise,
                static_cast<double>(batch),
                delta,
                lower.value,
                upper.value};
    }
};

std::vector<Setting> read_settings(const Params& params) {
    std::vector<Setting> settings;
    for (const Params& panel : params.sections("panel"))
        for (const double noise : panel.numbers("noise_multipliers"))
            for (const std::int64_t batch : panel.integers("batch_sizes"))
                for (const double delta : panel.numbers("deltas"))
                    settings.push_back({panel.integer("figure"), noise, batch,
                                        panel.number("sampling_probability"), delta,
                                        params.integer("steps")});
    return settings;
}

}  // namespace

FigureResult run_with_replacement(const Params& params) {
    const auto input = [](const char* name, const char* unit) {
        return Column{.name = name, .unit = unit, .golden_tolerance = 0.0};
    };
    const auto side = [](const char* name, Direction direction) {
        return Column{.name = name,
                      .unit = "epsilon",
                      .direction = direction,
                      .golden_tolerance = searched_tolerance};
    };
    Table table({input("figure", "number in birrell2024"), input("noise_multiplier", "1"),
                 input("batch_size", "records"), input("delta", "1"),
                 side("lower", Direction::lower), side("upper", Direction::upper)});
    const std::vector<Setting> settings = read_settings(params);
    std::vector<Bracket> with;
    std::vector<Bracket> without;
    std::vector<Bracket> renyi;
    for (const Setting& now : settings) {
        with.push_back(epsilon(now.release(true), now.delta));
        without.push_back(epsilon(now.release(false), now.delta));
        renyi.push_back(epsilon_by(Accountant::renyi, now.release(true), now.delta, {}));
    }
    const auto add = [&](const char* name, const char* label, const auto& found) {
        table.add_series({name, label, Direction::upper, found.front().upper.theorem});
        for (std::size_t i = 0; i < settings.size(); ++i)
            table.add(name, settings[i].row(found[i].lower, found[i].upper));
    };
    add("with_replacement", "with replacement", with);
    add("without_replacement", "without replacement, same q", without);
    add("renyi", "with replacement, from Rényi divergences", renyi);

    double farthest = 0.0;  // at least |with / without - 1|, from the ends of both brackets
    double loosest = 0.0;   // largest ratio of the upper sides
    for (std::size_t i = 0; i < settings.size(); ++i) {
        farthest = std::max({farthest, with[i].upper.value / without[i].lower.value - 1.0,
                             without[i].upper.value / with[i].lower.value - 1.0});
        loosest = std::max(loosest, renyi[i].upper.value / with[i].upper.value);
    }
    return {std::move(table),
            {},
            {fmt::format("At every point ε with replacement is within {:.2g} % of ε without; from "
                         "Rényi divergences it is up to {:.3g} times as large.",
                         100.0 * farthest, loosest)}};
}

}  // namespace assay::experiments::brackets
