#include "assay/ldp/subsample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>

#include "assay/numeric/four_doubles.hpp"

namespace assay {

namespace {

constexpr std::size_t lanes = 4;
/// Counts before the rows of the frequent sets.
constexpr std::size_t first_row = lanes;
using FourCounts __attribute__((vector_size(16), aligned(4), may_alias)) = std::int32_t;

ASSAY_INLINE FourCounts* four_counts(std::uint32_t* x) {
    return reinterpret_cast<FourCounts*>(x);
}
/// A loop, because the compiler makes that one instruction, and five of a vector's conversion.
ASSAY_INLINE void convert(const std::uint32_t* counts, FourDoubles& x) {
    for (std::size_t k = 0; k < lanes; ++k) x[k] = static_cast<std::int32_t>(counts[k]);
}
ASSAY_INLINE double sum(FourDoubles x) {
    return (x[0] + x[2]) + (x[1] + x[3]);
}

/// Of the four bits of the row's number, -1 where one is set.
constexpr std::array<std::array<std::int64_t, lanes>, 16> make_nibbles() {
    std::array<std::array<std::int64_t, lanes>, 16> rows{};
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t k = 0; k < lanes; ++k) rows[row][k] = (row >> k & 1U) != 0 ? -1 : 0;
    return rows;
}
alignas(32) constexpr std::array<std::array<std::int64_t, lanes>, 16> nibbles = make_nibbles();

/// The row for categories 4 i to 4 i + 3.
ASSAY_INLINE const std::int64_t* nibble(const std::uint64_t* members, std::size_t i) {
    return nibbles[members[i / 16] >> 4 * (i % 16) & 15U].data();
}

/// h sum(phi) / v without its beta phi_y. What is outside S may round below 0 where S holds all.
ASSAY_INLINE double base_marginal(double inside_ratio, double mass, double whole) {
    return inside_ratio * mass + std::max(whole - mass, 0.0);
}

struct Operands {
    std::size_t stride;
    const double* phi;
    double whole;  // sum of phi
    double* slopes;
    std::span<const std::uint32_t> frequent;
    const std::int64_t* masks;  // of the frequent sets
    std::uint32_t* counts;
    std::span<const std::uint32_t> rare;  // indices
    const std::uint32_t* numbers;         // of rare answers, by index less `first_rare`
    std::uint32_t first_rare;
    const ResponseHistory::Response* responses;
    const ResponseHistory::Distribution* distributions;  // by set
    const std::uint64_t* members;                        // by set, `words` of them
    std::size_t words;
    double* marginals;  // of frequent sets, but for beta phi_y
    double* honest;     // by category
    const double* zeros;
};

/// Four sums a vector, in registers where their number is known, else where they are wanted. They
/// start as zeros that are read: the compiler would call memset for so few.
template <std::size_t vectors>
struct Sums {
    FourDoubles vector[vectors];

    ASSAY_INLINE explicit Sums(const Operands& o) {
        for (std::size_t i = 0; i < vectors; ++i) vector[i] = *four(o.zeros + lanes * i);
    }
    ASSAY_INLINE FourDoubles* at(std::size_t i) { return &vector[i]; }
};
template <>
struct Sums<0> {
    double* target;

