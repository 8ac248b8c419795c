#include "assay/privacy/assumptions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace assay;

namespace {

long lines_with(const Release& release, const std::string& part) {
    const std::vector<std::string> lines = assumptions(release);
    return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(part) != std::string::npos;
    });
}

}  // namespace

TEST_CASE("every sampler and the adjacency are explained once", "[release]") {
    const Release release{Adjacency::zero_out,
                          {{SampledGaussian{1.5, 0.1}, 7},
                           {Shuffled{0.5, 20}, 2},
                           {SampledGaussian{1.0, 0.2}, 3},
                           {DeterministicBatches{1.0, 4}, 1}}};
    for (const char* part : {"sensitivity", "adjacency zero-out", "sampling poisson",
                             "sampling shuffle", "sampling deterministic", "composition"})
        CHECK(lines_with(release, part) == 1);
    CHECK(lines_with(release, "balls-and-bins") == 0);
}
