#include "assay/privacy/assumptions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay {

namespace {

std::string_view meaning(Adjacency adjacency) {
    switch (adjacency) {
        case Adjacency::add_remove: return "one of the data sets has one record more";
        case Adjacency::replace_one: return "equal size, one record differs";
        default: return "equal public size, one record is replaced by a null one whose query is 0";
    }
}

struct Drawing {
    std::string_view operator()(const Gaussian&) const {
        return "none: every record takes part in every step";
    }
    std::string_view operator()(const SampledGaussian&) const {
        return "poisson: every record takes part in a step independently with probability q";
    }
    std::string_view operator()(const TruncatedPoissonGaussian&) const {
        return "poisson-truncated: every record is drawn independently with probability q; of a "
               "batch "
               "with more than the maximum a uniform subset of that size takes part";
    }
    std::string_view operator()(const FixedSizeGaussian&) const {
        return "fixed-size-without-replacement: a step takes a uniform subset of size |B| = q |D|";
    }
    std::string_view operator()(const FixedSizeWithReplacementGaussian&) const {
        return "fixed-size-with-replacement: a step takes |B| independent uniform draws from the "
               "|D| records; |D| is the size of the larger data set";
    }
    std::string_view operator()(const BallsAndBins&) const {
        return "balls-and-bins: in every epoch each record goes to one of its batches, uniformly "
               "and independently of the others";
    }
    std::string_view operator()(const RandomAllocation&) const {
        return "random-allocation: in every epoch each record goes to as many batches as there are "
               "allocations, a uniform subset of them, independently of the others";
    }
    std::string_view operator()(const Shuffled&) const {
        return "shuffle: in every epoch the records are permuted uniformly and cut into batches "
               "whose sizes differ by one at most";
    }
    std::string_view operator()(const DeterministicBatches&) const {
        return "deterministic: the records are cut into batches in a fixed order";
    }
};

}  // namespace

std::vector<std::string> assumptions(const Release& release) {
    std::vector<std::string> lines{
        "sensitivity: each record's gradient is clipped to norm C; Gaussian noise of standard "
        "deviation noise-multiplier * C is added to the sum; what the adjacency makes of C is "
        "accounted for",
        fmt::format("adjacency {}: {}", to_string(release.adjacency), meaning(release.adjacency))};
    for (const Phase& phase : release.phases) {
        std::string line = fmt::format("sampling {}", std::visit(Drawing{}, phase.mechanism));
        if (std::find(lines.begin(), lines.end(), line) == lines.end())
            lines.push_back(std::move(line));
    }
    lines.emplace_back(
        "composition: batches are drawn afresh at every step, or in every epoch where the batches "
        "of an epoch depend on each other; later steps may depend on earlier outputs; every step's "
        "output is released");
    lines.emplace_back(
        "worst case over all data sets and gradients; real arithmetic and exact randomness in the "
        "mechanism itself");
    return lines;
}

}  // namespace assay
