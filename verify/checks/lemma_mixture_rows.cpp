#include <cmath>
#include <vector>

#include "verify/checks/attack_parts.hpp"
#include "verify/checks/routes.hpp"
#include "verify/checks/spaces.hpp"
#include "verify/oracles/lemma_cells.hpp"

namespace assay::verify {

namespace {

/// Both parts of V(x+iy), theta = cy in [0, pi], relative to N(0,1) at x.
struct Complex {
    Interval real;
    Interval imaginary;
};

/// |V(x+iy)|^2 / V(x)^2 over cos(cy/2)^{2B}, or over 1.
Interval modulus_ratio(const Point& p, long bits, bool over_cosine) {
    const long working = bits + 128;
    const long count = p.integer("B");
    const Interval hit(p["p"], working);
    const Interval c(p["c"], working);
    const Interval theta(p["theta"], working);
    const Interval cosine = cos(theta);
    const Interval sine = sqrt(1.0 - square(cosine));
    Complex turn{Interval(1.0, working), Interval(0.0, working)};  // e^{i n theta}
    Complex sum{Interval(0.0, working), Interval(0.0, working)};
    Interval plain(0.0, working);
    Interval weight = power(1.0 - hit, count);
    for (long n = 0; n <= count; ++n) {
        const double k = static_cast<double>(n);
        const Interval term = weight * exp(c * k * p["x"] - square(c * k) / 2.0);
        sum.real += term * turn.real;
        sum.imaginary += term * turn.imaginary;
        plain += term;
        turn = {turn.real * cosine - turn.imaginary * sine,
                turn.real * sine + turn.imaginary * cosine};
        weight = weight * static_cast<double>(count - n) / static_cast<double>(n + 1) * hit /
                 (1.0 - hit);
    }
    const Interval modulus = (square(sum.real) + square(sum.imaginary)) / square(plain);
    return over_cosine ? modulus / power(cos(theta / 2.0), 2 * count) : modulus;
}

Space strip() {
    return {{{"B", Scale::linear, 1, 25, true, {1, 2, 3, 25}},
             linear_dimension("p", 1e-3, 0.999, {0.001, 0.5, 0.999}),
             positive_dimension("c", 0.05, 3.0, {0.05, 1.0, 3.0}),
             linear_dimension("theta", 1e-3, 3.0, {0.001, 0.5, 1.5, 3.0}),
             linear_dimension("x", -3.0, 60.0, {0.0, 1.0, 10.0})},
            {}};
}

Check strip_row(std::string id, std::string claim, Relation relation, bool over_cosine) {
    Check row = lemma_row(
        std::move(id), std::move(claim), "the number 1", "direct sum: the squared ratio", relation,
        strip(), 80, 800, [](const Point&) { return exactly(1.0); },
        [=](const Point& p, long bits) { return modulus_ratio(p, bits, over_cosine); });
    row.searched = true;
    return row;
}

/// M_k by the recurrence of docs/proofs.md, B.
Interval by_recurrence(double sigma, long k, long bits) {
    const Interval t = expm1(4.0 / square(Interval(sigma, bits)));
    const Interval u = t + 1.0;
    std::vector<Interval> m{Interval(1.0, bits), Interval(0.0, bits)};
    for (long order = 2; order <= k; ++order) {
        Interval sum = (power(u, order - 1) - 1.0) * m.back();
        Interval binomial(1.0, bits);
        for (long j = 0; j <= order - 2; ++j) {
            sum +=
                binomial * power(u, j) * power(t, order - 1 - j) * m[static_cast<std::size_t>(j)];
            binomial = binomial * static_cast<double>(order - 1 - j) / static_cast<double>(j + 1);
        }
        m.push_back(sum);
    }
    return m[static_cast<std::size_t>(k)];
}

/// M_k = sum_j (-1)^{k-j} C(k,j) e^{2j(j-1)/sigma^2} (birrell2024 (44)).
Interval by_alternating_sum(double sigma, long k, long bits) {
    const Interval rate = 2.0 / square(Interval(sigma, bits));
    Interval sum(0.0, bits);
    Interval binomial(1.0, bits);
    for (long j = 0; j <= k; ++j) {
        const double pairs = static_cast<double>(j * (j - 1));
        const Interval term = binomial * exp(rate * pairs);
        if ((k - j) % 2 == 0)
            sum += term;
        else
            sum -= term;
        binomial = binomial * static_cast<double>(k - j) / static_cast<double>(j + 1);
    }
    return sum;
}

Check recurrence_row() {
    // Moments down to (2/sigma)^k: the sum loses k log2(sigma) bits.
    constexpr long loss = 1024;
    return lemma_row(
        "attack.lemma.moment_recurrence",
        "the recurrence without cancellation gives M_k (docs/proofs.md, B)", "recurrence",
        "alternating sum (44)", Relation::encloses,
        {{noise_dimension("sigma", 0.3, 1000.0), {"k", Scale::linear, 2, 40, true, {2, 3, 4, 40}}},
         {}},
        60, 800,
        [](const Point& p) {
            const Interval m = by_recurrence(p["sigma"], p.integer("k"), 160);
            return Enclosure{m.lower_double(), m.upper_double()};
        },
        [](const Point& p, long bits) {
            return by_alternating_sum(p["sigma"], p.integer("k"), bits + loss);
        });
}

/// C.4: K = E[(1 + q (X_u - X_v))_+^alpha] <= H for alpha >= 2.
Check second_proof_row() {
    std::vector<Dimension> first = attack_dimensions(16.0);
    first.front() = order_dimension(2.0, 16.0);
    return attack_row(
        "attack.lemma.second_proof", "K <= H for alpha >= 2 (docs/proofs.md, C.4)",
        "library: exact.fixed_size_without_replacement", "Jensen's inequality on cells",
        space_of(first, plane_points(), affordable), 40, 800,
        library_subject("exact.fixed_size_without_replacement"), [](const Point& p, long bits) {
            const Shifts s = fixed_size_in_plane(p);
            const lemma::real k =
                lemma::mixture_power_lower(p["alpha"], p["q"], s.u1, s.u2, s.v1, s.v2);
            const lemma::real divergence =
                std::log(k) / (static_cast<lemma::real>(p["alpha"]) - 1) - 1e-15L;
            return Interval(std::fmax(0.0, static_cast<double>(divergence)), bits);
        });
}

}  // namespace

std::vector<Check> mixture_lemmas() {
    return {
        strip_row("attack.lemma.mixture_above_cosine",
                  "|V(x+iy)| >= cos(cy/2)^B V(x): V has no zero in the strip (docs/proofs.md, H)",
                  Relation::at_most, true),
        strip_row("attack.lemma.mixture_below_real", "|V(x+iy)| <= V(x) (docs/proofs.md, H)",
                  Relation::at_least, false),
        recurrence_row(),
        second_proof_row(),
    };
}

}  // namespace assay::verify
