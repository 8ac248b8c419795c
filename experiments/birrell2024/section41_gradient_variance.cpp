#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "assay/dpsgd/trainer.hpp"
#include "experiments/birrell2024/batch_mean_variance.hpp"
#include "experiments/birrell2024/birrell2024.hpp"
#include "experiments/birrell2024/curves.hpp"
#include "experiments/birrell2024/private_training.hpp"
#include "experiments/epoch_training.hpp"

namespace assay::experiments::birrell2024 {
namespace {

struct Sampler {
    SamplingScheme scheme;
    const char* name;
    const char* label;
    double BatchMeanVariance::*variance;
};

constexpr Sampler samplers[] = {
    {SamplingScheme::poisson, "poisson", "Poisson", &BatchMeanVariance::poisson},
    {SamplingScheme::fixed_size_with_replacement, "with_replacement", "With replacement",
     &BatchMeanVariance::with_replacement},
    {SamplingScheme::fixed_size_without_replacement, "without_replacement", "Without replacement",
     &BatchMeanVariance::without_replacement},
};

/// What the claims are decided by.
struct Findings {
    double least_ratio = 1e300;  // Poisson / without replacement
    double most_ratio = 0.0;
    double largest_deviation = 0.0;  // simulated - closed, in standard errors
    double enumeration_gap = 0.0;    // relative
};

/// What is measured of one sampler at an epoch.
struct Measured {
    double closed = 0.0;
    double simulated = 0.0;
    double standard_error = 0.0;
    double closed_few = 0.0;
    double enumerated = 0.0;
};

/// The epoch, and for every sampler the fields of Measured.
constexpr std::size_t numbers_an_epoch = 1 + std::size(samplers) * 5;

std::vector<double> measure(const Params& params, const Gradients& gradients, std::int64_t epoch) {
    const std::int64_t batch_size = params.integer("batch_size");
    const BatchMeanVariance closed = closed_forms(gradients, batch_size);
    // The same forms on a few of these gradients, of which every batch can be listed.
    const Gradients few(gradients.begin(),
                        gradients.begin() + params.integer("enumerated_examples"));
    const std::int64_t small = params.integer("enumerated_batch_size");
    const BatchMeanVariance closed_few = closed_forms(few, small);
    const BatchMeanVariance listed = by_enumeration(few, small);
    std::vector<double> numbers{static_cast<double>(epoch)};
    for (const Sampler& sampler : samplers) {
        const Simulated simulated =
            by_simulation(gradients,
                          {sampler.scheme, std::ssize(gradients), batch_size, std::nullopt,
                           static_cast<std::uint64_t>(epoch)},
                          params.integer("simulated_batches"));
        for (const double number :
             {closed.*sampler.variance, simulated.variance, simulated.standard_error,
              closed_few.*sampler.variance, listed.*sampler.variance})
            numbers.push_back(number);
    }
    return numbers;
}

void add_rows(std::span<const double> numbers, Table& table, Findings& findings) {
    const double epoch = numbers.front();
    std::vector<Measured> all;
    for (std::size_t i = 1; i < numbers_an_epoch; i += 5)
        all.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3], numbers[i + 4]});
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Measured& m = all[i];
        table.add(samplers[i].name, {epoch, m.closed, 0.0}, "statistical");
        table.add(fmt::format("{}_simulated", samplers[i].name),
                  {epoch, m.simulated, m.standard_error}, "statistical");
        findings.largest_deviation = std::max(findings.largest_deviation,
                                              std::abs(m.simulated - m.closed) / m.standard_error);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Measured& m = all[i];
        table.add(fmt::format("{}_few", samplers[i].name), {epoch, m.closed_few, 0.0},
                  "statistical");
        table.add(fmt::format("{}_enumerated", samplers[i].name), {epoch, m.enumerated, 0.0},
                  "statistical");
        findings.enumeration_gap =
            std::max(findings.enumeration_gap, std::abs(m.closed_few / m.enumerated - 1.0));
    }
    const double ratio = all.front().closed / all.back().closed;
    findings.least_ratio = std::min(findings.least_ratio, ratio);
    findings.most_ratio = std::max(findings.most_ratio, ratio);
}

