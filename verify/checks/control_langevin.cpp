#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "verify/checks/control_parts.hpp"
#include "verify/checks/langevin_fixture.hpp"

namespace assay::verify {

namespace {

/// What may be wrong with Langevin dynamics.
struct DynamicsMistakes {
    bool no_root = false;       // gamma W for sqrt(gamma) W
    bool no_logarithm = false;  // in epsilon_2
    bool swapped = false;       // g(i | y) for g(y | i)
};

using Matrix = std::array<std::array<double, 3>, 3>;

double second_without_logarithm(int size, double epsilon, double budget_share) {
    const double saved = epsilon * (1.0 - budget_share);
    const double n = 3.0 - size;
    if (size == 0 || saved >= std::log(n)) return epsilon;
    return std::min(epsilon, (n - 1.0) / (n * std::exp(-saved) - 1.0));
}

/// g(y | x), or g(x | y).
Matrix table_of(const LocalAnswers& answers, const std::vector<int>& subset,
                const DynamicsMistakes& mistakes) {
    constexpr long bits = 64;
    const auto size = static_cast<int>(subset.size());
    const Interval second =
        mistakes.no_logarithm
            ? Interval(second_without_logarithm(size, answers.epsilon, answers.budget_share), bits)
            : second_epsilon(3, size, answers.epsilon, answers.budget_share, bits);
    const ResponseTable table = response_table(
        3, subset, first_epsilon(answers.epsilon, answers.budget_share, bits), second);
    Matrix g{};
    for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 3; ++x)
            (mistakes.swapped ? g[x][y] : g[y][x]) = table[y][x].upper_double();
    return g;
}

constexpr int updates = 300'000;

/// Langevin dynamics with all answers in every gradient.
TraceMoments dynamics(const Point& p, const DynamicsMistakes& mistakes) {
    const LocalAnswers answers = langevin_answers(p);
    std::vector<std::array<double, 3>> rows;  // of g at the answer, by x
    for (std::size_t t = 0; t < answers.responses.size(); ++t)
        rows.push_back(table_of(answers, answers.subsets[t],
                                mistakes)[static_cast<std::size_t>(answers.responses[t])]);
    const double root = std::sqrt(langevin_step);
    const double noise = mistakes.no_root ? langevin_step : root;
    Draws draws = draws_at(p, "dynamics");
    std::array<double, 3> phi{1.0, 1.0, 1.0};
    TraceMoments moments;
    for (int update = 0; update < langevin_burned + updates; ++update) {
        const double sum = phi[0] + phi[1] + phi[2];
        const std::array<double, 3> theta{phi[0] / sum, phi[1] / sum, phi[2] / sum};
        if (update >= langevin_burned) moments.add(theta);
        std::array<double, 3> slope{};
        for (const auto& row : rows) {
            const double h = row[0] * theta[0] + row[1] * theta[1] + row[2] * theta[2];
            for (std::size_t i = 0; i < 3; ++i) slope[i] += (row[i] / h - 1.0) / sum;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            slope[i] += (langevin_shapes[i] - 1.0) / std::max(phi[i], root) - 1.0;
            phi[i] = std::abs(phi[i] + langevin_step / 2.0 * slope[i] + noise * draws.normal());
        }
    }
    return moments;
}

Subject distance(const DynamicsMistakes& mistakes) {
    return
        [mistakes](const Point& p) { return exactly(langevin_distance(dynamics(p, mistakes), p)); };
}

Control dynamics_control(const char* what, const char* claim, const DynamicsMistakes& mistakes,
                         Subject mended = {}) {
    const Against limit{"1: the limit of posterior.langevin.small_steps",
                        [](const Point&, long bits) { return Interval(1.0, bits); },
                        Relation::at_most};
    return control(what, claim, limit, langevin_space(), distance(mistakes), std::move(mended));
}

}  // namespace

std::vector<Control> langevin_controls() {
    return {
        dynamics_control("langevin_draws_without_root",
                         "noise of gamma W for sqrt(gamma) W in SGLD, by what it draws",
                         {.no_root = true}),
        dynamics_control("langevin_draws_without_logarithm",
                         "SGLD with epsilon_2 without the logarithm, by what it draws",
                         {.no_logarithm = true}),
        dynamics_control("langevin_draws_with_swapped_indices",
                         "SGLD with g(i | y) for g(y | i), by what it draws", {.swapped = true})};
}

}  // namespace assay::verify
