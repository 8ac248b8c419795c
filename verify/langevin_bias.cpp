#include "verify/langevin_bias.hpp"

#include <cmath>

#include "verify/space.hpp"

namespace assay::verify {

namespace {

constexpr std::size_t categories = 3;
constexpr double answers = 1500.0;
constexpr int subsample = 50;
constexpr double gamma_step = 0.5 / answers;
constexpr int chains = 16;
constexpr int steps = 60'000;
constexpr int burned = 10'000;
constexpr int cells = 600;

using Vector = ThreeNumbers;
static_assert(std::tuple_size_v<Vector> == categories);

constexpr Vector truth{1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0};

/// Standard randomised response.
struct Response {
    double honest;
    double other;

    explicit Response(double epsilon)
        : honest(std::exp(epsilon) / (std::exp(epsilon) + 2.0)),
          other(1.0 / (std::exp(epsilon) + 2.0)) {}

    [[nodiscard]] double marginal(double theta) const { return other + (honest - other) * theta; }
};

struct Moments {
    double weight = 0.0;
    Vector sum{};
    Vector squares{};

    void add(const Vector& theta, double w) {
        weight += w;
        for (std::size_t i = 0; i < categories; ++i) {
            sum[i] += w * theta[i];
            squares[i] += w * theta[i] * theta[i];
        }
    }
    [[nodiscard]] double deviation(std::size_t i) const {
        const double mean = sum[i] / weight;
        return std::sqrt(squares[i] / weight - mean * mean);
    }
};

double log_likelihood(const Response& response, const Vector& counts, const Vector& theta) {
    double value = 0.0;
    for (std::size_t y = 0; y < categories; ++y)
        value += counts[y] * std::log(response.marginal(theta[y]));
    return value;
}

Moments exact_moments(const Response& response, const Vector& counts) {
    const double top = log_likelihood(response, counts, truth);
    Moments moments;
    for (int a = 0; a < cells; ++a)
        for (int b = 0; a + b < cells; ++b) {
            // Middles of the triangles' grid.
            const double first = (a + 1.0 / 3.0) / cells;
            const double second = (b + 1.0 / 3.0) / cells;
            const Vector theta{first, second, 1.0 - first - second};
            moments.add(theta, std::exp(log_likelihood(response, counts, theta) - top));
        }
    return moments;
}

/// phi after one more step; theta follows.
void advance(const Response& response, const Vector& counts, Draws& draws, Vector& phi,
             Vector& theta) {
    Vector ratio{};  // sum over the subsample of 1/h_y, by y
    double common = 0.0;
    for (int j = 0; j < subsample; ++j) {
        const double u = answers * draws.uniform();
        const std::size_t y = u < counts[0] ? 0 : u < counts[0] + counts[1] ? 1 : 2;
        const double inverse = 1.0 / response.marginal(theta[y]);
        ratio[y] += (response.honest - response.other) * inverse;
        common += response.other * inverse;
    }
    const double sum = phi[0] + phi[1] + phi[2];
    double next = 0.0;
    for (std::size_t i = 0; i < categories; ++i) {
        const double gradient = answers / subsample * (ratio[i] + common - subsample) / sum - 1.0;
        phi[i] =
            std::abs(phi[i] + gamma_step / 2.0 * gradient + std::sqrt(gamma_step) * draws.normal());
        next += phi[i];
    }
    for (std::size_t i = 0; i < categories; ++i) theta[i] = phi[i] / next;
}

}  // namespace

KnownPosterior known_posterior(double epsilon) {
    const Response response(epsilon);
    Vector counts{};
    for (std::size_t y = 0; y < 2; ++y)
        counts[y] = std::round(answers * response.marginal(truth[y]));
    counts[2] = answers - counts[0] - counts[1];
    const Moments exact = exact_moments(response, counts);
    KnownPosterior posterior{counts, {}, {}};
    for (std::size_t i = 0; i < categories; ++i) {
        posterior.mean[i] = exact.sum[i] / exact.weight;
        posterior.deviation[i] = exact.deviation(i);
    }
    return posterior;
}

LangevinBias langevin_bias(double epsilon) {
    const Response response(epsilon);
    const KnownPosterior exact = known_posterior(epsilon);
    Moments sampled;
    LangevinBias bias{};
    for (std::uint64_t chain = 0; chain < chains; ++chain) {
        Draws draws(34, "langevin", chain);
        Vector theta = truth;
        Vector phi{3.0 * truth[0], 3.0 * truth[1], 3.0 * truth[2]};
        for (int step = 0; step < steps; ++step) {
            advance(response, exact.counts, draws, phi, theta);
            if (step < burned) continue;
            sampled.add(theta, 1.0);
            bias.mean_sum += phi[0] + phi[1] + phi[2];
        }
    }
    bias.mean_sum /= sampled.weight;
    for (std::size_t i = 0; i < categories; ++i)
        bias.ratio[i] = sampled.deviation(i) / exact.deviation[i];
    return bias;
}

}  // namespace assay::verify
