#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "assay/numeric/random_streams.hpp"

namespace assay {

/// Draws from Bin(trials, p), p = numerator / denominator, however small the rounding of the
/// platform would make an event: the number of members of a Poisson-sampled batch.
///   Maths      inversion outward from the mode m: outcomes in the order m, m+1, m-1, m+2, ..; the
///              outcome is the first whose cumulated probability exceeds U = 0.w1 w2 .. in base
///              2^64. Extended precision decides where U is farther from a boundary than its proved
///              error; elsewhere (probability about 1e-6 at 4.6e7 trials) 100 digits and 192 bits
///              of U decide
///   Domain     0 <= trials < 2^32, 0 <= numerator <= denominator, denominator > 0
///   Direction  total variation from the distribution below 2^-170, which no data will ever show
///   Errors     docs/error_bounds.md#binomial-draw
///   Cost       one word and about 2 sqrt(trials p (1-p)) terms a draw; construction 0.5 us
///   Throws     DomainError (trials, probability)
class BinomialDistribution {
public:
    BinomialDistribution(std::int64_t trials, double numerator, double denominator);

    [[nodiscard]] std::int64_t draw(RandomStream& stream) const;

    /// The outcome that U in [word, word+1) 2^-64 has, where extended precision can tell; and that
    /// of U = 0.w1 w2 w3, in 100 digits.
    [[nodiscard]] std::optional<std::int64_t> quick_outcome(std::uint64_t word) const;
    [[nodiscard]] std::int64_t precise_outcome(const std::array<std::uint64_t, 3>& words) const;

    [[nodiscard]] std::int64_t mode() const { return mode_; }

private:
    std::int64_t trials_;
    double numerator_;
    double denominator_;
    std::int64_t mode_;
    long double mode_probability_ = 0.0L;
    long double odds_ = 0.0L;
    long double relative_error_ = 0.0L;
};

}  // namespace assay
