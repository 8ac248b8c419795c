#include "assay/ldp/maximum_likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "assay/ldp/grouped_responses.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

/// The answers of one set.
struct SetCounts {
    ResponseHistory::Distribution distribution{};
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> categories;
    std::vector<double> counts;
};

std::vector<SetCounts> counts_by_set(const ResponseHistory& history) {
    GroupedResponses grouped;
    grouped.absorb(history);
    std::vector<SetCounts> sets(history.sets());
    for (std::uint32_t set = 0; set < history.sets(); ++set) {
        sets[set].distribution = history.distribution(set);
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(history.categories()); ++i)
            if ((history.members(set)[i / 64] >> i % 64 & 1U) != 0) sets[set].members.push_back(i);
    }
    for (const auto& [response, count] : grouped.groups()) {
        sets[response.set].categories.push_back(response.category);
        sets[response.set].counts.push_back(count);
    }
    return sets;
}

/// Fills R; returns sum_j log(h_j / v_j).
double evaluate(const std::vector<SetCounts>& sets, const std::vector<double>& theta,
                std::vector<double>& ratios) {
    std::fill(ratios.begin(), ratios.end(), 0.0);
    double all = 0.0;
    double log_likelihood = 0.0;
    for (const SetCounts& set : sets) {
        const auto [alpha, beta] = set.distribution;
        double mass = 0.0;
        for (const std::uint32_t i : set.members) mass += theta[i];
        double common = 0.0;
        for (std::size_t j = 0; j < set.counts.size(); ++j) {
            const std::uint32_t y = set.categories[j];
            const double h = alpha * mass + std::max(1.0 - mass, 0.0) + beta * theta[y];
            const double quotient = set.counts[j] / h;
            common += quotient;
            ratios[y] += beta * quotient;
            log_likelihood += set.counts[j] * std::log(h);
        }
        all += common;
        for (const std::uint32_t i : set.members) ratios[i] += (alpha - 1.0) * common;
    }
    for (double& ratio : ratios) ratio += all;
    return log_likelihood;
}

}  // namespace

MaximumLikelihood maximum_likelihood(const ResponseHistory& history, double tolerance,
                                     int most_steps) {
    require(history.size() >= 1, "responses", static_cast<double>(history.size()),
            "at least one answer");
    require(tolerance > 0.0, "tolerance", tolerance, "a number > 0");
    require(most_steps >= 1, "most-steps", most_steps, "an integer >= 1");
    const std::vector<SetCounts> sets = counts_by_set(history);
    const auto answers = static_cast<double>(history.size());
    const auto categories = static_cast<std::size_t>(history.categories());
    MaximumLikelihood result;
    result.theta.assign(categories, 1.0 / static_cast<double>(categories));
    std::vector<double> ratios(categories);
    const double uniform = evaluate(sets, result.theta, ratios);
    for (;;) {
        double sum = 0.0;
        for (std::size_t i = 0; i < categories; ++i)
            sum += result.theta[i] *= std::max(ratios[i], 0.0) / answers;
        for (double& value : result.theta) value /= sum;
        ++result.steps;
        result.log_likelihood_gain = evaluate(sets, result.theta, ratios) - uniform;
        result.gap = std::max(*std::max_element(ratios.begin(), ratios.end()) - answers, 0.0);
        if (result.gap <= tolerance || result.steps == most_steps) return result;
    }
}

}  // namespace assay
