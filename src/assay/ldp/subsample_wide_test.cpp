#include "assay/ldp/subsample_wide.hpp"

#include <bit>

#include "assay/ldp/subsample.hpp"
#include "assay/numeric/random_streams.hpp"
#include "test_support/test_support.hpp"

using namespace assay;
using namespace assay::test_support;

namespace {

CategorySubset random_subset(Random& random, const RestrictedResponse& mechanism) {
    std::vector<double> keys(static_cast<std::size_t>(mechanism.categories));
    for (double& key : keys) key = random.uniform(0.0, 1.0);
    CategorySubset subset(mechanism.categories);
    subset.rank_by(keys);
    subset.resize(random.integer(smallest_subset(mechanism), mechanism.categories - 1));
    return subset;
}

/// Answers to a few favourite sets, the empty one among them at times, and to any others.
void fill(ResponseHistory& history, Random& random, int count, int favourites) {
    std::vector<CategorySubset> often;
    often.reserve(static_cast<std::size_t>(favourites));
    for (int i = 0; i < favourites; ++i)
        often.push_back(i == 1 ? CategorySubset(history.categories())
                               : random_subset(random, history.mechanism()));
    for (int i = 0; i < count; ++i) {
        const int choice = random.integer(0, favourites + 1);
        history.add(choice < favourites ? often[static_cast<std::size_t>(choice)]
                                        : random_subset(random, history.mechanism()),
                    random.integer(0, random.integer(0, history.categories() - 1)));
    }
}

std::vector<double> random_phi(Random& random, int categories) {
    std::vector<double> phi(Subsample::padded(static_cast<std::size_t>(categories)));
    for (int i = 0; i < categories; ++i)
        phi[static_cast<std::size_t>(i)] =
            random.integer(0, 9) == 0 ? 0.0 : random.log_uniform(1e-6, 1e2);
    return phi;
}

/// Whether both give the same bits, two subsamples drawn at a time.
void compare(Subsample& vector, Subsample& plain, const ResponseHistory& history, Random& random,
             int answers) {
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(answers));
    const auto draw = [&] {
        const auto last = static_cast<int>(history.size()) - 1;
        for (std::uint32_t& index : indices)
            index = static_cast<std::uint32_t>(random.integer(0, last));
        vector.draw(indices);
        plain.draw(indices);
    };
    const auto check = [&] {
        const std::vector<double> phi = random_phi(random, history.categories());
        double sum = 0.0;
        for (const double value : phi) sum += value;
        const std::span<const double> one = vector.slopes(history, phi, sum);
        const std::span<const double> two = plain.slopes(history, phi, sum);
        for (std::size_t i = 0; i < static_cast<std::size_t>(history.categories()); ++i) {
            CAPTURE(i, one[i], two[i]);
            REQUIRE(std::bit_cast<std::uint64_t>(one[i]) == std::bit_cast<std::uint64_t>(two[i]));
        }
    };
    draw();
    for (int trial = 0; trial < 3; ++trial) {
        draw();
        check();
    }
    check();
}

}  // namespace

TEST_CASE("the vector kernels of a subsample give the bits of the plain ones", "[subsample]") {
    Random random(5211);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 60 * effort(); ++trial)
        for (const int categories :
             {2, 3, 4, 5, 7, 8, 10, 12, 13, 16, 17, 20, 21, 24, 25, 64, 70}) {
            const RestrictedResponse mechanism{.categories = categories,
                                               .epsilon = random.log_uniform(0.1, 8.0),
                                               .budget_share = random.uniform(0.1, 1.0),
                                               .variant = random.integer(0, 1) == 0
                                                              ? ResponseVariant::theorem
                                                              : ResponseVariant::as_released};
            const int answers =
                random.integer(0, 3) == 0 ? random.integer(1, 300) : random.integer(1, 60);
            CAPTURE(categories, mechanism.epsilon, mechanism.budget_share, answers);
            ResponseHistory history(mechanism);
            Subsample vector(mechanism, answers);
            Subsample plain(mechanism, answers, true);
            // Through growth by one answer and by many.
            for (int phase = 0; phase < 4; ++phase) {
                fill(history, random, phase == 1 ? 1 : random.integer(1, 150),
                     random.integer(0, 12));
                vector.follow(history);
                plain.follow(history);
                compare(vector, plain, history, random, answers);
            }
        }
}

TEST_CASE("the vector kernels take every answer as rare, or as frequent", "[subsample]") {
    Random random(5212);
    CAPTURE(random.seed());
    for (const int categories : {4, 10, 20, 24})
        for (const int answers : {1, 7, 8, 9, 16, 50, 254, 255, 256, 4096})
            for (const bool same : {false, true}) {
                const RestrictedResponse mechanism{
                    .categories = categories, .epsilon = 1.0, .budget_share = 0.8};
                CAPTURE(categories, answers, same);
                ResponseHistory history(mechanism);
                const CategorySubset subset = random_subset(random, mechanism);
                for (int i = 0; i < 500; ++i) {
                    const CategorySubset other = random_subset(random, mechanism);
                    history.add(same ? subset : other, (same ? subset : other).outsider(0));
                }
                Subsample vector(mechanism, answers);
                Subsample plain(mechanism, answers, true);
                vector.follow(history);
                plain.follow(history);
                compare(vector, plain, history, random, answers);
            }
}

TEST_CASE("frequent sets are bounded where a vector holds their counts", "[subsample]") {
    using detail::WideSubsample;
    CHECK(WideSubsample::most_frequent(2, 50) == 8);
    CHECK(WideSubsample::most_frequent(10, 255) == 5);
    CHECK(WideSubsample::most_frequent(24, 1) == 2);
    CHECK(WideSubsample::most_frequent(25, 1) > 1'000'000);
    CHECK(WideSubsample::most_frequent(10, 256) > 1'000'000);
    CHECK_FALSE(WideSubsample::admits(25, 1));
    CHECK_FALSE(WideSubsample::admits(10, 256));
}
