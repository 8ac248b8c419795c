#include "assay/batch_sampling/batch_sampling.hpp"

#include "test_support/test_support.hpp"

using namespace assay;
using test_support::refused;

TEST_CASE("sampling schemes have names", "[batch]") {
    using enum SamplingScheme;
    for (const SamplingScheme scheme :
         {deterministic, shuffle, poisson, fixed_size_without_replacement,
          fixed_size_with_replacement, balls_and_bins})
        CHECK(sampling_scheme_from_string(to_string(scheme)) == scheme);
    CHECK(to_string(balls_and_bins) == "balls-and-bins");
    CHECK(to_string(fixed_size_with_replacement) == "fixed-size-with-replacement");
    CHECK(refused([] { return sampling_scheme_from_string("poison"); }) == "sampling");
    CHECK(refused([] { return sampling_scheme_from_string(""); }) == "sampling");
}

TEST_CASE("an epoch has the batches that hold the data once", "[batch]") {
    const auto steps = [](std::int64_t n, std::int64_t b) {
        return batches_per_epoch(
            {.scheme = SamplingScheme::shuffle, .dataset_size = n, .batch_size = b});
    };
    CHECK(steps(37'000'000, 1024) == 36'133);  // chua2025 Appendix C
    CHECK(steps(37'000'000, 8192) == 4517);
    CHECK(steps(12'796'151, 1024) == 12'497);
    CHECK(steps(12'796'151, 8192) == 1563);
    CHECK(steps(100, 50) == 2);
    CHECK(steps(1, 1) == 1);
}

TEST_CASE("sizes that fit no sampler are refused by name", "[batch]") {
    const auto check = [](std::int64_t n, std::int64_t b, std::optional<std::int64_t> most) {
        return refused([&] {
            validate({.scheme = SamplingScheme::poisson,
                      .dataset_size = n,
                      .batch_size = b,
                      .maximum_batch_size = most});
            return 0;
        });
    };
    CHECK(check(10, 10, 10) == "");
    CHECK(check(4'294'967'295, 1, std::nullopt) == "");
    CHECK(check(4'294'967'296, 1, std::nullopt) == "dataset-size");
    CHECK(check(0, 1, std::nullopt) == "dataset-size");
    CHECK(check(10, 11, std::nullopt) == "batch-size");
    CHECK(check(10, 0, std::nullopt) == "batch-size");
    CHECK(check(10, 5, 4) == "maximum-batch-size");
    CHECK(check(10, 5, std::int64_t{1} << 32U) == "maximum-batch-size");
}
