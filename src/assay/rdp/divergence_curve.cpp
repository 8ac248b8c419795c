#include "assay/rdp/divergence_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/expm1_minus_kernel.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/special_functions.hpp"
#include "assay/numeric/trapezoid.hpp"
#include "assay/rdp/divergence_quadrature.hpp"
#include "assay/rdp/reduced_integrand.hpp"

namespace assay {

namespace {

constexpr double u = 0x1p-53;
constexpr real log_root_two_pi = 0.918938533204672741780329736405617639861L;
constexpr double largest_exponent = 600.0;  // of e^t in the kernel, and of any bound here
constexpr int most_nodes = 4000;

/// Nodes z = crossing + (k + 1/2) h with everything that does not depend on the order.
struct Nodes {
    TrapezoidRule rule;
    std::vector<real> places;
    std::vector<LossPoint> points;
    std::vector<double> loss;
    std::vector<double> weight_p;  // h phi P
    std::vector<double> log_p;
    std::vector<double> log_q;
    std::vector<double> half_square;  // z^2/2
    double entropy = 0.0;             // h sum phi Q kappa, the Kullback-Leibler part
    double relative_error = 0.0;      // of every entry
    double left_tail = 0.0;           // h sum + integral of Q phi to the left, an upper bound
    double right_end = 0.0;
    LossPoint at_right;
    double step = 0.0;
    double largest_loss = 0.0;
    bool usable = true;
};

double smallest_excess(const LikelihoodRatio& pair, real order) {
    // A rough value of F - 1 at the smallest order sets the accuracy; the result is checked.
    real largest = 0.0L;
    const real beta = order - 1.0L;
    const real centre = pair.shape().crossing;
    for (const real offset : {-1.5L, -0.75L, 0.75L, 1.5L}) {
        const real z = centre + offset;
        const LossPoint point = pair.at(z);
        const real term = beta * std::exp(point.log_q) * entropy_excess(point.excess, point.loss) +
                          std::exp(point.log_p) * expm1_minus(beta * point.loss);
        largest = std::max(largest, term * std::exp(-0.5L * z * z));
    }
    return static_cast<double>(largest) * 0.3;
}

Nodes make_nodes(const LikelihoodRatio& pair, double least_order, double largest_order) {
    Nodes nodes;
    const PairShape shape = pair.shape();
    const real beta = static_cast<real>(largest_order) - 1.0L;
    const double excess = smallest_excess(pair, least_order);
    nodes.usable = excess > 1e-250 && excess < 1e250;
    if (!nodes.usable) return nodes;
    const real smallness = std::max(0.0, -std::log(excess));
    const real digits =
        32.0L + std::log(3.0L + 2.0L * static_cast<real>(largest_order)) + smallness;
    nodes.rule =
        TrapezoidRule::for_accuracy(digits, shape.strip, shape.sector, shape.sector_power * beta);
    const real h = nodes.rule.step;
    const real steepest = largest_order * shape.p_slope_max - beta * shape.q_slope_min;
    const real left_reach = std::sqrt(2.0L * (32.0L + smallness + std::max(0.0L, std::log(beta)) +
                                              std::log(-shape.lowest_excess)));
    const real left = shape.q_left_mean - (left_reach > 6.0L ? left_reach : 6.0L);
    const real right = steepest + std::sqrt(2.0L * (32.0L + smallness));
    nodes.usable = h > 0.0L && (right - left) / h < most_nodes;
    if (!nodes.usable) return nodes;

    real entropy = 0.0L;
    real worst = 0.0L;
    real worst_absolute = 0.0L;
    real largest = 0.0L;
    const real first = std::floor((left - shape.crossing) / h);
    real z = 0.0L;
    for (real k = first;; k += 1.0L) {
        allow_interruption(500);
        z = shape.crossing + (k + 0.5L) * h;
        const LossPoint point = pair.at(z);
        const real weight = h * std::exp(-0.5L * z * z - log_root_two_pi);
        if (point.loss < 100.0L)
            entropy += weight * std::exp(point.log_q) *
                       std::max(0.0L, entropy_excess(point.excess, point.loss));
        else  // Q kappa(P/Q - 1) = P (L - 1) + Q, where P/Q itself may be out of range
            entropy +=
                weight * (std::exp(point.log_p) * (point.loss - 1.0L) + std::exp(point.log_q));
        const real size = std::fabs(point.loss);
        worst = std::max(worst, size > 1.0L ? point.absolute_error / size : point.relative_error);
        worst_absolute = std::max(worst_absolute, point.absolute_error);
        largest = std::max(largest, size);
        nodes.places.push_back(z);
        nodes.points.push_back(point);
        nodes.loss.push_back(static_cast<double>(point.loss));
        nodes.weight_p.push_back(static_cast<double>(weight * std::exp(point.log_p)));
        nodes.log_p.push_back(static_cast<double>(point.log_p));
        nodes.log_q.push_back(static_cast<double>(point.log_q));
        nodes.half_square.push_back(static_cast<double>(0.5L * z * z));
        nodes.at_right = point;
        if (z >= right) break;
    }
    // kappa has condition (2 + |L|) in x; in double what follows adds 4u.
    nodes.relative_error = static_cast<double>((8.0L + 4.0L * largest) * worst + worst_absolute) +
                           8.0 * u + static_cast<double>(8.0L * unit_roundoff * (z * z + 64.0L));
    nodes.entropy = static_cast<double>(entropy);
    nodes.largest_loss = static_cast<double>(largest);
    nodes.right_end = static_cast<double>(z);
    nodes.step = static_cast<double>(h);
    const real y = shape.q_left_mean - (shape.crossing + (first + 0.5L) * h);
    nodes.usable = worst < 1e-15L && y > 0.0L;
    // Q phi is a mixture of normal densities with means at least q_left_mean.
    nodes.left_tail = static_cast<double>(
        1.01L * (normal_tail(y) + h * std::exp(-0.5L * y * y - log_root_two_pi)));
    return nodes;
}

/// log of an upper bound of h sum and integral of g to the right of the nodes.
double right_tail(const Nodes& nodes, double order, double steepest) {
    const double z = nodes.right_end;
    const double gap = z - steepest;
    if (!(gap > 0.5)) return std::numeric_limits<double>::infinity();
    const double log_g = order * static_cast<double>(nodes.at_right.log_p) -
                         (order - 1.0) * static_cast<double>(nodes.at_right.log_q) - 0.5 * z * z;
    return log_g > largest_exponent ? std::numeric_limits<double>::infinity()
                                    : 1.01 * std::exp(log_g) * (1.0 / gap + nodes.step);
}

/// f at the lowest value of P/Q - 1, an upper bound.
double lowest_f(double x, double order) {
    if (x <= -1.0) return order - 1.0;
    const double loss = std::log1p(x);
    const double t = (order - 1.0) * loss;
    const double rise =
        t > -0.5 ? 0.5 * t * t : std::expm1(t) - t;  // e^t - 1 - t <= t^2/2 for t <= 0
    const double kappa = x > -0.5 ? x * x : (1.0 + x) * loss - x;  // kappa <= x^2 for x >= -1
    return 1.01 * ((order - 1.0) * kappa + (1.0 + x) * rise);
}

/// One order whose exponents exceed the kernel's range: only nodes within e^-60 of the largest
/// value of P^a Q^(1-a) phi are summed, the others bounded by that.
Enclosure from_nodes(const Nodes& nodes, const PairShape& shape, const LikelihoodRatio& pair,
                     double order) {
    const real a = order;
    const real beta = a - 1.0L;
    const auto log_lowest = static_cast<double>(log_reduced_bound(shape.lowest_excess, beta));
    double largest = -std::numeric_limits<double>::infinity();
    double size = 0.0;  // of the parts of an exponent: their rounding is below 8 size 2^-53
    std::vector<double> exponents(nodes.points.size());
    for (std::size_t i = 0; i < exponents.size(); ++i) {
        // Where P >= Q, g <= P^a Q^(1-a) phi; elsewhere g <= f(lowest) Q phi.
        exponents[i] =
            (nodes.loss[i] >= 0.0 ? order * nodes.log_p[i] - (order - 1.0) * nodes.log_q[i]
                                  : log_lowest + nodes.log_q[i]) -
            nodes.half_square[i];
        size = std::max(size, order * (std::fabs(nodes.log_p[i]) + std::fabs(nodes.log_q[i])) +
                                  nodes.half_square[i]);
        largest = std::max(largest, exponents[i]);
    }
    ScaledReal sum;
    ScaledReal error;
    real count_omitted = 0.0L;
    allow_interruption(20 * exponents.size());
    for (std::size_t i = 0; i < exponents.size(); ++i) {
        if (exponents[i] > largest - 60.0) {
            const IntegrandTerm term = reduced_term(nodes.places[i], nodes.points[i], beta);
            sum += term.value;
            error += term.value * term.relative_error;
        } else {
            count_omitted += 1.0L;
        }
    }
    const ScaledReal omitted =
        ScaledReal::exp_of(static_cast<real>(largest) - 60.0L + 1e-15L * static_cast<real>(size)) *
        count_omitted;
    const real scale = nodes.rule.step * std::exp(-log_root_two_pi);
    const ScaledReal value = sum * scale;
    const real z = nodes.right_end;
    const real steepest = a * shape.p_slope_max - beta * shape.q_slope_min;
    const real log_edge = a * nodes.at_right.log_p - beta * nodes.at_right.log_q - 0.5L * z * z;
    const ScaledReal outside =
        omitted * scale +
        ScaledReal::exp_of(log_edge) * (1.01L * (1.0L / (z - steepest) + nodes.step)) +
        ScaledReal::exp_of(log_reduced_bound(shape.lowest_excess, beta)) *
            static_cast<real>(nodes.left_tail);
    const ScaledReal rounding =
        error * scale +
        value * (unit_roundoff * (4.0L * static_cast<real>(exponents.size()) + 64.0L));
    const real k = 1.001L * nodes.rule.relative_error;
    const ScaledReal rule = (value + rounding + outside + ScaledReal(2.0L * a)) * (k / (1.0L - k));
    ExcessMoment moment;
    moment.upper = value + rounding + outside + rule;
    const ScaledReal below = rounding + rule;
    if (!(below < value)) return renyi_divergence(pair, order);
    moment.lower = difference(value, below);
    const Enclosure result = renyi_divergence(moment, a);
    return result.relative_width() < 4e-12 ? result : renyi_divergence(pair, order);
}

std::vector<Enclosure> on_shared_nodes(const LikelihoodRatio& pair,
                                       std::span<const double> orders) {
    std::vector<Enclosure> curve(orders.size());
    if (orders.empty()) return curve;
    const auto [least, most] = std::minmax_element(orders.begin(), orders.end());
    const Nodes nodes = make_nodes(pair, *least, *most);
    const PairShape shape = pair.shape();
    std::vector<double> rates;
    std::vector<std::size_t> served;
    for (std::size_t j = 0; j < orders.size(); ++j) {
        if (!nodes.usable) {
            curve[j] = renyi_divergence(pair, orders[j]);
        } else if ((orders[j] - 1.0) * nodes.largest_loss < largest_exponent) {
            rates.push_back(orders[j] - 1.0);
            served.push_back(j);
        } else {
            curve[j] = from_nodes(nodes, shape, pair, orders[j]);
        }
    }
    std::vector<double> sums(rates.size(), 0.0);
    for (std::size_t i = 0; i < nodes.loss.size() && !rates.empty(); ++i) {
        allow_interruption(2 * rates.size());
        add_expm1_minus(rates, nodes.loss[i], nodes.weight_p[i], sums);
    }

    const double rule = 1.001 * static_cast<double>(nodes.rule.relative_error);
    const auto lowest = static_cast<double>(shape.lowest_excess);
    for (std::size_t i = 0; i < served.size(); ++i) {
        const double order = orders[served[i]];
        const double beta = rates[i];
        const double excess = beta * nodes.entropy + sums[i];
        const double steepest = order * static_cast<double>(shape.p_slope_max) -
                                beta * static_cast<double>(shape.q_slope_min);
        const double omitted =
            right_tail(nodes, order, steepest) + lowest_f(lowest, order) * nodes.left_tail;
        // Kernel and arguments (3|t| + 64)u, the sum n u, the nodes their own relative error.
        const double relative =
            u * (4.0 * beta * nodes.largest_loss + static_cast<double>(nodes.loss.size()) + 128.0) +
            (3.0 + beta * nodes.largest_loss) * nodes.relative_error;
        const double error = excess * relative + (excess + omitted + 2.0 * order) * rule;
        const double upper = std::log1p(excess + error + omitted) / beta;
        const double lower = std::log1p(std::max(0.0, excess - error)) / beta;
        if (std::isfinite(upper) && upper - lower <= 4e-12 * upper)
            curve[served[i]] = {widen_down(lower, 8), widen_up(upper, 8)};
        else
            curve[served[i]] = renyi_divergence(pair, order);
    }
    return curve;
}

}  // namespace

std::vector<Enclosure> divergence_curve(const LikelihoodRatio& pair,
                                        std::span<const double> orders) {
    std::vector<Enclosure> curve(orders.size());
    std::vector<double> others;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        require(orders[i] > 1.0 && std::isfinite(orders[i]), "alpha", orders[i], "1 < alpha < inf");
        if (const auto closed = pair.ruled_by_largest_shift(orders[i])) {
            curve[i] = *closed;
        } else {
            others.push_back(orders[i]);
            places.push_back(i);
        }
    }
    const std::vector<Enclosure> summed = on_shared_nodes(pair, others);
    for (std::size_t i = 0; i < places.size(); ++i) curve[places[i]] = summed[i];
    return curve;
}

}  // namespace assay
