#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// A set S of categories 0, .., K-1 that says in O(1) who belongs to it and hands out its members
/// and its outsiders by number: the first |S| places of an order of all categories.
class CategorySubset {
public:
    /// The empty set, in the order 0, 1, .., K-1.
    ///   Throws     DomainError (categories) unless 1 <= K <= 10^6
    explicit CategorySubset(int categories);

    /// The set of these categories; they stand first, as given, the others follow in rising order.
    ///   Throws     DomainError (categories, subset): a member outside 0..K-1, or given twice
    CategorySubset(int categories, std::span<const int> members);

    /// Orders the categories by falling probability, equal ones by number; the size stays.
    ///   Cost       O(K log K), O(K) where the order hardly changes
    ///   Throws     DomainError unless there is one probability a category, none a NaN
    void rank_by(std::span<const double> probability);

    /// S becomes the first `size` categories of the order, 0 <= size <= K.
    void resize(int size);

    [[nodiscard]] int categories() const { return static_cast<int>(order_.size()); }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] int outside() const { return categories() - size_; }
    [[nodiscard]] bool contains(int category) const { return rank_[index(category)] < size_; }
    /// Member number i < size() and outsider number i < outside(), in the order.
    [[nodiscard]] int member(int i) const { return order_[index(i)]; }
    [[nodiscard]] int outsider(int i) const { return order_[index(size_ + i)]; }
    /// The place of a category in the order, and the categories by place.
    [[nodiscard]] int rank(int category) const { return rank_[index(category)]; }
    [[nodiscard]] std::span<const int> order() const { return order_; }

private:
    bool rank_few(std::span<const double> probability);
    [[nodiscard]] static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    std::vector<int> order_;
    std::vector<int> rank_;
    int size_ = 0;
};

}  // namespace assay
