#include "verify/checks/batch_fixture.hpp"

#include <algorithm>

#include "verify/checks/local_fixture.hpp"
#include "verify/checks/spaces.hpp"

namespace assay::verify {

namespace {

std::size_t index(long i) {
    return static_cast<std::size_t>(i);
}

/// Calls `see(multiplicities)` for every trial's batch.
template <class See>
void each_batch(const SamplerFixture& fixture, const Point& p, See see) {
    const auto draw = fixture.sampler(p);
    std::vector<long> copies(index(p.integer("n")));
    Batch batch;
    for (std::int64_t trial = 0; trial < fixture.trials; ++trial) {
        draw(trial, batch);
        std::fill(copies.begin(), copies.end(), 0);
        for (const std::uint32_t i : batch.indices) ++copies.at(i);
        see(copies);
    }
}

/// Histograms of numbers of members, one a group of examples, all with one distribution.
class Histograms {
public:
    Histograms(std::vector<Interval> distribution, long groups)
        : distribution_(std::move(distribution)),
          counts_(index(groups) * distribution_.size(), 0.0) {}

    void add(long group, long members) {
        counts_.at(index(group) * distribution_.size() + index(members)) += 1.0;
    }
    void add_to(Events& events, std::int64_t trials) const {
        for (std::size_t i = 0; i < counts_.size(); ++i)
            events.add(counts_[i], static_cast<double>(trials),
                       distribution_[i % distribution_.size()]);
    }

private:
    std::vector<Interval> distribution_;
    std::vector<double> counts_;
};

}  // namespace

Space batches_space(double most, bool cut) {
    Space space{{{"n", Scale::linear, 2.0, most, true, {2.0, 3.0, most}},
                 {"b", Scale::linear, 1.0, most, true, {1.0, 2.0}},
                 {"B", Scale::linear, 1.0, most, true, {1.0, 2.0, 3.0}},
                 {"t", Scale::linear, 0.0, most, true, {0.0, 1.0}},
                 {"m", Scale::linear, 1.0, most, true, {1.0, most}},
                 seed_dimension()},
                [](const Point& p) {
                    return p["b"] <= p["n"] && p["m"] <= p["n"] && p["b"] <= p["B"] &&
                           p["B"] <= p["n"];
                }};
    if (!cut) {
        std::erase_if(space.dimensions, [](const Dimension& d) { return d.name == "B"; });
        space.admits = [](const Point& p) { return p["b"] <= p["n"] && p["m"] <= p["n"]; };
    }
    return space;
}

Events member_events(const SamplerFixture& fixture, const Point& p) {
    const long n = p.integer("n");
    const long m = p.integer("m");
    Histograms singles(fixture.members(p, 1), n);
    Histograms pairs(fixture.members(p, 2), n * (n - 1) / 2);
    Histograms first(fixture.members(p, m), 1);
    each_batch(fixture, p, [&](const std::vector<long>& copies) {
        long pair = 0;
        long members = 0;
        for (long i = 0; i < n; ++i) {
            const long here = copies[index(i)];
            singles.add(i, here);
            for (long j = 0; j < i; ++j) pairs.add(pair++, here + copies[index(j)]);
            if (i < m) members += here;
        }
        first.add(0, members);
    });
    Events events;
    for (const Histograms& seen : {singles, pairs, first}) seen.add_to(events, fixture.trials);
    return events;
}

Events successive_events(const SamplerFixture& fixture, const Point& p) {
    const auto n = index(p.integer("n"));
    const Interval inside = 1.0 - fixture.members(p, 1).front();
    const Interval both = square(inside);
    std::vector<double> counts(n * n, 0.0);
    std::vector<long> first;
    each_batch(fixture, p, [&](const std::vector<long>& copies) {
        if (first.empty()) {
            first = copies;
            return;
        }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n && first[i] > 0; ++j)
                if (copies[j] > 0) counts[i * n + j] += 1.0;
        first.clear();
    });
    Events events;
    for (const double count : counts)
        events.add(count, static_cast<double>(fixture.trials) / 2.0, both);
    return events;
}

}  // namespace assay::verify
