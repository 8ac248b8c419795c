#include <bit>
#include <cmath>
#include <vector>

#include "assay/numeric/fft.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/rows.hpp"

// The discrete Fourier transform against its definition.

namespace assay::verify {

namespace {

constexpr long working = 96;
constexpr int frequencies = 3;

struct Complex {
    Interval re;
    Interval im;
};

struct Signal {
    std::vector<double> re;
    std::vector<double> im;

    /// The error admitted of every number of a transform.
    [[nodiscard]] double admitted(double relative) const {
        double total = 0.0;
        for (std::size_t k = 0; k < re.size(); ++k) total += std::hypot(re[k], im[k]);
        return relative * total;
    }
};

Signal signal_at(Draws& draws, std::size_t size) {
    Signal signal;
    for (std::size_t k = 0; k < size; ++k) {
        signal.re.push_back(draws.normal());
        signal.im.push_back(draws.normal());
    }
    return signal;
}

/// cos(2 pi x), from the first quarter of a turn.
Interval cosine(double x) {
    const double y = std::fabs(x - std::round(x));  // exact, at most 1/2
    const Interval turn = Interval::pi(working) * 2.0;
    return y <= 0.25 ? cos(turn * y) : -cos(turn * (0.5 - y));
}

/// e^{2 pi i j / n} for all j.
std::vector<Complex> roots_of_unity(std::size_t size) {
    std::vector<Complex> roots;
    for (std::size_t j = 0; j < size; ++j) {
        const double part = static_cast<double>(j) / static_cast<double>(size);  // exact
        roots.push_back({cosine(part), cosine(part - 0.25)});
    }
    return roots;
}

/// The position reversed in its bits.
std::size_t reversed(std::size_t position, std::size_t size) {
    std::size_t result = 0;
    for (std::size_t bit = 1; bit < size; bit *= 2)
        result = 2 * result + ((position & bit) != 0 ? 1 : 0);
    return result;
}

/// sum_k x_{place(k)} e^{sign 2 pi i f k / n}.
template <class Place>
Complex definition(const Signal& x, const std::vector<Complex>& roots, std::size_t f, double sign,
                   Place place) {
    Complex sum{Interval(0.0, working), Interval(0.0, working)};
    for (std::size_t k = 0; k < x.re.size(); ++k) {
        const Complex& root = roots[f * k % x.re.size()];
        const std::size_t at = place(k);
        sum.re += root.re * x.re[at] - root.im * (sign * x.im[at]);
        sum.im += root.re * x.im[at] + root.im * (sign * x.re[at]);
    }
    return sum;
}

Interval distance(const Complex& exact, double re, double im) {
    return sqrt(square(exact.re - re) + square(exact.im - im));
}

/// The largest error of a few numbers of both transforms, over the error admitted.
Interval largest_error(const Point& p) {
    const std::size_t size = std::size_t{1} << static_cast<unsigned>(p.integer("log_size"));
    Draws draws(static_cast<std::uint64_t>(p.integer("seed")), "transform", size);
    const Signal x = signal_at(draws, size);
    const std::vector<Complex> roots = roots_of_unity(size);
    const Fft fft(size);
    Signal there = x;
    fft.forward(there.re, there.im);
    Signal back = x;
    fft.backward(back.re, back.im);
    Interval worst(0.0, working);
    for (int i = 0; i < frequencies; ++i) {
        const std::size_t f = draws.below(size);
        const std::size_t at = reversed(f, size);
        const Complex forward = definition(x, roots, f, -1.0, [](std::size_t k) { return k; });
        worst = max(worst, distance(forward, there.re[at], there.im[at]));
        const Complex backward =
            definition(x, roots, f, 1.0, [size](std::size_t k) { return reversed(k, size); });
        worst = max(worst, distance(backward, back.re[f], back.im[f]));
    }
    return worst / x.admitted(fft.relative_error());
}

}  // namespace

std::vector<Check> transform_rows() {
    Check row =
        library_row("numeric.fft.encloses_definition",
                    "both transforms err by at most relative_error() sum |x|", Relation::at_least,
                    {{{"log_size", Scale::linear, 2, 12, true, {2, 3, 4, 11, 12}},
                      {"seed", Scale::linear, 0, 1e9, true, {0}}},
                     {}},
                    8, 120);
    row.oracle = "MPFR: its definition, the distance over the error admitted";
    row.evaluate = [](const Point&) { return exactly(1.0); };
    row.truth = [](const Point& p, long) { return largest_error(p); };
    return {row};
}

}  // namespace assay::verify
