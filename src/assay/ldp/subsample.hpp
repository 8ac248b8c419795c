#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/ldp/response_history.hpp"
#include "assay/ldp/subsample_indices.hpp"

namespace assay {

/// A subsample of m answers, drawn with replacement, and what the gradient in phi, theta = phi /
/// sum phi, asks of it: d/dphi_i sum_j log h(y_j) = slopes_i - m / sum phi, slopes_i =
/// sum_j g(y_j | i) / h(y_j) / sum phi   (aydin2024 Proposition 4).
///   Maths      g/h = (1 + (alpha-1) [i in S] + beta [i = y]) / (alpha P + 1-P + beta theta_y),
///              P = theta(S). Answers of one set are K counts, whose terms are formed by category:
///              done for the frequent sets, of which a subsample had 1.2 answers or more to expect
///              when t last had no more than four leading binary digits, at most most_frequent()
///              of them; the others one by one
///   Indices    of the t answers, exactly uniform (SubsampleIndices)
///   Direction  none; error below (m + K + 40) 2^-53 sum_j 1 / h_j / sum phi
///   Cost       O(m) look-ups; a frequent set or another answer about K operations. The same bits
///              with AVX2 and without. 4 bytes an answer, 4 more a rare one, 20 a set
class Subsample {
public:
    Subsample(const RestrictedResponse& mechanism, int answers);

    /// To be called when the history has changed, with at least one answer. What follows depends
    /// on the history alone.
    ///   Cost       O(1) an answer more, in the long run
    void follow(const ResponseHistory& history);

    /// Where the answers of a subsample are drawn from.
    [[nodiscard]] const SubsampleIndices& indices() const { return indices_; }

    /// The answers by index: first those to frequent sets, then the others, as they came.
    [[nodiscard]] std::vector<std::uint32_t> order(const ResponseHistory& history) const;

    /// Draws one subsample: m of the indices. Two may be drawn before the slopes of the first are
    /// asked for: what was written has reached the cache by then.
    void draw(std::span<const std::uint32_t> indices);

    /// The slopes of the oldest subsample drawn, which is used up: padded(K) numbers of which those
    /// behind K mean nothing, until the next call. `phi` has padded(K) numbers, those behind K
    /// being 0, and this sum.
    [[nodiscard]] std::span<const double> slopes(const ResponseHistory& history,
                                                 std::span<const double> phi, double sum);

    /// How many sets are frequent at most: min(8, 64 / padded(K)) for K <= 24 and m <= 255, else no
    /// bound. It decides the order of sums, hence the bits of recorded results.
    [[nodiscard]] static std::size_t most_frequent(std::size_t categories, std::size_t answers);

    /// A multiple of 4.
    [[nodiscard]] static std::size_t padded(std::size_t count) { return (count + 3) / 4 * 4; }

private:
    void choose(const ResponseHistory& history, std::uint64_t answers);
    void rank(const std::vector<std::uint64_t>& counts, std::uint64_t answers);
    void arrange(const ResponseHistory& history);
    void encode(const ResponseHistory& history);

    struct Draw {
        std::vector<std::uint32_t> counts;
        std::vector<std::uint32_t> rare;  // indices
        std::size_t rare_count = 0;
    };

    std::size_t categories_;
    std::size_t stride_;
    std::size_t answers_;
    SubsampleIndices indices_{1};
    // The first indices are those of answers to the frequent sets, each of which counts for its
    // category in the row of its set; the other indices are of the rare answers, which have place
    // 0.
    std::uint64_t chosen_at_ = 0;
    std::vector<std::uint32_t> frequent_;
    std::vector<std::uint32_t> row_;                            // by set; 0 for the others
    std::vector<std::uint32_t> places_;                         // by index
    std::vector<std::uint32_t> rare_;                           // numbers of rare answers
    std::vector<std::int64_t> masks_;                           // -1 for members, by frequent set
    std::vector<ResponseHistory::Distribution> distributions_;  // by set
    std::array<Draw, 2> draws_;
    std::size_t next_ = 0;    // to be drawn
    std::size_t oldest_ = 0;  // to be evaluated
    std::vector<double> marginals_;
    std::vector<double> honest_;
    std::vector<double> zeros_;
    std::vector<double> slopes_;
};

}  // namespace assay
