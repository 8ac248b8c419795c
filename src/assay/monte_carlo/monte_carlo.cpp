#include "assay/monte_carlo/monte_carlo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "assay/monte_carlo/importance_sampling.hpp"
#include "assay/monte_carlo/largest_given_others.hpp"
#include "assay/monte_carlo/order_statistics.hpp"
#include "assay/monte_carlo/order_sum.hpp"
#include "assay/monte_carlo/sampling_tables.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/four_doubles.hpp"
#include "assay/numeric/normal_quantile.hpp"

namespace assay {

namespace {

constexpr double largest_epsilon = 600.0;
constexpr std::size_t chunk = 512;

/// Coordinates that are drawn alike, besides the ones that the method singles out.
std::int64_t alike(const MonteCarloPlan& plan) {
    if (plan.direction == LossDirection::addition) return plan.mechanism.batches_per_epoch;
    return plan.mechanism.batches_per_epoch - (has_event(plan.method) ? 2 : 1);
}

/// Above::tail of every element, with AVX2 without branches, which would be mispredicted.
ASSAY_VECTOR_CLONES
void move_above(std::array<double, chunk>& tails, const Above& above) {
    for (std::size_t i = 0; i < chunk; i += 4) {
        const FourDoubles tail = *four(&tails[i]);
        const FourDoubles opposite = -tail;
        const FourDoubles smaller = tail < 0.0 ? opposite : tail;
        const FourDoubles larger = 1.0 - smaller;
        const FourDoubles rest = above.width * (tail < 0.0 ? smaller : larger);
        const FourDoubles moved = above.floor + above.width * (tail < 0.0 ? larger : smaller);
        *four(&tails[i]) = rest < 0.5 ? -rest : moved;
    }
}

}  // namespace

std::string_view to_string(SamplingMethod method) {
    switch (method) {
        case SamplingMethod::plain: return "plain";
        case SamplingMethod::order_statistics: return "order-statistics";
        case SamplingMethod::importance: return "importance";
        case SamplingMethod::importance_and_order_statistics:
            return "importance-and-order-statistics";
        case SamplingMethod::conditional: return "conditional";
    }
    return "unknown";
}

bool encodes_by_orders(SamplingMethod method) {
    return method == SamplingMethod::order_statistics ||
           method == SamplingMethod::importance_and_order_statistics;
}

bool has_event(SamplingMethod method) {
    return method == SamplingMethod::importance ||
           method == SamplingMethod::importance_and_order_statistics;
}

void validate(const MonteCarloPlan& plan) {
    validate(Mechanism(plan.mechanism));
    require(plan.mechanism.noise_multiplier >= 0.04, "noise-multiplier",
            plan.mechanism.noise_multiplier, "at least 0.04 for Monte Carlo");
    if (plan.epsilons.empty())
        throw DomainError("epsilon", std::string("none"), "at least one epsilon");
    for (const double epsilon : plan.epsilons)
        require(std::fabs(epsilon) <= largest_epsilon, "epsilon", epsilon, "-600 .. 600");
    require(plan.epochs >= 1 && plan.epochs <= 1'000'000, "epochs",
            static_cast<double>(plan.epochs), "1 .. 1000000");
    if ((has_event(plan.method) || plan.method == SamplingMethod::conditional) && plan.epochs > 1)
        throw UnsupportedMechanism(
            fmt::format("method = {} covers one epoch, and epochs = {}: use plain or "
                        "order-statistics",
                        to_string(plan.method), plan.epochs));
    if (encodes_by_orders(plan.method))
        validate_orders(plan.orders, alike(plan), plan.direction == LossDirection::removal);
    else if (!plan.orders.empty())
        throw DomainError("orders", fmt::format("{} orders", plan.orders.size()),
                          fmt::format("none where method = {}", to_string(plan.method)));
}

std::int64_t trials_per_block(const MonteCarloPlan& plan) {
    const auto coordinates = encodes_by_orders(plan.method)
                                 ? static_cast<std::int64_t>(plan.orders.size())
                                 : plan.mechanism.batches_per_epoch;
    const auto repeats =
        plan.epochs *
        (has_event(plan.method) ? static_cast<std::int64_t>(plan.epsilons.size()) : 1);
    const std::int64_t work = std::max<std::int64_t>(1, coordinates) * repeats;
    return std::clamp<std::int64_t>((std::int64_t{1} << 22U) / work / 4 * 4, 4, 4096);
}

std::size_t number_of_sums(const MonteCarloPlan& plan) {
    return 3 * plan.epsilons.size();
}

double likelihood_ratio_margin(const MonteCarloPlan& plan) {
    return 1e-8 + 1.5e-7 / plan.mechanism.noise_multiplier +
           static_cast<double>(plan.mechanism.batches_per_epoch) * 0x1p-62;
}

/// Four independent trials at a time.
class MonteCarloSampler::Kernel {
public:
    using Four = std::array<double, 4>;

