#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assay/numeric/directed.hpp"
#include "assay/numeric/random_streams.hpp"

namespace assay {

/// A positive function of a probability, as piecewise cubics, for samplers by inversion.
///
/// A probability p is written as its signed tail: p itself for p < 1/2, p - 1 above. Both ends keep
/// all their digits that way. The magnitude in [2^-octaves-1, 1/2) is cut into 2^bits pieces an
/// octave, so that the exponent and the leading digits of the number are the row of the table. One
/// row more of each side has the value at 1/2, for that and for what roundings put 2^-51 above it.
class TailTable {
public:
    struct Function {
        /// The value at a signed tail, to some 60 bits.
        std::function<real(real tail)> value;
        /// A bound of |fourth derivative| over a closed piece that does not hold 0.
        std::function<real(real left, real right)> fourth_derivative;
    };
    /// Interpolates at Chebyshev nodes with as few pieces as keep
    ///   |error| <= (length/2)^4 / (8 * 4!) max |f''''| <= tolerance f
    /// on every piece; throws Error when 2^12 pieces an octave are not enough.
    TailTable(Function function, int octaves, double tolerance);

    /// Bound of |computed / true - 1|, interpolation and rounding, wherever the value is not
    /// below 2^-1000.
    [[nodiscard]] double relative_error() const { return relative_error_; }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }

    /// The function at one signed tail; beyond the table the function itself is called.
    [[nodiscard]] double at(double tail) const;
    /// at() of each, in place, with AVX-512 unless not `wide`. Here and below the plain
    /// counterparts have the bits of the vector kernels.
    void evaluate(std::span<double> tails, bool wide = true) const;
    void evaluate_plain(std::span<double> tails) const;

    /// Sum of the function over uniform probabilities of 31 bits and a side, two from each word:
    /// the middles of 2^32 cells. The cells (32-bit words) with tails below 2^-12, where a middle
    /// is too coarse, are listed in `rare`, which is twice as long as `words`, for the caller to
    /// replace cell_value() by at(refine_cell()). Needs 32 octaves.
    double sum(std::span<const std::uint64_t> words, std::span<std::uint32_t> rare,
               std::size_t& rare_count) const;
    double sum_plain(std::span<const std::uint64_t> words, std::span<std::uint32_t> rare,
                     std::size_t& rare_count) const;
    [[nodiscard]] double cell_value(std::uint32_t cell) const;

private:
    struct alignas(32) Row {
        double coefficient[4];
    };
    struct Piece {
        real scale;  // of the octave, negative on the other side
        real fraction;
        real length;  // [scale (1 + fraction), scale (1 + fraction + length)), 0 at 1/2
    };
    void lay_out(int bits);
    [[nodiscard]] Piece piece(std::size_t row) const;
    [[nodiscard]] real interpolation_error(real enough) const;
    void fill();
    [[nodiscard]] std::size_t row_of(double tail) const;
    [[nodiscard]] double polynomial(double tail) const;

    Function function_;
    int octaves_;
    int bits_ = 0;
    double smallest_;              // magnitudes below are not in the table
    std::uint64_t first_row_ = 0;  // of the smallest magnitude, before it is subtracted
    std::size_t side_ = 0;         // rows of one side, the last for 1/2
    std::vector<Row> rows_;
    double relative_error_ = 0.0;
};

/// Signed tails of uniform probabilities: 52 random bits and a side, and 52 bits more where the
/// magnitude is below 2^-22, so that the relative spacing is below 2^-30 at any depth.
void fill_signed_tails(RandomStream& stream, std::span<double> out);
[[nodiscard]] double signed_tail(RandomStream& stream);

/// A tail within a 32-bit cell, uniform, by 52 bits more.
[[nodiscard]] double refine_cell(RandomStream& stream, std::uint32_t cell);

namespace detail {

/// Unrefined signed tails of `words`; whether one is below 2^-22. Both give the same results.
[[nodiscard]] bool signed_tails_plain(std::span<const std::uint64_t> words, double* out);
[[nodiscard]] bool signed_tails_vector(std::span<const std::uint64_t> words, double* out);

}  // namespace detail

}  // namespace assay
