#include "assay/numeric/fft.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

/// (u, v) -> (u + v, (u - v) w).
ASSAY_VECTOR_CLONES void split(double* __restrict re, double* __restrict im,
                               const double* __restrict c, const double* __restrict s,
                               std::size_t half) {
    double* __restrict vre = re + half;
    double* __restrict vim = im + half;
    for (std::size_t j = 0; j < half; ++j) {
        const double dre = re[j] - vre[j];
        const double dim = im[j] - vim[j];
        re[j] += vre[j];
        im[j] += vim[j];
        vre[j] = dre * c[j] - dim * s[j];
        vim[j] = dre * s[j] + dim * c[j];
    }
}

/// (u, v) -> (u + v conj w, u - v conj w).
ASSAY_VECTOR_CLONES void join(double* __restrict re, double* __restrict im,
                              const double* __restrict c, const double* __restrict s,
                              std::size_t half) {
    double* __restrict vre = re + half;
    double* __restrict vim = im + half;
    for (std::size_t j = 0; j < half; ++j) {
        const double tre = vre[j] * c[j] + vim[j] * s[j];
        const double tim = vim[j] * c[j] - vre[j] * s[j];
        vre[j] = re[j] - tre;
        vim[j] = im[j] - tim;
        re[j] += tre;
        im[j] += tim;
    }
}

/// The last two stages of four neighbours, twiddles 1 and -i only.
void split_four(double* re, double* im) {
    const double ar = re[0] + re[2], ai = im[0] + im[2];
    const double br = re[1] + re[3], bi = im[1] + im[3];
    const double cr = re[0] - re[2], ci = im[0] - im[2];
    const double dr = im[1] - im[3], di = re[3] - re[1];
    re[0] = ar + br, im[0] = ai + bi;
    re[1] = ar - br, im[1] = ai - bi;
    re[2] = cr + dr, im[2] = ci + di;
    re[3] = cr - dr, im[3] = ci - di;
}

void join_four(double* re, double* im) {
    const double ar = re[0] + re[1], ai = im[0] + im[1];
    const double br = re[0] - re[1], bi = im[0] - im[1];
    const double cr = re[2] + re[3], ci = im[2] + im[3];
    const double dr = im[3] - im[2], di = re[2] - re[3];
    re[0] = ar + cr, im[0] = ai + ci;
    re[2] = ar - cr, im[2] = ai - ci;
    re[1] = br + dr, im[1] = bi + di;
    re[3] = br - dr, im[3] = bi - di;
}

/// Blocks that fit the cache are finished before the next one is begun.
constexpr std::size_t cached = 1U << 11U;

}  // namespace

Fft::Fft(std::size_t size) : size_(size) {
    require(size >= 4 && size <= (std::size_t{1} << 26U) && std::has_single_bit(size),
            "transform length", static_cast<double>(size), "a power of 2 from 4 to 2^26");
    // Each of the log2 n stages costs u (sum), sqrt(5) u (product) and 1.01 u (twiddle).
    relative_error_ = 4.3 * 0x1p-53 * static_cast<double>(std::bit_width(size));
    cos_.resize(size);
    sin_.resize(size);
    // The longest stage first, the shorter ones take every second twiddle.
    const std::size_t longest = size / 2;
    const auto set = [&](std::size_t j, long double c, long double s) {
        cos_[longest + j] = static_cast<double>(c);
        sin_[longest + j] = static_cast<double>(-s);
    };
    // e^{i(a+b)} from two tables: three roundings of 2^-64 on top of those of the tables.
    struct Turn {
        long double c;
        long double s;
    };
    const auto turn = [&](std::size_t j) {
        const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(j) /
                                  static_cast<long double>(longest);
        return Turn{std::cos(angle), std::sin(angle)};
    };
    std::vector<Turn> fine;
    constexpr std::size_t stride = 256;
    for (std::size_t j = 0; j < stride && j < longest; ++j) fine.push_back(turn(j));
    for (std::size_t first = 0; first < longest; first += stride) {
        const Turn a = turn(first);
        for (std::size_t j = 0; j < fine.size(); ++j) {
            const Turn b = fine[j];
            set(first + j, a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s);
        }
    }
    for (std::size_t half = longest / 2; half >= 1; half /= 2)
        for (std::size_t j = 0; j < half; ++j) {
            cos_[half + j] = cos_[2 * half + 2 * j];
            sin_[half + j] = sin_[2 * half + 2 * j];
        }
}

void Fft::forward(std::span<double> re, std::span<double> im) const {
    require(re.size() == size_ && im.size() == size_, "transform length",
            static_cast<double>(re.size()), "the length it was built for");
    allow_interruption(6 * size_);  // of what is cached
    std::size_t half = size_ / 2;
    for (; 2 * half > cached; half /= 2) {
        allow_interruption(size_);
        for (std::size_t b = 0; b < size_; b += 2 * half)
            split(&re[b], &im[b], &cos_[half], &sin_[half], half);
    }
    const std::size_t block = 2 * half;
    for (std::size_t first = 0; first < size_; first += block) {
        for (std::size_t h = half; h >= 4; h /= 2)
            for (std::size_t b = first; b < first + block; b += 2 * h)
                split(&re[b], &im[b], &cos_[h], &sin_[h], h);
        for (std::size_t b = first; b < first + block; b += 4) split_four(&re[b], &im[b]);
    }
}

void Fft::backward(std::span<double> re, std::span<double> im) const {
    require(re.size() == size_ && im.size() == size_, "transform length",
            static_cast<double>(re.size()), "the length it was built for");
    allow_interruption(6 * size_);
    const std::size_t block = size_ < cached ? size_ : cached;
    for (std::size_t first = 0; first < size_; first += block) {
        for (std::size_t b = first; b < first + block; b += 4) join_four(&re[b], &im[b]);
        for (std::size_t h = 4; 2 * h <= block; h *= 2)
            for (std::size_t b = first; b < first + block; b += 2 * h)
                join(&re[b], &im[b], &cos_[h], &sin_[h], h);
    }
    for (std::size_t half = block; half < size_; half *= 2) {
        allow_interruption(size_);
        for (std::size_t b = 0; b < size_; b += 2 * half)
            join(&re[b], &im[b], &cos_[half], &sin_[half], half);
    }
}

std::size_t Fft::opposite(std::size_t position) {
    return position < 2 ? position : 3 * std::bit_floor(position) - 1 - position;
}

}  // namespace assay
