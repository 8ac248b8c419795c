#include "assay/ldp/langevin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/four_doubles.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/normal_quantile.hpp"

namespace assay {

namespace {

/// Random words of one batch of updates.
constexpr std::size_t batch_words = 4096;

/// Bounds of sum phi and of phi: at any admitted epsilon, quotients by sum phi and products with it
/// stay in range between them.
constexpr double smallest_sum = 0x1p-200;
constexpr double largest_phi = 0x1p900;

/// Half a word of random bits, as the table's argument.
using Half __attribute__((may_alias)) = std::int32_t;

/// RandomStream::fill_bits takes whole groups of words without a buffer.
std::size_t whole_groups(std::size_t words) {
    return (words + 7) / 8 * 8;
}

/// The table holds positive functions, so the quantile stands above -shift: 2^-33 is the smallest
/// tail.
constexpr double shift = 16.0;

const TailTable& shifted_normal_quantile() {
    const auto quantile = [](real tail) -> real {
        return tail > 0.0L ? normal_upper_quantile(tail) : -normal_upper_quantile(-tail);
    };
    static const TailTable table(
        {.value = [quantile](real tail) { return static_cast<real>(shift) + quantile(tail); },
         // z'''' = (7 z + 6 z^3) / density^4, largest at the tail nearest 0.
         .fourth_derivative =
             [quantile](real left, real right) {
                 const real z = std::fabs(quantile(left > 0.0L ? left : right));
                 const real density =
                     std::exp(-0.5L * z * z) / std::sqrt(2.0L * std::numbers::pi_v<real>);
                 return (7.0L * z + 6.0L * z * z * z) / (density * density * density * density);
             }},
        32, 0x1p-29);
    return table;
}

/// (x + 1/2) 2^-32 of each half x, a signed number: uniform on the middles of 2^32 cells, as the
/// tail of a probability below or above 1/2.
ASSAY_VECTOR_CLONES
void signed_tails(const Half* halves, std::size_t count, double* tails) {
    for (std::size_t i = 0; i < count; ++i)
        tails[i] = (static_cast<double>(halves[i]) + 0.5) * 0x1p-32;
}

constexpr std::size_t lanes = 4;

/// What stays the same in a run of updates; arrays of whole vectors.
struct Chain {
    std::size_t padded;
    double half_step;               // gamma / 2
    double root;                    // sqrt(gamma)
    double answers;                 // t
    double subsample;               // m
    const std::int64_t* magnitude;  // all bits but the sign, 0 behind the last category
    const double* prior_excess;
    double* phi;
};

ASSAY_INLINE double sum_of(FourDoubles x) {
    return (x[0] + x[2]) + (x[1] + x[3]);
}

/// phi <- |phi + gamma/2 gradient + sqrt(gamma) W|; returns the new sum of phi. The normals stand
/// above -shift, and may be read beyond the last category.
ASSAY_VECTOR_CLONES
double move(const Chain& c, double sum_phi, const double* slopes, const double* normals,
            bool flat_prior) {
    const double root = c.root;
    const double half_step = c.half_step;
    // Where sum phi is below sqrt(gamma) the slopes are those at sqrt(gamma).
    const double answers = sum_phi < root ? c.answers * (sum_phi / root) : c.answers;
    const double weight = answers / c.subsample;
    const double constant = -1.0 - answers / sum_phi;
    const FourDoubles roots = {root, root, root, root};
    const FourDoubles largest = {largest_phi, largest_phi, largest_phi, largest_phi};
    FourDoubles sums = {};
    for (std::size_t i = 0; i < c.padded; i += lanes) {
        const FourDoubles phi = *four(c.phi + i);
        FourDoubles gradient = weight * *four(slopes + i) + constant;
        if (!flat_prior) gradient += *four(c.prior_excess + i) / (phi > roots ? phi : roots);
        const FourDoubles next = phi + half_step * gradient + root * (*four(normals + i) - shift);
        const FourDoubles reflected = (FourDoubles)((FourWords)next & *four(c.magnitude + i));
        const FourDoubles kept = reflected < largest ? reflected : largest;
        *four(c.phi + i) = kept;
        sums += kept;
    }
    return sum_of(sums);
}

}  // namespace

double StepSize::at(std::int64_t answers) const {
    return power == 0.0 ? first
                        : first * std::pow(1.0 + static_cast<double>(answers) / delay, -power);
}

StepSize paper_step(std::int64_t planned_answers) {
    require(planned_answers >= 1, "planned-answers", static_cast<double>(planned_answers),
            "an integer >= 1");
    return {.first = 0.5 / static_cast<double>(planned_answers)};
}

void validate(const LangevinSettings& settings) {
    require(settings.updates >= 0, "updates", settings.updates, "an integer >= 0");
    require(settings.subsample >= 1 && settings.subsample <= 4096, "subsample", settings.subsample,
            "an integer from 1 to 4096");
    require(settings.step.first > 0.0 && settings.step.first <= 1.0, "step", settings.step.first,
            "a number in (0, 1]");
    require(settings.step.delay > 0.0 && std::isfinite(settings.step.delay), "step-delay",
            settings.step.delay, "a finite number > 0");
    require(settings.step.power >= 0.0 && std::isfinite(settings.step.power), "step-power",
            settings.step.power, "a finite number >= 0");
}

LangevinSampler::LangevinSampler(const LangevinSettings& settings,
                                 const RestrictedResponse& mechanism, std::span<const double> prior)
    : table_(&shifted_normal_quantile()),
      categories_(prior.size()),
      settings_((validate(settings), settings)),
      prior_excess_(Subsample::padded(categories_)),
      phi_(prior_excess_.size()),
      theta_(categories_),
      magnitude_(prior_excess_.size()),
      no_slopes_(prior_excess_.size()),
      subsample_(mechanism, settings.subsample) {
    require(mechanism.categories == static_cast<int>(prior.size()), "prior",
            static_cast<double>(prior.size()), "one number a category");
    for (std::size_t i = 0; i < categories_; ++i) {
        require(prior[i] >= 1e-6 && prior[i] <= 1e9, "prior", prior[i], "numbers from 1e-6 to 1e9");
        magnitude_[i] = std::numeric_limits<std::int64_t>::max();
        prior_excess_[i] = prior[i] - 1.0;
        flat_prior_ = flat_prior_ && prior[i] == 1.0;
    }
    assign({.phi = std::vector<double>(categories_, 1.0 / static_cast<double>(categories_))});
}

void LangevinSampler::advance(const ResponseHistory& history, RandomStream& stream, int updates,
                              std::span<double> trace) {
    if (history.size() > 0) subsample_.follow(history);
    const auto subsample = static_cast<std::size_t>(settings_.subsample);
    const std::size_t words = history.size() > 0 ? subsample_.indices().words(subsample) : 0;
    const std::size_t indices = words * subsample_.indices().digits();
    const double gamma = settings_.step.at(history.size());
    const Chain chain{.padded = phi_.size(),
                      .half_step = 0.5 * gamma,
                      .root = std::sqrt(gamma),
                      .answers = static_cast<double>(history.size()),
                      .subsample = static_cast<double>(settings_.subsample),
                      .magnitude = magnitude_.data(),
                      .prior_excess = prior_excess_.data(),
                      .phi = phi_.data()};
    const std::size_t most =
        std::max<std::size_t>(1, batch_words / (words + (categories_ + 1) / 2));
    auto left = static_cast<std::size_t>(updates);
    while (left > 0) {
        allow_interruption();
        const std::size_t batch = std::min(left, most);
        fill_indices(stream, batch * words);
        fill_normals(stream, batch * categories_);
        const auto draw = [&](std::size_t update) {
            if (words > 0 && update < batch)
                subsample_.draw(std::span(indices_).subspan(update * indices, subsample));
        };
        draw(0);
        for (std::size_t update = 0; update < batch; ++update) {
            draw(update + 1);
            const std::span<const double> slopes =
                words == 0 ? no_slopes_ : subsample_.slopes(history, phi_, sum_phi_);
            sum_phi_ = move(chain, sum_phi_, slopes.data(), normals_.data() + update * categories_,
                            flat_prior_);
            if (sum_phi_ < smallest_sum) restart(chain.root);
            sum_of_sums_ += sum_phi_;
            if (trace.empty()) continue;
            normalise();
            std::copy_n(theta_.begin(), categories_, trace.begin());
            trace = trace.subspan(categories_);
        }
        left -= batch;
    }
    updates_ += updates;
    normalise();
}

/// Phi never comes here but by reflection into 0 of all its parts at once.
void LangevinSampler::restart(double root) {
    std::fill_n(phi_.begin(), categories_, root);
    sum_phi_ = root * static_cast<double>(categories_);
}

void LangevinSampler::normalise() {
    const double scale = 1.0 / sum_phi_;
    for (std::size_t i = 0; i < categories_; ++i) theta_[i] = phi_[i] * scale;
}

/// The indices of so many words, none of them refused.
void LangevinSampler::fill_indices(RandomStream& stream, std::size_t words) {
    if (words == 0) return;
    const SubsampleIndices& indices = subsample_.indices();
    words_.resize(whole_groups(words));
    indices_.resize(words_.size() * indices.digits());
    stream.fill_bits(words_);
    while (indices.find(words_, indices_))
        for (std::uint64_t& word : words_)
            while (indices.refuses(word)) word = stream.bits();
}

/// Three numbers more than asked for: the last update of a batch reads whole vectors.
void LangevinSampler::fill_normals(RandomStream& stream, std::size_t count) {
    bits_.resize(whole_groups((count + 4) / 2));
    stream.fill_bits(bits_);
    normals_.resize(2 * bits_.size());
    signed_tails(reinterpret_cast<const Half*>(bits_.data()), normals_.size(), normals_.data());
    table_->evaluate(normals_);
}

double LangevinSampler::mean_sum_phi() const {
    return updates_ == 0 ? 0.0 : sum_of_sums_ / static_cast<double>(updates_);
}

void LangevinSampler::forget() {
    sum_of_sums_ = 0.0;
    updates_ = 0;
}

LangevinSampler::State LangevinSampler::state() const {
    return {.phi = {phi().begin(), phi().end()}, .sum_of_sums = sum_of_sums_, .updates = updates_};
}

void LangevinSampler::assign(const State& state) {
    require(state.phi.size() == categories_, "phi", static_cast<double>(state.phi.size()),
            "one number a category");
    double sum = 0.0;
    for (const double phi : state.phi) {
        require(phi >= 0.0 && std::isfinite(phi), "phi", phi, "finite numbers >= 0");
        sum += phi;
    }
    require(sum >= smallest_sum && std::isfinite(sum), "phi", sum, "numbers of a positive sum");
    std::copy(state.phi.begin(), state.phi.end(), phi_.begin());
    sum_of_sums_ = state.sum_of_sums;
    updates_ = state.updates;
    FourDoubles sums = {};
    for (std::size_t i = 0; i < phi_.size(); i += lanes) sums += *four(phi_.data() + i);
    sum_phi_ = sum_of(sums);
    normalise();
}

}  // namespace assay