/// The epochs at which the run is measured.
std::vector<std::int64_t> measured_epochs(const Params& params) {
    std::vector<std::int64_t> epochs = params.integers("measured_epochs");
    for (const std::int64_t epoch : epochs)
        if (epoch < 0 || epoch > params.integer("epochs"))
            params.refuse("measured_epochs", "has an epoch that is not in 0 .. epochs");
    return epochs;
}

std::vector<Claim> claims_of(const Findings& findings, const TrainingSetup& setup) {
    return {
        claim("sec41-closed-forms", "Sec 4.1, Appendix F (143), (144)",
              "The variances of the three batch averages have closed forms.",
              fmt::format("They agree with every batch of 8 examples' gradients listed with a "
                          "relative difference below {:.0e}, and with simulated batches of all "
                          "examples within {:.1f} standard errors.",
                          std::max(1e-12, findings.enumeration_gap), findings.largest_deviation),
              decide(findings.enumeration_gap < 1e-6 && findings.largest_deviation < 5.0),
              {.criterion = "Reproduced below 1e-6 and within 5 standard errors."}),
        claim("sec41-poisson-larger", "Sec 4.1",
              "Away from a critical point the variance of a fixed-size batch's mean gradient is "
              "smaller than that of a Poisson batch's.",
              on_data(fmt::format("The variance of Poisson batches is {:.4f} to {:.4f} times that "
                                  "without replacement along the run.",
                                  findings.least_ratio, findings.most_ratio),
                      setup),
              decide(findings.least_ratio > 1.0),
              {.criterion = "Reproduced if it is larger at every measured epoch."}),
    };
}

}  // namespace

FigureResult run_section41_gradient_variance(const Params& params) {
    const std::vector<std::int64_t> epochs = measured_epochs(params);
    const TrainingSetup setup = read_training_setup(params);
    Table table({{.name = "epoch", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "variance", .unit = "1", .golden_tolerance = 0.1},
                 {.name = "standard_error", .unit = "1", .golden_tolerance = 0.5}});
    const std::string few =
        fmt::format("{} of {} examples", params.integer("enumerated_batch_size"),
                    params.integer("enumerated_examples"));
    for (const Sampler& sampler : samplers) {
        table.add_series({sampler.name, sampler.label, Direction::estimate, section_4});
        table.add_series({fmt::format("{}_simulated", sampler.name),
                          fmt::format("{}, simulated", sampler.label), Direction::estimate,
                          section_4});
        table.add_series({fmt::format("{}_few", sampler.name),
                          fmt::format("{}, {}", sampler.label, few), Direction::estimate,
                          section_4});
        table.add_series({fmt::format("{}_enumerated", sampler.name),
                          fmt::format("{}, {}, enumerated", sampler.label, few),
                          Direction::estimate, section_4});
    }
    const TrainingPlan plan =
        plan_of(setup, {.scheme = SamplingScheme::fixed_size_without_replacement,
                        .noise_multiplier = params.number("noise_multiplier"),
                        .batch_size = params.integer("batch_size"),
                        .seed = static_cast<std::uint64_t>(params.integer("seed"))});
    Trainer trainer(plan, setup.training, 1);
    trainer.start_from(setup.start);
    Findings findings;
    const std::vector<double> numbers = train_by_epochs(
        trainer, setup.states, "measured", [&](std::int64_t epoch) -> std::vector<double> {
            if (std::ranges::find(epochs, epoch) == epochs.end()) return {};
            return measure(
                params, clipped_gradients(trainer.model(), setup.training, setup.clip_norm), epoch);
        });
    for (std::size_t i = 0; i < numbers.size(); i += numbers_an_epoch)
        add_rows(std::span(numbers).subspan(i, numbers_an_epoch), table, findings);
    return {std::move(table), claims_of(findings, setup), setup.notes};
}

}  // namespace assay::experiments::birrell2024
