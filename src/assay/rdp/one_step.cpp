#include "assay/rdp/one_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/numeric/errors.hpp"
#include "assay/privacy/citations.hpp"
#include "assay/rdp/divergence_curve.hpp"
#include "assay/rdp/divergence_quadrature.hpp"
#include "assay/rdp/fixed_size_with_replacement.hpp"
#include "assay/rdp/general_subsampling.hpp"
#include "assay/rdp/taylor_replace_one.hpp"
#include "assay/rdp/with_replacement_bounds.hpp"
#include "assay/rdp/worst_pair.hpp"

namespace assay {

namespace {

/// a c^2 / 2 for the unsampled Gaussian; c carries at most 2u.
Enclosure unsampled_rdp(const Mechanism& mechanism, Adjacency adjacency, double order) {
    const real shift = worst_renyi_pair(mechanism, adjacency).unsampled_shift;
    const real value = 0.5L * static_cast<real>(order) * shift * shift;
    return enclose(value, 16.0L * unit_roundoff * value);
}

Enclosure capped(const Enclosure& curve, const Enclosure& cap) {
    return {std::min(curve.lower, cap.upper), std::min(curve.upper, cap.upper)};
}

/// The theorem with the smaller value of the two.
void improve(Bound& best, double value, Theorem theorem) {
    if (value < best.value) best = Bound{value, Direction::upper, theorem};
}

/// Taylor and Wang bounds cost O(order) each, and lose to the unsampled cap long before this.
constexpr double largest_taylor_order = 512.0;

struct PublishedBounds {
    std::span<const double> orders;  // all at most largest_taylor_order
    std::span<Bound> best;           // start at the unsampled Gaussian

