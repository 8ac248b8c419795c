#include "assay/ldp/response_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr std::size_t bits_a_word = 64;
/// So that no set is numbered InternIndex::none.
constexpr std::size_t most_responses = 0xFFFFFFFC;

[[noreturn]] void refuse(const std::string& what) {
    throw DomainError("responses", what, "answers of one history");
}

bool holds(std::span<const std::uint64_t> members, std::size_t category) {
    return (members[category / bits_a_word] >> category % bits_a_word & 1U) != 0;
}

}  // namespace

ResponseHistory::ResponseHistory(const RestrictedResponse& mechanism)
    : mechanism_((validate(mechanism), mechanism)),
      words_((static_cast<std::size_t>(mechanism.categories) + bits_a_word - 1) / bits_a_word),
      members_(first_outside * words_),
      set_distributions_{inside, empty},
      distributions_(static_cast<std::size_t>(mechanism.categories) + 1) {
    distributions_[inside] = {.inside_ratio = 1.0,
                              .excess = std::expm1(mechanism.budget_share * mechanism.epsilon)};
    distributions_[empty] = {.inside_ratio = 1.0, .excess = std::expm1(mechanism.epsilon)};
}

void ResponseHistory::add(const CategorySubset& subset, int response) {
    require(subset.categories() == categories(), "subset", subset.categories(),
            "a set of the mechanism's K categories");
    require(response >= 0 && response < categories(), "response", response,
            "a category of the mechanism");
    const int size = subset.size();
    const int most = largest_subset(mechanism_);
    if (size > most)
        throw DomainError("subset-size", fmt::format("{}", size),
                          fmt::format("a size that the mechanism may choose: 0 .. {}", most));
    require(responses_.size() < most_responses, "responses", static_cast<double>(most_responses),
            "at most 2^32 - 4");
    std::uint32_t set = inside;
    if (size == 0) {
        set = empty;
    } else if (!subset.contains(response)) {
        set = intern(subset);
    }
    responses_.push_back({.category = static_cast<std::uint32_t>(response), .set = set});
}

std::uint64_t ResponseHistory::hash(std::uint32_t set) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : members(set)) sum = InternIndex::mix(sum + word);
    return sum;
}

/// The number of the first set like this one; only those before it are numbered.
std::uint32_t ResponseHistory::number_of(std::uint32_t set) {
    return index_.intern(
        hash(set), set,
        [&](std::uint32_t other) { return std::ranges::equal(members(other), members(set)); },
        [&](std::uint32_t other) { return hash(other); });
}

/// The set goes behind the others, and away again where it is one of them.
std::uint32_t ResponseHistory::intern(const CategorySubset& subset) {
    const std::uint32_t next = sets();
    members_.resize(members_.size() + words_);
    const auto words = std::span(members_).last(words_);
    for (int i = 0; i < subset.size(); ++i) {
        const auto member = static_cast<std::size_t>(subset.member(i));
        words[member / bits_a_word] |= std::uint64_t{1} << member % bits_a_word;
    }
    const std::uint32_t number = number_of(next);
    if (number == next) {
        append_set(subset.size());
    } else {
        members_.resize(members_.size() - words_);
    }
    return number;
}

/// The set whose members stand last.
void ResponseHistory::append_set(int size) {
    const auto number = static_cast<std::uint32_t>(size) + empty;
    set_distributions_.push_back(number);
    Distribution& distribution = distributions_[number];
    if (distribution.inside_ratio > 0.0) return;
    const ResponseDistribution full = response_distribution(mechanism_, size);
    distribution = {.inside_ratio = full.outside_from_inside / full.other_outside,
                    .excess = std::expm1(complement_epsilon(mechanism_, size))};
}

std::size_t ResponseHistory::bytes() const {
    return responses_.capacity() * sizeof(Response) + members_.capacity() * sizeof(std::uint64_t) +
           set_distributions_.capacity() * sizeof(std::uint32_t) +
           distributions_.capacity() * sizeof(Distribution) + index_.bytes();
}

void ResponseHistory::assign(std::vector<Response> responses,
                             std::span<const std::uint64_t> members) {
    if (responses.size() > most_responses || members.size() % words_ != 0 ||
        members.size() / words_ > responses.size())
        refuse(fmt::format("{} answers with {} words of sets", responses.size(), members.size()));
    ResponseHistory fresh(mechanism_);
    fresh.admit_sets(members);
    fresh.admit_responses(responses);
    fresh.responses_ = std::move(responses);
    *this = std::move(fresh);
}

void ResponseHistory::admit_sets(std::span<const std::uint64_t> members) {
    const auto categories = static_cast<std::size_t>(mechanism_.categories);
    for (; !members.empty(); members = members.subspan(words_)) {
        const auto words = members.first(words_);
        int size = 0;
        for (const std::uint64_t word : words) size += std::popcount(word);
        const auto top_bits = static_cast<std::size_t>(std::bit_width(words.back()));
        if (bits_a_word * (words_ - 1) + top_bits > categories)
            refuse(fmt::format("a category above K in set {}", sets()));
        if (size < 1 || size >= mechanism_.categories)
            refuse(fmt::format("{} categories in set {}", size, sets()));
        members_.insert(members_.end(), words.begin(), words.end());
        if (number_of(sets()) != sets()) refuse(fmt::format("set {} twice", sets()));
        append_set(size);
    }
}

void ResponseHistory::admit_responses(std::span<const Response> responses) {
    for (const Response& response : responses) {
        const auto [y, set] = response;
        if (y >= static_cast<std::uint32_t>(categories()) || set >= sets() ||
            holds(members(set), y))
            refuse(fmt::format("category {} with set {}", std::uint64_t{y} + 1, set));
    }
}

}  // namespace assay