    ASSAY_INLINE explicit Sums(const Operands& o) : target(o.slopes) {
        std::fill_n(o.slopes, o.stride, 0.0);
    }
    ASSAY_INLINE FourDoubles* at(std::size_t i) { return four(target + lanes * i); }
};

/// h sum(phi) / v of every frequent set, without its beta phi_y. Between the two passes over the
/// sets there is no waiting for one set's quotients before the next one's sums.
template <std::size_t vectors>
ASSAY_INLINE void find_frequent_marginals(const Operands& o) {
    const std::size_t end = vectors > 0 ? vectors : o.stride / lanes;
    const std::int64_t* mask = o.masks;
    for (std::size_t c = 0; c < o.frequent.size(); ++c, mask += lanes * end) {
        FourDoubles masses = {};
        for (std::size_t i = 0; i < end; ++i)
            masses += (FourDoubles)((FourWords)*four(o.phi + lanes * i) & *four(mask + lanes * i));
        o.marginals[c] =
            base_marginal(o.distributions[o.frequent[c]].inside_ratio, sum(masses), o.whole);
    }
}

/// The terms of the frequent sets, but for those that are the same for all categories, which are
/// returned; leaves no counts.
template <std::size_t vectors>
ASSAY_INLINE double add_frequent(const Operands& o, Sums<vectors>& slopes) {
    const std::size_t end = vectors > 0 ? vectors : o.stride / lanes;
    const std::int64_t* mask = o.masks;
    std::uint32_t* counts = o.counts + first_row;
    double common = 0.0;
    for (std::size_t c = 0; c < o.frequent.size(); ++c) {
        const double excess = o.distributions[o.frequent[c]].excess;
        const double base = o.marginals[c];
        FourDoubles totals[2] = {};
        for (std::size_t i = 0; i < end; ++i) {
            FourDoubles quotient;
            convert(counts + lanes * i, quotient);
            quotient /= base + excess * *four(o.phi + lanes * i);
            *four_counts(counts + lanes * i) = FourCounts{};
            totals[i % 2] += quotient;
            *slopes.at(i) += excess * quotient;
        }
        const double quotients = sum(totals[0] + totals[1]);
        const double extra = (o.distributions[o.frequent[c]].inside_ratio - 1.0) * quotients;
        const FourDoubles extras = {extra, extra, extra, extra};
        for (std::size_t i = 0; i < end; ++i)
            *slopes.at(i) += (FourDoubles)((FourWords)extras & *four(mask + lanes * i));
        common += quotients;
        counts += lanes * end;
        mask += lanes * end;
    }
    return common;
}

/// The terms of the rare answers in the same way. One loop, because how many there are is hard to
/// predict; the quotients are summed by the last three bits of their numbers.
template <std::size_t vectors>
ASSAY_INLINE double add_rare(const Operands& o, Sums<vectors>& slopes) {
    const std::size_t end = vectors > 0 ? vectors : o.stride / lanes;
    for (std::size_t i = 0; i < end; ++i) *four(o.honest + lanes * i) = *four(o.zeros + lanes * i);
    std::array<double, 2 * lanes> totals{};
    for (std::size_t j = 0; j < o.rare.size(); ++j) {
        const auto [y, set] = o.responses[o.numbers[o.rare[j] - o.first_rare]];
        const std::uint64_t* const members = o.members + set * o.words;
        const ResponseHistory::Distribution& distribution = o.distributions[set];
        FourDoubles masses = {};
        for (std::size_t i = 0; i < end; ++i)
            masses +=
                (FourDoubles)((FourWords)*four(o.phi + lanes * i) & *four(nibble(members, i)));
        const double quotient =
            1.0 / (base_marginal(distribution.inside_ratio, sum(masses), o.whole) +
                   distribution.excess * o.phi[y]);
        totals[j % totals.size()] += quotient;
        o.honest[y] += distribution.excess * quotient;
        const double extra = (distribution.inside_ratio - 1.0) * quotient;
        const FourDoubles extras = {extra, extra, extra, extra};
        for (std::size_t i = 0; i < end; ++i)
            *slopes.at(i) += (FourDoubles)((FourWords)extras & *four(nibble(members, i)));
    }
    for (std::size_t i = 0; i < end; ++i) *slopes.at(i) += *four(o.honest + lanes * i);
    return sum(*four(totals.data()) + *four(totals.data() + lanes));
}

template <std::size_t vectors>
ASSAY_INLINE void add_all(const Operands& o) {
    const std::size_t end = vectors > 0 ? vectors : o.stride / lanes;
    Sums<vectors> slopes(o);
    find_frequent_marginals<vectors>(o);
    double common = add_frequent<vectors>(o, slopes);
    if (!o.rare.empty()) common += add_rare<vectors>(o, slopes);
    for (std::size_t i = 0; i < end; ++i) *four(o.slopes + lanes * i) = *slopes.at(i) + common;
}

ASSAY_VECTOR_CLONES
void add_slopes(const Operands& o) {
    switch (o.stride / lanes) {
        case 1: return add_all<1>(o);
        case 2: return add_all<2>(o);
        case 3: return add_all<3>(o);
        case 4: return add_all<4>(o);
        case 5: return add_all<5>(o);
        default: return add_all<0>(o);
    }
}

}  // namespace

Subsample::Subsample(const RestrictedResponse& mechanism, int answers)
    : categories_(static_cast<std::size_t>(mechanism.categories)),
      stride_(padded(categories_)),
      answers_(static_cast<std::size_t>(answers)),
      honest_(stride_),
      zeros_(stride_),
      slopes_(stride_) {
    for (Draw& draw : draws_) draw.rare.resize(answers_ + 1);
}

void Subsample::follow(const ResponseHistory& history) {
    const auto total = static_cast<std::uint64_t>(history.size());
    if (places_.size() == total) return;
    indices_ = SubsampleIndices(total);
    const auto digits = static_cast<unsigned>(std::bit_width(total));
    const unsigned dropped = digits < 4U ? 0U : digits - 4U;
    const std::uint64_t choose_at = total >> dropped << dropped;
    if (choose_at != chosen_at_) choose(history, choose_at);
    encode(history);
}

