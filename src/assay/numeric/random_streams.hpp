#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

/// What a stream of random numbers is for; two purposes never share a number.
enum class Purpose : std::uint32_t {
    balls_and_bins_loss = 1,
    conditional_monte_carlo = 2,
    tilted_monte_carlo = 3,
    batch_sampling = 4,
    local_response = 5,
    langevin = 6,
    gibbs = 7,
    population = 8,
    gradient_noise = 9,
    model_initialisation = 10,
    synthetic_data = 11,
    data_split = 12,
    batch_truncation = 13,
    posterior_mass = 14,
    test = 100,
};

/// Random numbers with an address: seed, purpose and block decide every bit; thread, rank and
/// machine do not.
///   Maths      Philox4x32-10 (Salmon et al., SC 2011) keyed by the seed; the counter holds the
///              position (48 bits), the purpose (16 bits) and the block (64 bits), so different
///              addresses are different points of one bijection of 128 bits
///   Cost       about 1 ns a number with AVX2, 3 ns without; both give the same bits
///   Throws     nothing; a stream holds 2^49 numbers
class RandomStream {
public:
    RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t block);

    /// The next 64 independent fair bits.
    std::uint64_t bits() {
        if (next_ == buffer_.size()) refill();
        return buffer_[next_++];
    }
    /// Uniform on the odd multiples of 2^-53 in (0, 1): never 0 or 1, symmetric about 1/2.
    double uniform() { return to_unit_interval(bits()); }
    /// Standard normal (Box and Muller), |z| <= 8.6; two uniforms for two normals.
    double normal();
    /// Standard exponential, -log of a uniform, at most 36.8.
    double exponential();
    /// Gamma with this shape >= 1 and unit rate (Marsaglia and Tsang 2000), by rejection.
    double gamma(double shape);
    /// An integer uniform on {0, .., bound-1}, exactly (Lemire's rejection); bound >= 1.
    std::uint64_t below(std::uint64_t bound);

    /// The same numbers as repeated calls of bits() and uniform(), faster.
    void fill_bits(std::span<std::uint64_t> out);
    void fill_uniform(std::span<double> out);
    /// The numbers of repeated calls of normal() on a stream that has no spare one, each within
    /// 2e-14, four times as fast. An odd count discards the second number of its last pair; a
    /// spare one is left for the next normal().
    void fill_normals(std::span<double> out);

    /// (k + 1/2) 2^-52 for the top 52 bits k, exactly.
    [[nodiscard]] static double to_unit_interval(std::uint64_t bits);

private:
    void refill();

    std::array<std::uint32_t, 2> key_;
    std::uint64_t block_;
    std::uint64_t position_;  // of the next counter; the purpose in the top 16 bits
    std::array<std::uint64_t, 64> buffer_;
    std::size_t next_;
    double spare_normal_ = 0.0;
    bool has_spare_ = false;
};

namespace detail {

/// Words 2i, 2i+1 of `out` are Philox at counter {position + i, block}; an even number of words.
/// `plain` calls Random123, `vector` is its counterpart with AVX-512 or AVX2 (the plain one
/// without).
void philox_plain(std::array<std::uint32_t, 2> key, std::uint64_t block, std::uint64_t position,
                  std::span<std::uint64_t> out);
void philox_vector(std::array<std::uint32_t, 2> key, std::uint64_t block, std::uint64_t position,
                   std::span<std::uint64_t> out);

/// Whether this machine runs the AVX2 kernels, and those of AVX-512F.
[[nodiscard]] bool has_avx2();
[[nodiscard]] bool has_avx512();

}  // namespace detail

}  // namespace assay
