#include "assay/ldp/gibbs.hpp"

#include <algorithm>
#include <bit>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace assay {

namespace {

/// A stream in the shape that Boost.Random asks for.
class Engine {
public:
    using result_type = std::uint64_t;

    explicit Engine(RandomStream& stream) : stream_(&stream) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    result_type operator()() { return stream_->bits(); }

private:
    RandomStream* stream_;
};

/// Successes among `trials` of a probability that rounding may have moved out of [0, 1].
std::int64_t binomial(RandomStream& stream, std::int64_t trials, double probability) {
    if (trials == 0 || !(probability > 0.0)) return 0;
    if (probability >= 1.0) return trials;
    if (trials == 1) return stream.uniform() < probability ? 1 : 0;
    Engine engine(stream);
    return boost::random::binomial_distribution<std::int64_t>(trials, probability)(engine);
}

/// log of a Gamma(shape, 1) variable: shapes near 0 give values whose exponential is 0.
double log_gamma_variable(RandomStream& stream, double shape) {
    if (shape >= 1.0) return std::log(stream.gamma(shape));
    return std::log(stream.gamma(shape + 1.0)) - stream.exponential() / shape;
}

/// Every category < K in the set of these words, or off it, in rising order.
template <class Visit>
void for_each_category(std::span<const std::uint64_t> members, std::size_t categories, bool within,
                       const Visit& visit) {
    for (std::size_t word = 0; word < members.size(); ++word) {
        std::uint64_t bits = within ? members[word] : ~members[word];
        for (; bits != 0; bits &= bits - 1) {
            const std::size_t category =
                64 * word + static_cast<std::size_t>(std::countr_zero(bits));
            if (category >= categories) return;
            visit(category);
        }
    }
}

}  // namespace

void validate(const GibbsSettings& settings) {
    require(settings.updates >= 0, "updates", settings.updates, "an integer >= 0");
}

GibbsSampler::GibbsSampler(const GibbsSettings& settings, const RestrictedResponse& mechanism,
                           std::span<const double> prior)
    : settings_((validate(settings), settings)),
      prior_(prior.begin(), prior.end()),
      theta_(prior.size(), 1.0 / static_cast<double>(prior.size())),
      counts_(prior.size()) {
    require(mechanism.categories == static_cast<int>(prior.size()), "prior",
            static_cast<double>(prior.size()), "one number a category");
    for (const double rho : prior)
        require(rho >= 1e-6 && rho <= 1e9, "prior", rho, "numbers from 1e-6 to 1e9");
}

void GibbsSampler::assign(std::span<const double> theta) {
    require(theta.size() == theta_.size(), "theta", static_cast<double>(theta.size()),
            "one number a category");
    double sum = 0.0;
    for (const double value : theta) {
        require(value >= 0.0, "theta", value, "numbers >= 0");
        sum += value;
    }
    require(std::fabs(sum - 1.0) <= 1e-9, "theta", sum, "numbers of sum 1");
    theta_.assign(theta.begin(), theta.end());
}

void GibbsSampler::advance(const ResponseHistory& history, RandomStream& stream, int sweeps,
                           std::span<double> trace) {
    grouped_.absorb(history);
    set_mass_.resize(history.sets());
    set_extra_.resize(history.sets());
    for (int i = 0; i < sweeps; ++i) {
        allow_interruption();
        sweep(history, stream);
        if (trace.empty()) continue;
        std::copy(theta_.begin(), theta_.end(), trace.begin());
        trace = trace.subspan(theta_.size());
    }
}

void GibbsSampler::sweep(const ResponseHistory& history, RandomStream& stream) {
    std::fill(counts_.begin(), counts_.end(), 0);
    pool_ = 0;
    split_groups(history, stream);
    spread_sets(history, stream);
    part_.resize(theta_.size());
    std::iota(part_.begin(), part_.end(), 0U);
    spread(stream, pool_);
    draw_theta(stream);
}

/// Parts of g / v: beta [x = y]; |alpha - 1| on S where alpha > 1, on its complement where alpha <
/// 1; min(alpha, 1) everywhere.
void GibbsSampler::split_groups(const ResponseHistory& history, RandomStream& stream) {
    for (std::uint32_t set = 0; set < history.sets(); ++set) {
        double mass = 0.0;
        for_each_category(history.members(set), theta_.size(), true,
                          [&](std::size_t i) { mass += theta_[i]; });
        set_mass_[set] = std::min(mass, 1.0);
        set_extra_[set] = 0;
    }
    for (const auto& [response, count] : grouped_.groups()) {
        const std::uint32_t y = response.category;
        const auto [alpha, beta] = history.distribution(response.set);
        const double mass = set_mass_[response.set];
        const double rest = alpha * mass + (1.0 - mass);
        const double honest = beta * theta_[y];
        const double extra = alpha > 1.0 ? (alpha - 1.0) * mass : (1.0 - alpha) * (1.0 - mass);
        const std::int64_t same = binomial(stream, count, honest / (rest + honest));
        const std::int64_t partial = binomial(stream, count - same, extra / rest);
        counts_[y] += same;
        set_extra_[response.set] += partial;
        pool_ += count - same - partial;
    }
}

void GibbsSampler::spread_sets(const ResponseHistory& history, RandomStream& stream) {
    for (std::uint32_t set = 0; set < history.sets(); ++set) {
        if (set_extra_[set] == 0) continue;
        const bool within = history.distribution(set).inside_ratio > 1.0;
        part_.clear();
        for_each_category(history.members(set), theta_.size(), within,
                          [&](std::size_t i) { part_.push_back(static_cast<std::uint32_t>(i)); });
        spread(stream, set_extra_[set]);
    }
}

/// `count` categories of part_, in proportion to theta.
void GibbsSampler::spread(RandomStream& stream, std::int64_t count) {
    tail_.resize(part_.size());
    double sum = 0.0;
    for (std::size_t i = part_.size(); i-- > 0;) tail_[i] = sum += theta_[part_[i]];
    if (count < static_cast<std::int64_t>(part_.size()) / 2) {
        for (; count > 0; --count) {
            // The last place whose tail is above a uniform share of the whole.
            const double share = sum * stream.uniform();
            const auto above = std::partition_point(tail_.begin() + 1, tail_.end(),
                                                    [&](double tail) { return tail > share; });
            ++counts_[part_[static_cast<std::size_t>(above - tail_.begin()) - 1]];
        }
        return;
    }
    for (std::size_t i = 0; i < part_.size() && count > 0; ++i) {
        const std::int64_t here =
            i + 1 == part_.size() ? count : binomial(stream, count, theta_[part_[i]] / tail_[i]);
        counts_[part_[i]] += here;
        count -= here;
    }
}

/// Dirichlet(rho + counts), by logarithms: the largest component is 1 before the sum is taken.
void GibbsSampler::draw_theta(RandomStream& stream) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < theta_.size(); ++i) {
        theta_[i] = log_gamma_variable(stream, prior_[i] + static_cast<double>(counts_[i]));
        largest = std::max(largest, theta_[i]);
    }
    double sum = 0.0;
    for (double& value : theta_) sum += value = std::exp(value - largest);
    for (double& value : theta_) value /= sum;
}

}  // namespace assay
