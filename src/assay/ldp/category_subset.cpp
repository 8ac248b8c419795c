#include "assay/ldp/category_subset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/four_doubles.hpp"

namespace assay {

namespace {

constexpr int most_categories = 1'000'000;

/// So few categories are ranked by counting the larger ones: no branch depends on the numbers.
constexpr std::size_t few = 32;
constexpr std::size_t lanes = 4;
using Numbers = std::array<double, few>;
using Ranks = std::array<std::int64_t, few>;

/// Of each number how many are larger; whether no two are equal. Room for whole vectors.
ASSAY_VECTOR_CLONES
bool count_larger(const Numbers& numbers, std::size_t count, Ranks& ranks) {
    for (std::size_t i = 0; i < count; i += lanes) {
        const FourDoubles own = *four(numbers.data() + i);
        FourWords larger = {};
        for (std::size_t j = 0; j < count; ++j) {
            const double other = numbers[j];
            larger -= FourDoubles{other, other, other, other} > own;
        }
        *reinterpret_cast<FourWords*>(ranks.data() + i) = larger;
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += ranks[i];
    return sum == static_cast<std::int64_t>(count * (count - 1) / 2);
}

/// Moves that insertion spends on an order before a full sort takes over, a category.
constexpr std::int64_t patience = 8;

}  // namespace

CategorySubset::CategorySubset(int categories) {
    require(categories >= 1 && categories <= most_categories, "categories", categories,
            "an integer from 1 to 1000000");
    order_.resize(index(categories));
    std::iota(order_.begin(), order_.end(), 0);
    rank_ = order_;
}

CategorySubset::CategorySubset(int categories, std::span<const int> members)
    : CategorySubset(categories) {
    std::vector<bool> inside(order_.size());
    for (const int member : members) {
        if (member < 0 || member >= categories)
            throw DomainError("subset", fmt::format("category {}", member + 1),
                              fmt::format("categories from 1 to {}", categories));
        if (inside[index(member)])
            throw DomainError("subset", fmt::format("category {} twice", member + 1),
                              "each category at most once");
        inside[index(member)] = true;
    }
    std::copy(members.begin(), members.end(), order_.begin());
    auto next = order_.begin() + static_cast<std::ptrdiff_t>(members.size());
    for (int category = 0; category < categories; ++category)
        if (!inside[index(category)]) *next++ = category;
    for (int place = 0; place < categories; ++place) rank_[index(order_[index(place)])] = place;
    size_ = static_cast<int>(members.size());
}

void CategorySubset::rank_by(std::span<const double> probability) {
    if (probability.size() != order_.size())
        throw DomainError("probabilities", fmt::format("{} values", probability.size()),
                          fmt::format("one a category, {}", order_.size()));
    for (const double p : probability)
        require(!std::isnan(p), "probabilities", p, "numbers, none a NaN");
    if (rank_few(probability)) return;
    const auto before = [&](int a, int b) {
        const double p = probability[index(a)];
        const double q = probability[index(b)];
        return p > q || (p == q && a < b);
    };
    std::int64_t budget = patience * static_cast<std::int64_t>(order_.size());
    for (std::size_t i = 1; i < order_.size() && budget >= 0; ++i) {
        const int moved = order_[i];
        std::size_t j = i;
        for (; j > 0 && before(moved, order_[j - 1]); --j, --budget) order_[j] = order_[j - 1];
        order_[j] = moved;
    }
    if (budget < 0) std::sort(order_.begin(), order_.end(), before);
    for (std::size_t place = 0; place < order_.size(); ++place)
        rank_[index(order_[place])] = static_cast<int>(place);
}

/// Whether it could: not where two numbers are equal.
bool CategorySubset::rank_few(std::span<const double> probability) {
    if (order_.size() > few) return false;
    Numbers numbers{};
    Ranks ranks;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
    std::copy(probability.begin(), probability.end(), numbers.begin());
    if (!count_larger(numbers, order_.size(), ranks)) return false;
    for (std::size_t category = 0; category < order_.size(); ++category) {
        rank_[category] = static_cast<int>(ranks[category]);
        order_[static_cast<std::size_t>(ranks[category])] = static_cast<int>(category);
    }
    return true;
}

void CategorySubset::resize(int size) {
    require(size >= 0 && size <= categories(), "subset-size", size, "an integer from 0 to K");
    size_ = size;
}

}  // namespace assay