/// The frequent sets among the first t answers: of which 1.2 of a subsample's answers are expected,
/// 5 m count >= 6 t.
void Subsample::choose(const ResponseHistory& history, std::uint64_t answers) {
    std::vector<std::uint64_t> counts(history.sets());
    for (const auto& [category, set] : history.responses().first(answers)) ++counts[set];
    rank(counts, answers);
    row_.assign(history.sets(), 0);
    for (std::size_t c = 0; c < frequent_.size(); ++c)
        row_[frequent_[c]] = static_cast<std::uint32_t>(first_row + c * stride_);
    chosen_at_ = answers;
    places_.clear();
    rare_.clear();
    arrange(history);
}

std::size_t Subsample::most_frequent(std::size_t categories, std::size_t answers) {
    if (categories > 24 || answers > 255) return std::numeric_limits<std::size_t>::max();
    return std::min<std::size_t>(8, 64 / padded(categories));
}

/// Where there may only be so many, those with the most answers; of as many, the first.
void Subsample::rank(const std::vector<std::uint64_t>& counts, std::uint64_t answers) {
    frequent_.clear();
    for (std::uint32_t set = 0; set < counts.size(); ++set)
        if (5 * answers_ * counts[set] >= 6 * answers) frequent_.push_back(set);
    const std::size_t most = most_frequent(categories_, answers_);
    if (frequent_.size() <= most) return;
    std::ranges::stable_sort(frequent_, std::ranges::greater{},
                             [&](std::uint32_t set) { return counts[set]; });
    frequent_.resize(most);
}

/// The distributions of new sets, and the indices of the answers that have none yet.
void Subsample::encode(const ResponseHistory& history) {
    row_.resize(history.sets());
    for (auto set = static_cast<std::uint32_t>(distributions_.size()); set < history.sets(); ++set)
        distributions_.push_back(history.distribution(set));
    for (const auto& [category, set] : history.responses().subspan(places_.size())) {
        const std::uint32_t row = row_[set];
        const auto number = static_cast<std::uint32_t>(places_.size());
        places_.push_back(0);
        if (row == 0)
            rare_.push_back(number);
        else  // in front of the rare ones, which are zeros
            places_[number - rare_.size()] = row + category;
    }
}

std::vector<std::uint32_t> Subsample::order(const ResponseHistory& history) const {
    std::vector<std::uint32_t> numbers(places_.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::stable_partition(numbers.begin(), numbers.end(), [&](std::uint32_t number) {
        return row_[history.responses()[number].set] != 0;
    });
    return numbers;
}

void Subsample::arrange(const ResponseHistory& history) {
    masks_.assign(frequent_.size() * stride_, 0);
    marginals_.resize(frequent_.size());
    for (Draw& draw : draws_) draw.counts.assign(first_row + frequent_.size() * stride_, 0);
    for (std::size_t c = 0; c < frequent_.size(); ++c) {
        const std::span<const std::uint64_t> members = history.members(frequent_[c]);
        for (std::size_t i = 0; i < categories_; ++i)
            if ((members[i / 64] >> i % 64 & 1U) != 0) masks_[c * stride_ + i] = -1;
    }
}

/// Counts for the frequent sets, a list of the other answers.
void Subsample::draw(std::span<const std::uint32_t> indices) {
    Draw& next = draws_[next_];
    next_ = 1 - next_;
    const std::uint32_t* const places = places_.data();
    std::uint32_t* const counts = next.counts.data();
    std::uint32_t* const rare = next.rare.data();
    std::size_t rare_count = 0;
#pragma GCC unroll 4
    for (const std::uint32_t index : indices) {
        const std::uint32_t place = places[index];
        ++counts[place];
        rare[rare_count] = index;
        rare_count += place < 1U ? 1 : 0;
    }
    next.rare_count = rare_count;
}

std::span<const double> Subsample::slopes(const ResponseHistory& history,
                                          std::span<const double> phi, double sum) {
    Draw& oldest = draws_[oldest_];
    oldest_ = 1 - oldest_;
    add_slopes({.stride = stride_,
                .phi = phi.data(),
                .whole = sum,
                .slopes = slopes_.data(),
                .frequent = frequent_,
                .masks = masks_.data(),
                .counts = oldest.counts.data(),
                .rare = std::span(oldest.rare).first(oldest.rare_count),
                .numbers = rare_.data(),
                .first_rare = static_cast<std::uint32_t>(places_.size() - rare_.size()),
                .responses = history.responses().data(),
                .distributions = distributions_.data(),
                .members = history.members(0).data(),
                .words = history.members(0).size(),
                .marginals = marginals_.data(),
                .honest = honest_.data(),
                .zeros = zeros_.data()});
    return slopes_;
}

}  // namespace assay
