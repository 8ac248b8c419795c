#include "verify/checks/langevin_fixture.hpp"

#include <algorithm>
#include <cmath>

namespace assay::verify {

Space langevin_space() {
    return {{{"K", Scale::linear, 3.0, 3.0, true, {3.0}},
             {"n", Scale::linear, 12.0, 12.0, true, {12.0}},
             {"eps", Scale::linear, 1.0, 4.0, false, {2.0}},
             {"kappa", Scale::linear, 0.5, 0.9, false, {0.8}},
             seed_dimension()},
            {}};
}

LocalAnswers langevin_answers(const Point& point) {
    LocalAnswers answers = answers_at(point);
    // Uneven answers: the last category outside most sets, and often given.
    for (std::size_t t = 0; t < answers.responses.size(); ++t) {
        answers.subsets[t] = t % 3 == 0 ? std::vector<int>{} : std::vector<int>{0};
        if (t % 2 == 0) answers.responses[t] = 2;
    }
    return answers;
}

double langevin_distance(const TraceMoments& found, const Point& point) {
    const LocalMoments exact = local_moments(langevin_answers(point),
                                             {langevin_shapes.begin(), langevin_shapes.end()}, 64);
    double distance = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double deviation = std::sqrt(exact.variance[i].upper_double());
        distance = std::max(
            {distance, std::abs(found.mean(i) - exact.mean[i].upper_double()) / deviation / 0.15,
             std::abs(std::log(found.deviation(i) / deviation)) / 0.12});
    }
    return distance;
}

}  // namespace assay::verify
