#include <algorithm>
#include <bit>
#include <cmath>

#include "assay/batch_sampling/balls_and_bins.hpp"
#include "assay/batch_sampling/fixed_size.hpp"
#include "verify/checks/batch_fixture.hpp"
#include "verify/checks/local_fixture.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The distributions of the samplers where the data are large: what is drawn by groups and chunks,
// and what the rounding of an index is felt in.

namespace assay::verify {

namespace {

Interval share_of(double part, double whole) {
    return Interval(part, distribution_precision) / Interval(whole, distribution_precision);
}

// ---- an index of 32 bits -------------------------------------------------------------------

/// With halves h of 32 bits an index is floor(h n / 2^32) for floor(2^32 / n) of them or for one
/// more: without refusal the latter would be drawn too often. Also the thirds of the data, and the
/// residues mod 3.
Events index_events(const Point& p) {
    constexpr std::int64_t draws = 200'000;
    const auto n = static_cast<std::uint64_t>(p.integer("n"));
    WithReplacementBatches batches({.scheme = SamplingScheme::fixed_size_with_replacement,
                                    .dataset_size = p.integer("n"),
                                    .batch_size = draws,
                                    .seed = static_cast<std::uint64_t>(p.integer("seed"))});
    Batch batch;
    batches.draw(p.integer("step"), batch);
    constexpr std::uint64_t all = std::uint64_t{1} << 32U;
    const auto begin = [&](std::uint64_t i) { return (i * all + n - 1) / n; };
    double more = 0.0;
    std::vector<double> thirds(3, 0.0);
    std::vector<double> residues(3, 0.0);
    for (const std::uint64_t i : batch.indices) {
        more += begin(i + 1) - begin(i) > all / n ? 1.0 : 0.0;
        thirds.at(3 * i / n) += 1.0;
        residues[i % 3] += 1.0;
    }
    Events events;
    events.add(more, draws, share_of(static_cast<double>(all % n), p["n"]));
    for (std::uint64_t k = 0; k < 3; ++k) {
        const auto third = [&](std::uint64_t end) { return (end * n + 2) / 3; };
        events.add(thirds[k], draws,
                   share_of(static_cast<double>(third(k + 1) - third(k)), p["n"]));
        events.add(residues[k], draws, share_of(static_cast<double>((n + 2 - k) / 3), p["n"]));
    }
    return events;
}

// ---- balls and bins ------------------------------------------------------------------------

constexpr int batch_epochs = 2;

/// The bin of every example, epoch after epoch.
std::vector<std::vector<std::uint32_t>> bins_at(const Point& p, int count) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(p.integer("n")));
    std::vector<std::uint32_t> begins;
    std::vector<std::vector<std::uint32_t>> all;
    for (int epoch = 0; epoch < count; ++epoch) {
        draw_bins(static_cast<std::uint64_t>(p.integer("seed")), p.integer("step") + epoch,
                  p.integer("T"), BinMethod::each_example, order, begins);
        std::vector<std::uint32_t>& bins = all.emplace_back(order.size());
        for (std::uint32_t t = 0; t + 1 < begins.size(); ++t)
            for (std::uint32_t at = begins[t]; at < begins[t + 1]; ++at) bins[order[at]] = t;
    }
    return all;
}

/// What draws from one stream.
constexpr std::size_t chunk = 65'536;

/// Sizes of every bin and of the first t bins together; pairs of examples `distance` or a chunk
/// apart, and one example in two epochs, that share a bin.
Events bin_events(const Point& p) {
    const auto T = static_cast<std::size_t>(p.integer("T"));
    const auto all = bins_at(p, batch_epochs);
    Events events;
    for (const auto& bins : all) {
        std::vector<double> sizes(T, 0.0);
        for (const std::uint32_t bin : bins) sizes[bin] += 1.0;
        double before = 0.0;
        for (std::size_t t = 0; t < T; ++t) {
            events.add(sizes[t], p["n"], share_of(1.0, p["T"]));
            before += sizes[t];
            events.add(before, p["n"], share_of(static_cast<double>(t + 1), p["T"]));
        }
        for (const std::size_t distance :
             {chunk, static_cast<std::size_t>(p.integer("distance"))}) {
            double pairs = 0.0;
            double together = 0.0;
            for (std::size_t i = 0; i + distance < bins.size(); ++i) {
                if (i / distance % 2 == 1) continue;  // every example in one pair
                pairs += 1.0;
                together += bins[i] == bins[i + distance] ? 1.0 : 0.0;
            }
            events.add(together, pairs, share_of(1.0, p["T"]));
        }
    }
    double kept = 0.0;
    for (std::size_t i = 0; i < all[0].size(); ++i) kept += all[0][i] == all[1][i] ? 1.0 : 0.0;
    events.add(kept, p["n"], share_of(1.0, p["T"]));
    return events;
}

/// Neighbouring bins in groups of 2^s, for every s: given the groups, the r-th members of two
/// groups have the same place in them once in 2^s.
Events group_events(const Point& p) {
    const std::vector<std::uint32_t> bins = bins_at(p, 1).front();
    const auto T = static_cast<std::uint32_t>(p.integer("T"));
    Events events;
    for (unsigned s = 1; T >> s >= 2; ++s) {
        std::vector<std::vector<std::uint32_t>> places(T >> s);
        for (const std::uint32_t bin : bins)
            if (bin >> s < places.size()) places[bin >> s].push_back(bin % (std::uint32_t{1} << s));
        double pairs = 0.0;
        double equal = 0.0;
        for (std::size_t group = 1; group < places.size(); group += 2)
            for (std::size_t r = 0; r < std::min(places[group - 1].size(), places[group].size());
                 ++r) {
                pairs += 1.0;
                equal += places[group - 1][r] == places[group][r] ? 1.0 : 0.0;
            }
        events.add(equal, pairs,
                   Interval(std::ldexp(1.0, -static_cast<int>(s)), distribution_precision));
    }
    return events;
}

}  // namespace

std::vector<Check> batch_large_rows() {
    const Dimension step{"step", Scale::linear, 0, 1e6, true, {0}};
    Space bins{{count_dimension("n", 131'073, 400'000, {131'073, 196'609, 262'144}),
                count_dimension("T", 2, 3000, {2, 3, 5, 9, 33, 1025}), step,
                count_dimension("distance", 1, 130'000, {1, 131'072}), seed_dimension()},
               [](const Point& p) { return p["distance"] < p["n"]; }};
    Space groups = bins;
    groups.dimensions[1] = count_dimension("T", 4, 3000, {4, 8, 12, 1024});
    return {
        events_row("batches.fixed_size_with_replacement.huge_data",
                   "indices of up to 2^32 - 1 examples are uniform where the rounding of 32 bits "
                   "is felt most",
                   {{count_dimension("n", 1073741824, 4294967295.0,
                                     {3221225472.0, 2415919104.0, 4294967295.0}),
                     step, seed_dimension()},
                    {}},
                   6, 60, index_events),
        events_row("batches.balls_and_bins.law_large",
                   "bins of more than 131,072 examples are uniform and independent for every "
                   "example and in every epoch",
                   std::move(bins), 12, 120, bin_events),
        events_row("batches.balls_and_bins.groups_independent",
                   "given which group of bins an example is in, its bin has nothing to do with "
                   "those of other groups",
                   std::move(groups), 6, 60, group_events)};
}

}  // namespace assay::verify
