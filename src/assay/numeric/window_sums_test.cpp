#include "assay/numeric/window_sums.hpp"

#include <algorithm>
#include <vector>

#include "test_support/test_support.hpp"

using namespace assay;

// Whole numbers add exactly, so that a value left out or counted twice shows.
TEST_CASE("windows of every width are sums of disjoint parts", "[window_sums]") {
    constexpr std::int64_t longest = 21;
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) values.push_back((37 * i * i) % 1009 + 1);
    WindowSums sums;
    for (int round = 0; round < 2; ++round) {  // room is reused
        const std::span<double> room = sums.prepare(values.size(), longest);
        REQUIRE(room.size() == values.size());
        std::copy(values.begin(), values.end(), room.begin());
        sums.add_up();
        for (std::int64_t width = 1; width <= longest; ++width)
            for (std::int64_t first = 0; first < 4; ++first)
                for (std::size_t i = 30; i < values.size(); ++i) {
                    double found = 0.0;
                    std::int64_t passes = 0;
                    for_each_pass(first, width, [&](const WindowParts& parts) {
                        ++passes;
                        for (std::size_t k = 0; k < parts.count; ++k)
                            found += sums.ending_at(
                                parts.part[k]
                                    .level)[static_cast<std::int64_t>(i) - parts.part[k].distance];
                    });
                    double truth = 0.0;
                    for (std::int64_t d = first; d < first + width; ++d)
                        truth += values[i - static_cast<std::size_t>(d)];
                    REQUIRE(found == truth);
                    REQUIRE(passes <= passes_of(width));
                }
    }
}

TEST_CASE("windows that reach before the first value count zeros there", "[window_sums]") {
    WindowSums sums;
    const std::span<double> room = sums.prepare(3, 8);
    for (std::size_t i = 0; i < room.size(); ++i) room[i] = 1.0;
    sums.add_up();
    for (int level = 0; level < 4; ++level)
        for (int i = 0; i < 3; ++i)
            CHECK(sums.ending_at(level)[i] == std::min(double(1 << level), i + 1.0));
}
