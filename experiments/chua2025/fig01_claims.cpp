#include "experiments/chua2025/fig01_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>
#include <tuple>

#include "assay/dpsgd/privacy_ledger.hpp"
#include "experiments/chua2025/chua2025.hpp"
#include "experiments/real_data.hpp"
#include "experiments/significance.hpp"

namespace assay::experiments::chua2025 {
namespace {

constexpr SamplingScheme shuffle = SamplingScheme::shuffle;
constexpr SamplingScheme poisson = SamplingScheme::poisson;
constexpr SamplingScheme balls_and_bins = SamplingScheme::balls_and_bins;
constexpr SamplingScheme others[] = {shuffle, balls_and_bins};

constexpr double significant = 0.05;
/// "Noise multipliers at most 0.001", and the "large" ones.
constexpr double little_noise = 1e-3;
constexpr double large_noise = 0.1;
constexpr double least_noise = 1e-300;
constexpr double any_noise = 1e300;

/// The runs of some samplers in the setting of `like`.
std::vector<double> runs_like(std::span<const AucSample> samples, const AucSample& like,
                              std::span<const SamplingScheme> schemes) {
    std::vector<double> aucs;
    for (const AucSample& sample : samples)
        if (sample.batch_size == like.batch_size &&
            sample.noise_multiplier == like.noise_multiplier &&
            std::ranges::find(schemes, sample.scheme) != schemes.end())
            aucs.insert(aucs.end(), sample.aucs.begin(), sample.aucs.end());
    return aucs;
}

/// Fisher's combination of p-values of independent tests: -2 sum log p is chi-squared.
double combined(double sum_of_logarithms, int tests) {
    const boost::math::chi_squared_distribution<double> distribution(2.0 * tests);
    return boost::math::cdf(boost::math::complement(distribution, -2.0 * sum_of_logarithms));
}

double logarithm(double p) {
    return std::log(std::max(p, std::numeric_limits<double>::min()));
}

double square(double x) {
    return x * x;
}

std::string as_text(const Lead& lead) {
    return fmt::format("{:+.4f} ± {:.4f}", lead.mean, 2.0 * lead.standard_error);
}

/// Appends two lists of details.
std::vector<std::string> joined(std::vector<std::string> first,
                                const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Leads on each data set, over the settings with noise in [from, to].
struct Comparison {
    std::vector<Lead> shuffle_to_balls;
    std::vector<Lead> others_to_poisson;
};

Comparison compare_between(std::span<const TrainedOnClicks> trained, double from, double to) {
    Comparison found;
    for (const TrainedOnClicks& one : trained) {
        found.shuffle_to_balls.push_back(
            lead_of(one.samples, {&shuffle, 1}, {&balls_and_bins, 1}, from, to));
        found.others_to_poisson.push_back(lead_of(one.samples, others, {&poisson, 1}, from, to));
    }
    return found;
}

/// The smallest of all two-sided p-values times their number.
double bonferroni(std::span<const Lead> leads) {
    int settings = 0;
    double least = 1.0;
    for (const Lead& lead : leads) {
        settings += lead.settings;
        least = std::min(least, lead.least_two_sided);
    }
    return settings == 0 ? 1.0 : std::min(1.0, least * settings);
}

/// Alike: no difference is seen, and any as large as `yardstick` (on each data set) is ruled out.
Verdict alike(std::span<const Lead> leads, std::span<const Lead> yardstick) {
    const auto is_empty = [](const Lead& lead) { return lead.settings == 0; };
    if (std::ranges::any_of(leads, is_empty)) return Verdict::undecidable;
    if (bonferroni(leads) < significant) return Verdict::differs;
    for (std::size_t i = 0; i < leads.size(); ++i)
        if (std::fabs(leads[i].mean) + 2.0 * leads[i].standard_error > std::fabs(yardstick[i].mean))
            return Verdict::undecidable;
    return Verdict::reproduced;
}

/// Ahead on every data set, errors of all of them together.
Verdict ahead(std::span<const Lead> leads) {
    const double level = significant / static_cast<double>(leads.size());
    if (std::ranges::all_of(
            leads, [&](const Lead& lead) { return lead.ahead < level && lead.mean > 0.0; }))
        return Verdict::reproduced;
    return std::ranges::any_of(
               leads, [&](const Lead& lead) { return lead.behind < level && lead.mean < 0.0; })
               ? Verdict::differs
               : Verdict::undecidable;
}

constexpr const char* to_balls = "shuffle minus balls-and-bins";
constexpr const char* to_poisson = "both together minus Poisson";

/// "shuffle minus balls-and-bins, display ads: +0.0011 ± 0.0029", a line for each data set.
std::vector<std::string> numbers_of(std::span<const TrainedOnClicks> trained,
                                    std::span<const Lead> leads, const char* what,
                                    bool with_fisher) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < trained.size(); ++i)
        all.push_back(fmt::format("{}, {}: {}{}", what, trained[i].label, as_text(leads[i]),
                                  with_fisher ? fmt::format(", p = {:.2g}", leads[i].ahead) : ""));
    return all;
}

/// The least sure of the one-sided p-values that the first is ahead.
double least_sure(std::span<const Lead> leads) {
    double most = 0.0;
    for (const Lead& lead : leads) most = std::max(most, lead.ahead);
    return most;
}

/// "+0.0032 and +0.0056", the mean leads on each data set.
std::string means_of(std::span<const Lead> leads) {
    std::string all;
    for (const Lead& lead : leads)
        all += fmt::format("{}{:+.4f}", all.empty() ? "" : " and ", lead.mean);
    return all;
}

constexpr const char* how =
    "Details: mean difference in AUC over the settings, ± 2 standard errors; p one-sided, Welch in "
    "each setting, combined as by Fisher.";

/// What alike() says, for the end of a sentence.
std::string conclusion(Verdict same) {
    return same == Verdict::reproduced ? "none is significant, and one as large as the lead over "
                                         "Poisson is ruled out"
           : same == Verdict::differs  ? "a difference is significant"
                                       : "none is significant, but so few runs do not rule out one "
                                         "as large as the lead over Poisson";
}

/// The rule of alike(); `yardstick` names the lead that has to be ruled out.
std::string alike_rule(const char* yardstick) {
    return fmt::format(
        "Reproduced if no difference is significant (Bonferroni p >= {}) and one "
        "as large as {} is ruled out by 2 standard errors; differs if one is "
        "significant. A difference of 2.5 standard errors is seen with a power of 80 %. {}",
        significant, yardstick, how);
}
std::string ahead_rule() {
    return fmt::format(
        "Reproduced if they are ahead on every data set at p < {0} over their "
        "number, differs if behind on one. {1}",
        significant, how);
}

/// How many times the runs would bring the widest confidence interval inside the yardstick.
std::string more_runs(std::span<const Lead> leads, std::span<const Lead> yardstick) {
    double factor = 1.0;
    for (std::size_t i = 0; i < leads.size(); ++i)
        factor = std::max(factor, square(2.0 * leads[i].standard_error / yardstick[i].mean));
    return fmt::format(
        "About {:.0f} times the runs of each setting, for ± 2 standard errors "
        "smaller than that lead; PRESET=seeds takes 5 times the default's, some minutes.",
        std::ceil(2.0 * factor));
}

/// "shuffling and balls-and-bins together are ahead of Poisson by .. in mean AUC (..)."
std::string lead_text(const std::string& where, std::span<const Lead> leads) {
    return fmt::format(
        "{}huffling and balls-and-bins together have a mean AUC {} above Poisson's "
        "on the two data sets (Welch's tests combined by Fisher's, p at most "
        "{:.2g}).",
        where.empty() ? "S" : where + "s", means_of(leads), least_sure(leads));
}

std::vector<Claim> without_privacy(std::span<const TrainedOnClicks> trained,
                                   const Comparison& plain) {
    const Verdict same = alike(plain.shuffle_to_balls, plain.others_to_poisson);
    return {
        claim("fig01-shuffle-and-balls-and-bins-alike", "Sec 5, Figure 1 left",
              "Without privacy balls-and-bins and shuffling have similar utility.",
              fmt::format("The mean AUC of shuffling over that of balls-and-bins is {} on the two "
                          "data sets, no setting differing at p below {:.2g} (Welch's tests, "
                          "Bonferroni): {}.",
                          means_of(plain.shuffle_to_balls), bonferroni(plain.shuffle_to_balls),
                          conclusion(same)),
              same,
              {.criterion = alike_rule("the lead over Poisson"),
               .details = numbers_of(trained, plain.shuffle_to_balls, to_balls, false),
               .would_decide = same == Verdict::undecidable
                                   ? more_runs(plain.shuffle_to_balls, plain.others_to_poisson)
                                   : std::string()}),
        claim("fig01-poisson-behind-without-privacy", "Sec 5, Figure 1 left",
              "Without privacy they improve significantly over Poisson subsampling.",
              lead_text("", plain.others_to_poisson), ahead(plain.others_to_poisson),
              {.criterion = ahead_rule(),
               .details = numbers_of(trained, plain.others_to_poisson, to_poisson, true)}),
    };
}

Claim at_little_noise(std::span<const TrainedOnClicks> trained, const Comparison& plain) {
    const Comparison found = compare_between(trained, least_noise, little_noise);
    const Verdict same = alike(found.shuffle_to_balls, plain.others_to_poisson);
    const Verdict behind = ahead(found.others_to_poisson);
    const Verdict verdict = same == Verdict::differs || behind == Verdict::differs
                                ? Verdict::differs
                            : same == behind ? same
                                             : Verdict::undecidable;
    return claim(
        "fig01-same-trends-at-little-noise", "Sec 5, Figure 1 middle and right",
        "Noise multipliers of at most 0.001 show similar trends.",
        fmt::format(
            "Shuffling and balls-and-bins together are ahead of Poisson by {} in mean AUC "
            "(Fisher's p at most {:.2g}) and differ by {} from each other (Bonferroni p = {:.2g}).",
            means_of(found.others_to_poisson), least_sure(found.others_to_poisson),
            means_of(found.shuffle_to_balls), bonferroni(found.shuffle_to_balls)),
        verdict,
        {.criterion = "Reproduced if both statements made without privacy hold here too. " +
                      alike_rule("the lead over Poisson without privacy"),
         .details = joined(numbers_of(trained, found.shuffle_to_balls, to_balls, false),
                           numbers_of(trained, found.others_to_poisson, to_poisson, true)),
         .would_decide = verdict == Verdict::undecidable
                             ? more_runs(found.shuffle_to_balls, plain.others_to_poisson)
                             : std::string()});
}

Claim at_large_noise(std::span<const TrainedOnClicks> trained) {
    const Comparison found = compare_between(trained, large_noise, any_noise);
    const Comparison little = compare_between(trained, least_noise, little_noise);
    std::vector<Lead> all = found.shuffle_to_balls;
    std::vector<Lead> yardstick = little.others_to_poisson;
    all.insert(all.end(), found.others_to_poisson.begin(), found.others_to_poisson.end());
    yardstick.insert(yardstick.end(), little.others_to_poisson.begin(),
                     little.others_to_poisson.end());
    const Verdict same = alike(all, yardstick);
    return claim(
        "fig01-alike-at-large-noise", "Sec 5, Figure 1 middle and right",
        "For noise multipliers relevant in practice (from 0.1) all have similar utility.",
        fmt::format("The mean AUC of shuffling over that of balls-and-bins is {} on the two data "
                    "sets, of both over that of Poisson {} (Bonferroni p of them all {:.2g}): {}.",
                    means_of(found.shuffle_to_balls), means_of(found.others_to_poisson),
                    bonferroni(all), conclusion(same)),
        same,
        {.criterion = alike_rule("the lead over Poisson at little noise"),
         .details = joined(numbers_of(trained, found.shuffle_to_balls, to_balls, false),
                           numbers_of(trained, found.others_to_poisson, to_poisson, true)),
         .would_decide = same == Verdict::undecidable ? more_runs(all, yardstick) : std::string()});
}

Claim between(std::span<const TrainedOnClicks> trained) {
    const Comparison found = compare_between(trained, std::nextafter(little_noise, 1.0),
                                             std::nextafter(large_noise, 0.0));
    const bool still_ahead = ahead(found.others_to_poisson) == Verdict::reproduced;
    return claim("fig01-lead-ends-above-little-noise", "Sec 5, Figure 1 middle and right",
                 "The lead over Poisson is seen up to a noise multiplier of 0.001, not above.",
                 lead_text("At noise multipliers between 0.001 and 0.1 ", found.others_to_poisson),
                 still_ahead ? Verdict::differs : Verdict::undecidable,
                 {.criterion = fmt::format(
                      "Differs if they are still ahead there on every data set at p < {} over "
                      "their number, else undecidable; where the lead ends depends on the batch "
                      "size and the number of parameters. {}",
                      significant, how),
                  .details = numbers_of(trained, found.others_to_poisson, to_poisson, true)});
}

LedgerEpsilon epsilon_of(const Params& params, SamplingScheme scheme, std::int64_t examples,
                         std::int64_t batch_size, double sigma) {
    const BatchSampling sampling = epoch_sampling(params, scheme, examples, batch_size);
    PrivacyLedger ledger(sampling, sigma, Adjacency::zero_out);
    ledger.resume(batches_per_epoch(sampling));
    return ledger.epsilon(params.number("delta"));
}

Claim privacy_of_these_runs(const Params& params, std::span<const TrainedOnClicks> trained) {
    const double sigma = std::ranges::max(params.numbers("noise_multipliers"));
    bool proved = true;
    bool refuted = false;
    double most_to_poisson = 0.0;
    double least_of_shuffle = std::numeric_limits<double>::infinity();
    const auto at = [&](const TrainedOnClicks& one, std::int64_t batch_size) {
        std::string text = fmt::format("{}, |B| = {}:", one.label, batch_size);
        std::vector<LedgerEpsilon> epsilons;
        for (const SamplingScheme scheme : drawn_schemes()) {
            epsilons.push_back(epsilon_of(params, scheme, one.examples, batch_size, sigma));
            AucSample like{scheme, batch_size, sigma, {}};
            text += fmt::format(" {} [{:.4g}, {:.4g}], AUC {:.4f}{}", label_of(scheme),
                                epsilons.back().lower.value, epsilons.back().upper.value,
                                spread_of(runs_like(one.samples, like, {&scheme, 1})).mean,
                                scheme == drawn_schemes().back() ? "" : ",");
        }
        const auto& [shuffled, sampled, balls] =
            std::tie(epsilons[0], epsilons[1], epsilons[2]);  // in the order of drawn_schemes
        proved = proved && balls.upper.value <= 1.05 * sampled.lower.value &&
                 shuffled.lower.value >= 1.2 * balls.upper.value;
        most_to_poisson = std::max(most_to_poisson, balls.upper.value / sampled.lower.value);
        least_of_shuffle = std::min(least_of_shuffle, shuffled.lower.value / balls.upper.value);
        refuted = refuted || balls.lower.value > 1.05 * sampled.upper.value ||
                  shuffled.upper.value < 1.2 * balls.lower.value;
        return text;
    };
    std::vector<std::string> details;
    for (const TrainedOnClicks& one : trained)
        for (const std::int64_t batch_size : params.integers("private_batch_sizes"))
            details.push_back(at(one, batch_size));
    return claim(
        "fig01-amplified-as-poisson", "Sec 1 and 6",
        "Balls-and-bins enjoys the utility of shuffling and the amplification of Poisson.",
        fmt::format("At σ = {:g} and δ = {:g} the certified ε of balls-and-bins is at most "
                    "{:.3f} times that of Poisson, and that of shuffling at least {:.3f} "
                    "times that of balls-and-bins.",
                    sigma, params.number("delta"), most_to_poisson, least_of_shuffle),
        proved    ? Verdict::reproduced
        : refuted ? Verdict::differs
                  : Verdict::undecidable,
        {.criterion = "Reproduced if, at equal σ, the former is at most 1.05 and the "
                      "latter at least 1.2; zero-out, δ' of cut batches included.",
         .details = std::move(details)});
}

}  // namespace

