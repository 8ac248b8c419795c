#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assay/ldp/intern_index.hpp"
#include "assay/ldp/restricted_response.hpp"

namespace assay {

/// All answers of one mechanism so far, in order, each with as much of its set as the likelihood
/// of theta needs.
///   Maths      every answer has h_y = v (1 + (alpha - 1) theta(S) + beta theta_y) with alpha and
///              beta of |S| alone. For y in S it is (1 + (e^eps1 - 1) theta_y) / Z1, and for S
///              empty (1 + (e^eps - 1) theta_y) / (e^eps + K - 1): then only y matters, so all
///              answers inside their sets count as of one set, number 0, those of the empty set as
///              of number 1, both without members and with alpha = 1
///   Memory     8 bytes an answer; 8 ceil(K/64) + 10 to 16 bytes more for every distinct set with
///              an answer outside it; 24 K bytes. Times at most 2 for the room that vectors keep
///              free, 3 while one moves. No more than 2^32 - 4 answers
class ResponseHistory {
public:
    struct Response {
        std::uint32_t category;
        std::uint32_t set;
        bool operator==(const Response&) const = default;
    };
    static constexpr std::uint32_t inside = 0;
    static constexpr std::uint32_t empty = 1;
    static constexpr std::uint32_t first_outside = 2;

    /// g(y | x) / v = 1 + (inside_ratio - 1) [x in S] + excess [x = y].
    struct Distribution {
        double inside_ratio;  ///< alpha = r/v
        double excess;        ///< beta = (u - v)/v
    };

    /// Throws DomainError as validate(mechanism).
    explicit ResponseHistory(const RestrictedResponse& mechanism);

    /// Appends the answer to one set.
    ///   Domain     0 <= response < K, subset of K categories and of a size that the mechanism may
    ///              choose, or empty
    ///   Cost       O(1) inside S; O(K/64 + |S|) outside
    ///   Throws     DomainError (response, subset, subset-size, responses), and changes nothing
    void add(const CategorySubset& subset, int response);

    [[nodiscard]] const RestrictedResponse& mechanism() const { return mechanism_; }
    [[nodiscard]] int categories() const { return mechanism_.categories; }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(responses_.size()); }
    /// In the order they came; each is found in O(1).
    [[nodiscard]] std::span<const Response> responses() const { return responses_; }

    /// The sets 0, 1 and the distinct ones with an answer outside them, numbered as they came.
    [[nodiscard]] std::uint32_t sets() const {
        return static_cast<std::uint32_t>(set_distributions_.size());
    }
    [[nodiscard]] const Distribution& distribution(std::uint32_t set) const {
        return distributions_[set_distributions_[set]];
    }
    /// Category i is in the set where bit i % 64 of word i / 64 is set.
    [[nodiscard]] std::span<const std::uint64_t> members(std::uint32_t set) const {
        return std::span(members_).subspan(std::size_t{set} * words_, words_);
    }
    /// Of the sets from first_outside on, one behind the other.
    [[nodiscard]] std::span<const std::uint64_t> members_outside() const {
        return std::span(members_).subspan(first_outside * words_);
    }

    /// What the vectors hold now.
    [[nodiscard]] std::size_t bytes() const;

    /// Becomes the history that has these answers and sets, as responses() and members_outside()
    /// gave them.
    ///   Throws     DomainError (responses) where they are of no history, and changes nothing
    void assign(std::vector<Response> responses, std::span<const std::uint64_t> members);

private:
    [[nodiscard]] std::uint32_t intern(const CategorySubset& subset);
    [[nodiscard]] std::uint32_t number_of(std::uint32_t set);
    [[nodiscard]] std::uint64_t hash(std::uint32_t set) const;
    void append_set(int size);
    void admit_sets(std::span<const std::uint64_t> members);
    void admit_responses(std::span<const Response> responses);

    RestrictedResponse mechanism_;
    std::size_t words_;
    std::vector<Response> responses_;
    std::vector<std::uint64_t> members_;
    std::vector<std::uint32_t> set_distributions_;
    std::vector<Distribution>
        distributions_;  // of answers inside, then by size; filled where a set has it
    InternIndex index_;
};

}  // namespace assay
