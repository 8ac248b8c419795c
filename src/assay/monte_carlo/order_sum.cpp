#include "assay/monte_carlo/order_sum.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/monte_carlo/sampling_tables.hpp"
#include "assay/numeric/four_doubles.hpp"
#include "assay/parallel/for_each_task.hpp"

namespace assay {

namespace {

std::vector<TailTable> gamma_tables(const std::vector<std::int64_t>& shapes, int threads) {
    std::vector<std::optional<TailTable>> made(shapes.size());
    for_each_task(threads, static_cast<std::int64_t>(shapes.size()), [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        made[at].emplace(gamma_table(static_cast<double>(shapes[at]), shapes[at] == 1 ? 22 : 12));
    });
    std::vector<TailTable> tables;
    tables.reserve(made.size());
    for (std::optional<TailTable>& table : made) tables.push_back(std::move(*table));
    return tables;
}

}  // namespace

OrderSum::OrderSum(std::vector<std::int64_t> orders, std::int64_t count, LossDirection direction,
                   int threads) {
    const bool upper = direction == LossDirection::removal;
    validate_orders(orders, count, upper);
    std::map<std::int64_t, std::size_t> known;
    std::vector<std::int64_t> shapes;
    const auto add_gap = [&](std::int64_t gap) {
        const auto [found, is_new] = known.try_emplace(gap, shapes.size());
        if (is_new) shapes.push_back(gap);
        if (runs_.empty() || runs_.back().gamma != found->second)
            runs_.push_back({0, found->second});
        ++runs_.back().gaps;
    };
    std::int64_t previous = 0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        add_gap(orders[i] - previous);
        const std::int64_t next = i + 1 < orders.size() ? orders[i + 1] : count + 1;
        weights_.push_back(static_cast<double>(upper ? next - orders[i] : orders[i] - previous));
        previous = orders[i];
    }
    add_gap(count + 1 - previous);
    gammas_ = gamma_tables(shapes, threads);
    double error = 0.0;
    for (const TailTable& table : gammas_) error = std::max(error, table.relative_error());
    // S_k and S_{R+1} are each off by at most `error` and r+1 roundings.
    const double relative = 3.0 * error + static_cast<double>(orders.size() + 8) * 0x1p-51;
    margin_ = upper ? 1.0 - relative : 1.0 + relative;
}

namespace {

/// Tails of four samples side by side: sums of gaps, over the last sum, within `above`.
/// With AVX2 without branches, which would be mispredicted.
ASSAY_VECTOR_CLONES
void to_tails(double* gaps, std::size_t orders, double margin, const Above* above) {
    FourDoubles* const each = four(gaps);
    FourDoubles sum = {};
    for (std::size_t i = 0; i <= orders; ++i) each[i] = sum += each[i];
    const FourDoubles scale = margin / sum;
    const FourDoubles floor = {above[0].floor, above[1].floor, above[2].floor, above[3].floor};
    const FourDoubles width = {above[0].width, above[1].width, above[2].width, above[3].width};
    const FourDoubles last = FourDoubles{} + (1.0 - 0x1p-53);
    for (std::size_t i = 0; i < orders; ++i) {
        const FourDoubles scaled = each[i] * scale;
        const FourDoubles p = scaled < last ? scaled : last;
        const FourDoubles rest = width * (1.0 - p);
        const FourDoubles tail = floor + width * p;
        each[i] = rest < 0.5 ? -rest : tail;
    }
}

ASSAY_VECTOR_CLONES
void weigh(const double* y, const double* weights, std::size_t orders, double* sums) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < orders; ++i)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += weights[i] * y[4 * i + k];
    for (std::size_t k = 0; k < 4; ++k) sums[k] = sum[k];
}

}  // namespace

std::array<double, 4> OrderSum::draw(RandomStream& stream, const TailTable& table,
                                     const std::array<Above, 4>& above,
                                     std::vector<double>& scratch) const {
    const std::size_t orders = weights_.size();
    scratch.resize(4 * (orders + 1));
    fill_signed_tails(stream, scratch);
    std::size_t begin = 0;
    for (const Run& run : runs_) {
        gammas_[run.gamma].evaluate(std::span(scratch).subspan(4 * begin, 4 * run.gaps));
        begin += run.gaps;
    }
    to_tails(scratch.data(), orders, margin_, above.data());
    const auto tails = std::span(scratch).first(4 * orders);
    table.evaluate(tails);
    std::array<double, 4> sums{};
    weigh(scratch.data(), weights_.data(), orders, sums.data());
    return sums;
}

}  // namespace assay
