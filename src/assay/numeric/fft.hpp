#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Discrete Fourier transforms of length n = 2^m; frequencies are kept in bit-reversed order, in
/// which a convolution needs no reordering. Real and imaginary parts lie in two arrays.
///   Maths      forward: X_f = sum_k x_k e^{-2 pi i f k / n};  backward: sum_f X_f e^{+...} (no
///   1/n) Error      every output is within relative_error() * sum |x_k| of the exact one
///              (docs/error_bounds.md#fft)
///   Cost       (n/2) log2 n butterflies of ten operations; n numbers of twiddles
///   Domain     4 <= n <= 2^26              Throws  DomainError
class Fft {
public:
    explicit Fft(std::size_t size);

    [[nodiscard]] std::size_t size() const { return size_; }
    void forward(std::span<double> re, std::span<double> im) const;
    void backward(std::span<double> re, std::span<double> im) const;
    [[nodiscard]] double relative_error() const { return relative_error_; }

    /// The position that holds the frequency opposite to the one at `position`.
    [[nodiscard]] static std::size_t opposite(std::size_t position);

private:
    std::size_t size_;
    double relative_error_;
    // Twiddles of the stage of length 2 h begin at h: e^{-pi i j / h}, 0 <= j < h.
    std::vector<double> cos_;
    std::vector<double> sin_;
};

}  // namespace assay