    Kernel(const MonteCarloPlan& plan, int threads);
    void run_block(std::uint64_t block, std::span<double> sums) const;

private:
    struct Scratch {
        std::array<std::uint64_t, chunk> words;
        std::array<std::uint32_t, 2 * chunk> rare;
        std::vector<double> orders;
    };
    /// The event of importance sampling at one epsilon: its probability (removal), or the tails
    /// that it admits (addition). Their rounding is part of likelihood_ratio_margin().
    struct Event {
        double probability = 1.0;
        Above above;
    };

    [[nodiscard]] Four ratios(RandomStream& stream, Scratch& scratch) const;
    [[nodiscard]] Four ratios_inside(RandomStream& stream, Scratch& scratch,
                                     const Event& event) const;
    [[nodiscard]] double all(RandomStream& stream, Scratch& scratch, std::int64_t count) const;
    [[nodiscard]] double all_above(RandomStream& stream, std::int64_t count,
                                   const Above& above) const;
    void add(std::size_t epsilon, const Four& ratio, std::span<double> sums) const;
    void add_conditional(RandomStream& stream, std::span<double> sums) const;

    const MonteCarloPlan& plan_;
    bool removal_;
    double steps_;
    double shift_ratio_;  // e^{1/s^2}: a coordinate of mean 1 over one of mean 0
    TailTable table_;
    LargestGivenOthers largest_;
    std::vector<OrderSum> order_sums_;  // of R = alike(plan), and of R + 1 for removal with events
    std::vector<double> exp_epsilon_;
    std::vector<Event> events_;
};

MonteCarloSampler::Kernel::Kernel(const MonteCarloPlan& plan, int threads)
    : plan_(plan),
      removal_(plan.direction == LossDirection::removal),
      steps_(static_cast<double>(plan.mechanism.batches_per_epoch)),
      shift_ratio_(
          std::exp(1.0 / (plan.mechanism.noise_multiplier * plan.mechanism.noise_multiplier))),
      table_(lognormal_table(plan.mechanism.noise_multiplier, 32)),
      largest_(plan.mechanism, plan.direction, likelihood_ratio_margin(plan)) {
    for (const double epsilon : plan.epsilons) {
        exp_epsilon_.push_back(std::exp(epsilon));
        if (!has_event(plan.method)) continue;
        Event event;
        const ImportanceThreshold c = sampled_threshold(plan.mechanism, plan.direction, epsilon);
        event.above = {static_cast<double>(std::exp(log_normal_cdf(-c.standardised))),
                       static_cast<double>(std::exp(log_normal_cdf(c.standardised)))};
        const real log_power = static_cast<real>(steps_) * log_normal_cdf(c.standardised);
        event.probability = static_cast<double>(-std::expm1(log_power));
        events_.push_back(event);
    }
    if (!encodes_by_orders(plan.method)) return;
    const std::int64_t count = alike(plan);
    order_sums_.emplace_back(plan.orders, count, plan.direction, threads);
    if (removal_ && has_event(plan.method))
        order_sums_.emplace_back(plan.orders, count + 1, plan.direction, threads);
}

/// Sum of `count` independent lognormals.
double MonteCarloSampler::Kernel::all(RandomStream& stream, Scratch& scratch,
                                      std::int64_t count) const {
    double total = count % 2 != 0 ? table_.at(signed_tail(stream)) : 0.0;
    for (std::int64_t left = count / 2; left > 0;) {
        const auto size = static_cast<std::size_t>(std::min<std::int64_t>(left, chunk));
        const auto words = std::span(scratch.words).first(size);
        stream.fill_bits(words);
        std::size_t rare = 0;
        total += table_.sum(words, scratch.rare, rare);
        for (std::size_t i = 0; i < rare; ++i)
            total += table_.at(refine_cell(stream, scratch.rare[i])) -
                     table_.cell_value(scratch.rare[i]);
        left -= static_cast<std::int64_t>(size);
    }
    return total;
}

/// The same for normals conditioned on their tails.
double MonteCarloSampler::Kernel::all_above(RandomStream& stream, std::int64_t count,
                                            const Above& above) const {
    std::array<double, chunk> tails{};
    double total = 0.0;
    for (std::int64_t left = count; left > 0;) {
        const auto size = static_cast<std::size_t>(std::min<std::int64_t>(left, chunk));
        const auto part = std::span(tails).first(size);
        fill_signed_tails(stream, part);
        move_above(tails, above);
        table_.evaluate(part);
        double sum = 0.0;
        for (const double y : part) sum += y;
        total += sum;
        left -= static_cast<std::int64_t>(size);
    }
    return total;
}

MonteCarloSampler::Kernel::Four MonteCarloSampler::Kernel::ratios(RandomStream& stream,
                                                                  Scratch& scratch) const {
    Four w{};
    const std::int64_t count = alike(plan_);
    if (!order_sums_.empty()) w = order_sums_.front().draw(stream, table_, {}, scratch.orders);
    for (double& sum : w) {
        if (order_sums_.empty()) sum = all(stream, scratch, count);
        // x_1 ~ N(1, s^2) under P_1.
        if (removal_) sum += shift_ratio_ * table_.at(signed_tail(stream));
        sum /= steps_;
    }
    return w;
}

MonteCarloSampler::Kernel::Four MonteCarloSampler::Kernel::ratios_inside(RandomStream& stream,
                                                                         Scratch& scratch,
                                                                         const Event& event) const {
    Four w{};
    Four singled_out{};         // what x_1 and the coordinate at y* add
    std::array<bool, 4> own{};  // whether they are one and the same
    std::array<Above, 4> above;
    above.fill(event.above);
    if (removal_) {
        for (std::size_t i = 0; i < 4; ++i) {
            // Phi(y*)^T is uniform on [Phi(C/s)^T, 1] (chua2025 Algorithm 10), in tails.
            const double log_cdf = std::log1p(-stream.uniform() * event.probability) / steps_;
            above[i] = {std::max(-std::expm1(log_cdf), 1e-300), std::exp(log_cdf)};
            own[i] =
                stream.below(static_cast<std::uint64_t>(plan_.mechanism.batches_per_epoch)) == 0;
            const double largest = table_.at(above[i].tail(0.0, 1.0));
            singled_out[i] =
                own[i] ? shift_ratio_ * largest
                       : largest + shift_ratio_ * table_.at(above[i].tail(signed_tail(stream)));
        }
    }
    const std::int64_t count = alike(plan_);
    if (!order_sums_.empty()) w = order_sums_.front().draw(stream, table_, above, scratch.orders);
    for (std::size_t i = 0; i < 4; ++i) {
        if (order_sums_.empty())
            w[i] = all_above(stream, count + (own[i] ? 1 : 0), above[i]);
        else if (own[i])
            w[i] = order_sums_.back().draw(stream, table_, above, scratch.orders)[i];
        w[i] = (w[i] + singled_out[i]) / steps_;
    }
    return w;
}

/// x = [1 - e^eps / W]_+ (removal) or [1 - e^eps W]_+ (addition); W stays within e^+-690.
void MonteCarloSampler::Kernel::add(std::size_t epsilon, const Four& ratio,
                                    std::span<double> sums) const {
    for (const double w : ratio) {
        const double bounded = std::clamp(w, 1e-300, 1e300);
        const double x = std::max(0.0, removal_ ? 1.0 - exp_epsilon_[epsilon] / bounded
                                                : 1.0 - exp_epsilon_[epsilon] * bounded);
        sums[3 * epsilon] += x;
        sums[3 * epsilon + 1] += x * x;
        sums[3 * epsilon + 2] += x > 0.0 ? 1.0 : 0.0;
    }
}

void MonteCarloSampler::Kernel::add_conditional(RandomStream& stream,
                                                std::span<double> sums) const {
    const WithoutLargest others = largest_.draw(stream, table_);
    for (std::size_t i = 0; i < exp_epsilon_.size(); ++i) {
        const Enclosure x = largest_.expectation(others, exp_epsilon_[i]);
        sums[3 * i] += x.upper;
        sums[3 * i + 1] += x.upper * x.upper;
        sums[3 * i + 2] += x.lower;
    }
}

void MonteCarloSampler::Kernel::run_block(std::uint64_t block, std::span<double> sums) const {
    RandomStream stream(plan_.seed, Purpose::balls_and_bins_loss, block);
    Scratch scratch;
    const double margin = likelihood_ratio_margin(plan_);
    const double factor = removal_ ? 1.0 + margin : 1.0 - margin;
    std::fill(sums.begin(), sums.end(), 0.0);
    const std::int64_t trials = trials_per_block(plan_);
    if (plan_.method == SamplingMethod::conditional) {
        for (std::int64_t trial = 0; trial < trials; ++trial) add_conditional(stream, sums);
        return;
    }
    for (std::int64_t trial = 0; trial < trials; trial += 4) {
        if (!events_.empty()) {
            for (std::size_t i = 0; i < events_.size(); ++i) {
                Four w = ratios_inside(stream, scratch, events_[i]);
                for (double& ratio : w) ratio *= factor;
                add(i, w, sums);
            }
            continue;
        }
        Four w = ratios(stream, scratch);
        for (double& ratio : w) ratio *= factor;
        if (plan_.epochs > 1) {  // log W adds over the epochs
            Four loss{};
            for (std::int64_t epoch = 0;; ++epoch) {
                for (std::size_t i = 0; i < 4; ++i) loss[i] += std::log(w[i]);
                if (epoch + 1 == plan_.epochs) break;
                w = ratios(stream, scratch);
                for (double& ratio : w) ratio *= factor;
            }
            for (std::size_t i = 0; i < 4; ++i) w[i] = std::exp(loss[i]);
        }
        for (std::size_t i = 0; i < exp_epsilon_.size(); ++i) add(i, w, sums);
    }
}

MonteCarloSampler::MonteCarloSampler(MonteCarloPlan plan, int threads)
    : plan_(std::make_unique<const MonteCarloPlan>(std::move(plan))) {
    validate(*plan_);
    kernel_ = std::make_unique<const Kernel>(*plan_, threads);
}

MonteCarloSampler::~MonteCarloSampler() = default;
MonteCarloSampler::MonteCarloSampler(MonteCarloSampler&&) noexcept = default;
MonteCarloSampler& MonteCarloSampler::operator=(MonteCarloSampler&&) noexcept = default;

void MonteCarloSampler::run_block(std::uint64_t block, std::span<double> sums) const {
    require(sums.size() == number_of_sums(*plan_), "sums", static_cast<double>(sums.size()),
            "three for each epsilon");
    kernel_->run_block(block, sums);
}

}  // namespace assay
