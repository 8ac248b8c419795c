#include "bench_verify.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "verify/rows.hpp"

// Points a second of every oracle at several precisions: "oracle/<row>/bits:128" asks the oracle of
// that verification row for the truth at the row's first eight random points of seed 1.

namespace assay::bench {
namespace {

constexpr std::size_t points_each = 8;

void time_oracle(benchmark::State& state, const verify::Check& row) {
    std::vector<verify::Point> points;
    for (std::size_t i = 0; i < points_each; ++i)
        points.push_back(verify::draw(row.space, 1, row.id, i));
    const long bits = state.range(0);
    std::size_t next = 0;
    double widest = 0.0;
    for (auto _ : state) {
        const verify::Interval truth = row.truth(points[next++ % points_each], bits);
        benchmark::DoNotOptimize(truth.lower());
        widest = std::max(widest, truth.relative_width());
    }
    state.counters["points_per_second"] =
        benchmark::Counter(static_cast<double>(next), benchmark::Counter::kIsRate);
    state.counters["widest"] = widest;
}

}  // namespace

void register_oracle_benchmarks() {
    for (const verify::Check& row : verify::all_rows())
        if (row.id.find(".encloses_") != std::string::npos)
            benchmark::RegisterBenchmark(("oracle/" + row.id).c_str(), time_oracle, row)
                ->ArgName("bits")
                ->Arg(64)
                ->Arg(128)
                ->Arg(256)
                ->Unit(benchmark::kMicrosecond);
}

}  // namespace assay::bench
