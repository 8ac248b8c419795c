#include "assay/rdp/fixed_size_with_replacement.hpp"

#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/rdp/binomial_pair.hpp"
#include "assay/rdp/divergence_curve.hpp"
#include "assay/rdp/divergence_quadrature.hpp"

namespace assay {

namespace {

real shift_of(double order, double noise_multiplier, std::int64_t batch_size,
              std::int64_t dataset_size) {
    require(order > 1.0 && std::isfinite(order), "alpha", order, "1 < alpha < inf");
    require(noise_multiplier > 0.0 && std::isfinite(noise_multiplier), "sigma", noise_multiplier,
            "a positive finite noise multiplier");
    require(batch_size >= 1, "B", static_cast<double>(batch_size), "|B| >= 1");
    require(dataset_size > batch_size, "D", static_cast<double>(dataset_size), "|D| > |B|");
    return 2.0L / static_cast<real>(noise_multiplier);
}

}  // namespace

Enclosure fixed_size_with_replacement_rdp(double order, double noise_multiplier,
                                          std::int64_t batch_size, std::int64_t dataset_size) {
    const real shift = shift_of(order, noise_multiplier, batch_size, dataset_size);
    const BinomialPair pair(batch_size, dataset_size, shift, true);
    return renyi_divergence(pair, order);
}

std::vector<Enclosure> fixed_size_with_replacement_rdp(std::span<const double> orders,
                                                       double noise_multiplier,
                                                       std::int64_t batch_size,
                                                       std::int64_t dataset_size) {
    const real shift = shift_of(2.0, noise_multiplier, batch_size, dataset_size);
    return divergence_curve(BinomialPair(batch_size, dataset_size, shift, true), orders);
}

Enclosure fixed_size_with_replacement_addition_rdp(double order, double noise_multiplier,
                                                   std::int64_t batch_size,
                                                   std::int64_t dataset_size) {
    const real shift = shift_of(order, noise_multiplier, batch_size, dataset_size);
    const BinomialPair pair(batch_size, dataset_size, shift, false);
    if (const auto closed = pair.ruled_by_largest_shift(order)) return *closed;
    const ExcessMoment moment = excess_moment(pair, order, 400'000);
    const Enclosure trivial{
        0.0,
        fixed_size_with_replacement_rdp(order, noise_multiplier, batch_size, dataset_size).upper};
    return moment.certified ? intersect(renyi_divergence(moment, order), trivial) : trivial;
}

}  // namespace assay
