#include "verify/search.hpp"

#include <cmath>

namespace assay::verify {

namespace {

constexpr double first_step = 0.2;  // of a coordinate's range
constexpr double last_step = 0.002;

Point neighbour(const Space& space, const Point& point, double step, Draws& draws) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        Point next = point;
        for (const Dimension& dimension : space.dimensions)
            if (draws.uniform() < 0.6)
                next.set(dimension.name, perturbed(dimension, point[dimension.name], step, draws));
        if (!space.admits || space.admits(next)) return next;
    }
    return point;
}

bool nearer(const Trial& a, const Trial& b) {
    return a.verdict != Verdict::undecided && a.margin < b.margin;
}

}  // namespace

std::vector<Trial> walk(const Check& check, std::uint64_t seed, std::size_t index,
                        std::size_t trials) {
    const std::string name = check.id + "/walk";
    Draws draws(seed, name + "/steps", index);
    const std::size_t draws_first = trials / 3 + 1;
    std::vector<Trial> found;
    std::size_t best = 0;
    for (std::size_t i = 0; i < trials; ++i) {
        const double along = static_cast<double>(i) / static_cast<double>(trials);
        const Point point =
            i < draws_first
                ? draw(check.space, seed, name, index * draws_first + i)
                : neighbour(check.space, found[best].point,
                            first_step * std::pow(last_step / first_step, along), draws);
        found.push_back(judge(check, point));
        if (found.back().verdict == Verdict::violated) break;
        if (nearer(found.back(), found[best])) best = found.size() - 1;
    }
    return found;
}

}  // namespace assay::verify
