#include "assay/rdp/fixed_size_with_replacement.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

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

/// Where the all-copies term rules: V >= a_B X_B below, Minkowski's inequality above,
///   a log(a_B) + a(a-1)B^2c^2/2 <= log E[V^a] <= the same + a log(1 + rest),
/// rest <= r/(1-r), r = B (D-1) e^{-(a-1)Bc^2/2} (docs/error_bounds.md#minkowski).
std::optional<Enclosure> ruled_by_last_term(double order, real shift, std::int64_t batch_size,
                                            std::int64_t dataset_size) {
    const real beta = static_cast<real>(order) - 1.0L;
    const auto b = static_cast<real>(batch_size);
    const auto d = static_cast<real>(dataset_size);
    const real growth = 0.5L * beta * shift * shift * b;
    const real log_r = std::log(b) + std::log(d) - growth;
    if (log_r > -20.0L) return std::nullopt;
    const real r = std::exp(log_r) * 1.001L;
    const real peak = growth * b;
    const real log_weight = -b * std::log(d);
    const real value = log_weight + peak;  // log of a_B e^{(a-1) B^2 c^2 / 2}
    const real rest = r / (1.0L - r);
    if (!(value > 0.0L) || rest > 1e-13L * value) return std::nullopt;
    const real rounding = 16.0L * unit_roundoff * (peak - log_weight);
    const real factor = static_cast<real>(order) / beta;
    const real slack = 8.0L * unit_roundoff;
    return enclose_between(factor * (value - rounding) * (1.0L - slack),
                           factor * (value + rounding + rest) * (1.0L + slack));
}

}  // namespace

Enclosure fixed_size_with_replacement_rdp(double order, double noise_multiplier,
                                          std::int64_t batch_size, std::int64_t dataset_size) {
    const real shift = shift_of(order, noise_multiplier, batch_size, dataset_size);
    const BinomialPair pair(batch_size, dataset_size, shift, true);
    if (const auto bracket = ruled_by_last_term(order, shift, batch_size, dataset_size))
        return *bracket;
    return renyi_divergence(pair, order);
}

std::vector<Enclosure> fixed_size_with_replacement_rdp(std::span<const double> orders,
                                                       double noise_multiplier,
                                                       std::int64_t batch_size,
                                                       std::int64_t dataset_size) {
    std::vector<Enclosure> curve(orders.size());
    std::vector<double> left_orders;
    std::vector<std::size_t> left_places;
    const real shift = shift_of(2.0, noise_multiplier, batch_size, dataset_size);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        require(orders[i] > 1.0 && std::isfinite(orders[i]), "alpha", orders[i], "1 < alpha < inf");
        if (const auto bracket = ruled_by_last_term(orders[i], shift, batch_size, dataset_size)) {
            curve[i] = *bracket;
        } else {
            left_orders.push_back(orders[i]);
            left_places.push_back(i);
        }
    }
    const BinomialPair pair(batch_size, dataset_size, shift, true);
    const std::vector<Enclosure> rest = divergence_curve(pair, left_orders);
    for (std::size_t i = 0; i < rest.size(); ++i) curve[left_places[i]] = rest[i];
    return curve;
}

Enclosure fixed_size_with_replacement_reverse_rdp(double order, double noise_multiplier,
                                                  std::int64_t batch_size,
                                                  std::int64_t dataset_size) {
    const real shift = shift_of(order, noise_multiplier, batch_size, dataset_size);
    const BinomialPair pair(batch_size, dataset_size, shift, false);
    const ExcessMoment moment = excess_moment(pair, order, 400'000);
    const Enclosure trivial{
        0.0,
        fixed_size_with_replacement_rdp(order, noise_multiplier, batch_size, dataset_size).upper};
    return moment.certified ? intersect(renyi_divergence(moment, order), trivial) : trivial;
}

}  // namespace assay
