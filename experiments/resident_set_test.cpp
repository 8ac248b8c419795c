#include "experiments/resident_set.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace assay::experiments;

TEST_CASE("the peak of the resident set sees memory that was used and freed", "[experiments]") {
#if defined(__SANITIZE_ADDRESS__)
    WARN("skipped: AddressSanitizer holds what was freed");
    return;
#endif
    reset_peak_resident_set();
    const auto before = peak_resident_set();
    if (!before) {
        WARN("skipped: this system does not tell the resident set");
        return;
    }
    constexpr std::int64_t size = 64 << 20;
    {
        const std::vector<char> used(static_cast<std::size_t>(size), 'x');
        // A compiler may leave out memory that nobody looks at; clang does.
        const char* volatile seen = used.data();
        CHECK(seen[size - 1] == 'x');
    }
    const auto with = peak_resident_set();
    CHECK(*with > *before + size * 9 / 10);
    reset_peak_resident_set();
    if (*peak_resident_set() == *with)
        WARN("skipped: the peak cannot be reset here");
    else
        CHECK(*peak_resident_set() < *with - size / 2);
}