Lead lead_of(std::span<const AucSample> samples, std::span<const SamplingScheme> first,
             std::span<const SamplingScheme> second, double from, double to) {
    Lead lead;
    double ahead = 0.0;
    double behind = 0.0;
    double variance = 0.0;
    for (const AucSample& sample : samples) {
        // One sample of each setting.
        if (sample.scheme != first.front() || sample.noise_multiplier < from ||
            sample.noise_multiplier > to)
            continue;
        const auto a = runs_like(samples, sample, first);
        const auto b = runs_like(samples, sample, second);
        const double p = welch_p_value(a, b);
        ++lead.settings;
        ahead += logarithm(p);
        behind += logarithm(1.0 - p);
        lead.least_two_sided = std::min(lead.least_two_sided, 2.0 * std::min(p, 1.0 - p));
        lead.mean += spread_of(a).mean - spread_of(b).mean;
        variance += square(spread_of(a).deviation) / static_cast<double>(a.size()) +
                    square(spread_of(b).deviation) / static_cast<double>(b.size());
    }
    if (lead.settings == 0) return lead;
    lead.mean /= lead.settings;
    lead.standard_error = std::sqrt(variance) / lead.settings;
    lead.ahead = combined(ahead, lead.settings);
    lead.behind = combined(behind, lead.settings);
    return lead;
}

std::vector<Claim> auc_claims(const Params& params, std::span<const TrainedOnClicks> trained,
                              const std::string& other) {
    const std::string own_data =
        "The paper's data and its networks of 57 and 85 million parameters (DATA=<folder> "
        "PRESET=paper): 225 runs on each data set, about 25 CPU hours each (docs/training.md).";
    const Comparison plain = compare_between(trained, 0.0, 0.0);
    std::vector<Claim> claims = without_privacy(trained, plain);
    claims.push_back(at_little_noise(trained, plain));
    claims.push_back(between(trained));
    claims.push_back(at_large_noise(trained));
    if (!other.empty())
        for (Claim& claim : claims)
            claim.found = fmt::format("On {}: {}", other, std::get<std::string>(claim.found));
    claims.push_back(privacy_of_these_runs(params, trained));
    for (Claim& claim : claims) claim = judged_here(std::move(claim), other, own_data);
    return claims;
}

}  // namespace assay::experiments::chua2025