    void operator()(const Gaussian&) {}
    void operator()(const EpochSampler auto&) {}
    void operator()(const TruncatedPoissonGaussian&) {}
    void operator()(const SampledGaussian& m) {
        for (std::size_t i = 0; i < orders.size(); ++i)
            improve(
                best[i],
                theorem_c_9_as_printed_rdp(orders[i], m.noise_multiplier, 3, m.sampling_probability)
                    .upper,
                cite::birrell2024_thm_c_9_at_3);
    }
    void operator()(const FixedSizeGaussian& m) {
        for (const int terms : {3, 4, 5, 6}) {
            const std::vector<Enclosure> curve =
                theorem_3_4_rdp(orders, m.noise_multiplier, terms, m.sampling_probability);
            for (std::size_t i = 0; i < orders.size(); ++i)
                improve(best[i], curve[i].upper, cite::birrell2024_thm_3_4);
        }
        for (std::size_t i = 0; i < orders.size(); ++i)
            improve(best[i],
                    wang_upper_rdp(orders[i], m.noise_multiplier, m.sampling_probability).upper,
                    cite::wang2019_thm_9);
    }
    void operator()(const FixedSizeWithReplacementGaussian& m) {
        for (const std::int64_t terms : {2, 3, 5}) {
            if (terms > m.batch_size) break;
            for (std::size_t i = 0; i < orders.size(); ++i)
                improve(best[i],
                        theorem_3_6_capped_rdp(orders[i], m.noise_multiplier, 4, m.batch_size,
                                               m.dataset_size, terms)
                            .upper,
                        cite::birrell2024_thm_3_6);
        }
    }
};

OneStep assemble(const Mechanism& mechanism, Adjacency adjacency, double order,
                 const Enclosure& exact, const Bound& published) {
    const Theorem theorem = exact_theorem(mechanism, adjacency);
    OneStep step;
    step.lower = Bound{exact.lower, Direction::lower, cite::attained};
    step.upper = Bound{exact.upper, Direction::upper, theorem};
    if (!std::isfinite(exact.upper)) step.upper = vacuous(Direction::upper, theorem);
    step.published_upper = theorem.standing == Standing::published ? step.upper : published;
    // Whatever is published also bounds the truth.
    if (step.published_upper.value < step.upper.value) step.upper = step.published_upper;
    require_ordered(step.lower.value, step.upper.value, [&] {
        return fmt::format("Renyi divergence of order {} of {}; {}", order, describe(mechanism),
                           to_string(adjacency));
    });
    return step;
}

}  // namespace

Theorem exact_theorem(const Mechanism& mechanism, Adjacency adjacency) {
    return worst_renyi_pair(mechanism, adjacency).theorem;
}

Enclosure exact_rdp(const Mechanism& mechanism, Adjacency adjacency, double order) {
    return exact_rdp(mechanism, adjacency, std::span(&order, 1)).front();
}

std::vector<Enclosure> exact_rdp(const Mechanism& mechanism, Adjacency adjacency,
                                 std::span<const double> orders) {
    const WorstRenyiPair worst = worst_renyi_pair(mechanism, adjacency);
    const auto pair = likelihood_ratio(worst);
    for (const double order : orders)
        require(order > 1.0 && std::isfinite(order), "order", order, "1 < order < inf");
    std::vector<Enclosure> curve(orders.size(), exactly(0.0));
    if (!pair) return curve;
    if (worst.is_gaussian()) {
        for (std::size_t i = 0; i < orders.size(); ++i)
            curve[i] = unsampled_rdp(mechanism, adjacency, orders[i]);
        return curve;
    }
    if (const auto* m = std::get_if<FixedSizeWithReplacementGaussian>(&mechanism))
        curve = fixed_size_with_replacement_rdp(orders, m->noise_multiplier, m->batch_size,
                                                m->dataset_size);
    else if (orders.size() == 1)
        curve.front() = renyi_divergence(*pair, orders.front());
    else
        curve = divergence_curve(*pair, orders);
    for (std::size_t i = 0; i < orders.size(); ++i)
        curve[i] = capped(curve[i], unsampled_rdp(mechanism, adjacency, orders[i]));
    return curve;
}

std::vector<Bound> published_rdp(const Mechanism& mechanism, Adjacency adjacency,
                                 std::span<const double> orders) {
    const Theorem theorem = exact_theorem(mechanism, adjacency);
    std::vector<Bound> bounds;
    if (theorem.standing == Standing::published) {
        for (const Enclosure& value : exact_rdp(mechanism, adjacency, orders))
            bounds.push_back(Bound{value.upper, Direction::upper, theorem});
        return bounds;
    }
    validate(mechanism);
    for (const double order : orders)
        require(order > 1.0 && std::isfinite(order), "order", order, "1 < order < inf");
    std::vector<double> taylor_orders;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        bounds.push_back(Bound{unsampled_rdp(mechanism, adjacency, orders[i]).upper,
                               Direction::upper, cite::unsampled_gaussian});
        if (orders[i] <= largest_taylor_order) {
            taylor_orders.push_back(orders[i]);
            places.push_back(i);
        }
    }
    std::vector<Bound> best;
    best.reserve(places.size());
    for (const std::size_t place : places) best.push_back(bounds[place]);
    std::visit(PublishedBounds{taylor_orders, best}, mechanism);
    for (std::size_t i = 0; i < places.size(); ++i) bounds[places[i]] = best[i];
    return bounds;
}

OneStep one_step_rdp(const Mechanism& mechanism, Adjacency adjacency, double order) {
    return one_step_rdp(mechanism, adjacency, std::span(&order, 1)).front();
}

std::vector<OneStep> one_step_rdp(const Mechanism& mechanism, Adjacency adjacency,
                                  std::span<const double> orders) {
    const std::vector<Enclosure> exact = exact_rdp(mechanism, adjacency, orders);
    const std::vector<Bound> published = published_rdp(mechanism, adjacency, orders);
    std::vector<OneStep> steps;
    steps.reserve(orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i)
        steps.push_back(assemble(mechanism, adjacency, orders[i], exact[i], published[i]));
    return steps;
}

}  // namespace assay
