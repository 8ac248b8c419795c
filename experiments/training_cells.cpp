#include "experiments/training_cells.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>
#include <unistd.h>

#include <atomic>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <filesystem>

#include "assay/dpsgd/training_run.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::experiments {
namespace {

/// Any adjacency that the sampler has a theorem for: the cell's own account is made by its figure.
PrivacyLedger unread_ledger(const TrainingPlan& plan) {
    return {plan.sampling, 0.0, Adjacency::zero_out};
}

void train(TrainingCell& cell, const Dataset& training, const Dataset& test,
           std::span<const float> start, const std::string& states) {
    Trainer trainer(cell.plan, training, 1);
    if (!start.empty()) trainer.start_from(start);
    PrivacyLedger ledger = unread_ledger(cell.plan);
    TrainingLog log;
    TrainingRunOptions options;
    if (!states.empty()) {
        std::filesystem::create_directories(states);
        options.state = std::filesystem::path(states) / (cell.name + ".state");
        options.resume = true;
        options.seconds_between_states = 60.0;
    }
    static_cast<void>(run_training(trainer, ledger, test, 1, log, options));
    cell.epochs = log.epochs();
}

}  // namespace

void train_cells(std::vector<TrainingCell>& cells, const Dataset& training, const Dataset& test,
                 std::span<const float> start, const std::string& states) {
    const bool is_terminal = ::isatty(STDERR_FILENO) != 0;
    std::atomic<std::size_t> done = 0;
    tbb::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) {
        tbb::this_task_arena::isolate([&] { train(cells[i], training, test, start, states); });
        const std::size_t now = ++done;
        if (is_terminal) fmt::print(stderr, "\r  {} of {} training runs", now, cells.size());
    });
    if (is_terminal) fmt::print(stderr, "\r\033[K");
}

const Evaluation& final_evaluation(const TrainingCell& cell) {
    if (cell.epochs.empty()) throw Error(fmt::format("{} has no epoch", cell.name));
    return cell.epochs.back().evaluation;
}

Spread spread_of(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    Spread spread;
    for (const double x : values) spread.mean += x / count;
    double squares = 0.0;
    for (const double x : values) squares += (x - spread.mean) * (x - spread.mean);
    spread.deviation = values.size() > 1 ? std::sqrt(squares / (count - 1.0)) : 0.0;
    return spread;
}

double welch_p_value(std::span<const double> larger, std::span<const double> smaller) {
    require(larger.size() >= 2 && smaller.size() >= 2, "values",
            static_cast<double>(std::min(larger.size(), smaller.size())), "at least two each");
    const Spread a = spread_of(larger);
    const Spread b = spread_of(smaller);
    const double va = a.deviation * a.deviation / static_cast<double>(larger.size());
    const double vb = b.deviation * b.deviation / static_cast<double>(smaller.size());
    if (va + vb == 0.0) return a.mean == b.mean ? 0.5 : a.mean > b.mean ? 0.0 : 1.0;
    const double t = (a.mean - b.mean) / std::sqrt(va + vb);
    const double freedom = (va + vb) * (va + vb) /
                           (va * va / static_cast<double>(larger.size() - 1) +
                            vb * vb / static_cast<double>(smaller.size() - 1));
    return boost::math::cdf(
        boost::math::complement(boost::math::students_t_distribution<double>(freedom), t));
}

double paired_p_value(std::span<const double> larger, std::span<const double> smaller) {
    require(larger.size() == smaller.size() && larger.size() >= 2, "values",
            static_cast<double>(larger.size()), "two lists of one size, at least two");
    std::vector<double> differences;
    for (std::size_t i = 0; i < larger.size(); ++i) differences.push_back(larger[i] - smaller[i]);
    const Spread spread = spread_of(differences);
    const auto count = static_cast<double>(differences.size());
    if (spread.deviation == 0.0) return spread.mean == 0.0 ? 0.5 : spread.mean > 0.0 ? 0.0 : 1.0;
    const double t = spread.mean / spread.deviation * std::sqrt(count);
    return boost::math::cdf(
        boost::math::complement(boost::math::students_t_distribution<double>(count - 1.0), t));
}

}  // namespace assay::experiments
