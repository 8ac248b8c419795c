#include "experiments/aydin2024/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assay/numeric/sample_quantile.hpp"

namespace assay::experiments::aydin2024 {
Box box_of(std::vector<double> values) {
    std::ranges::sort(values);
    Box box{.lower_quartile = sample_quantile(values, 0.25),
            .median = sample_quantile(values, 0.5),
            .upper_quartile = sample_quantile(values, 0.75)};
    const double reach = 1.5 * (box.upper_quartile - box.lower_quartile);
    box.whisker_low = *std::ranges::lower_bound(values, box.lower_quartile - reach);
    box.whisker_high = *(std::ranges::upper_bound(values, box.upper_quartile + reach) - 1);
    return box;
}

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<Spread> spreads(std::span<const std::vector<double>> rows) {
    std::vector<Spread> all;
    for (std::size_t i = 0; i < rows.front().size(); ++i) {
        std::vector<double> column;
        for (const std::vector<double>& row : rows) column.push_back(row[i]);
        all.push_back(spread_of(column));
    }
    return all;
}

std::vector<double> logarithms(std::span<const std::int64_t> numbers) {
    std::vector<double> all;
    for (const std::int64_t n : numbers) all.push_back(std::log(static_cast<double>(n)));
    return all;
}

}  // namespace assay::experiments::aydin2024
