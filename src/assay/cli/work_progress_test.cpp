#include "assay/cli/work_progress.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <thread>
#include <vector>

using namespace assay::cli;

TEST_CASE("short work shows no progress, whichever threads do it", "[cli]") {
    std::ostringstream err;
    {
        WorkProgress progress(err, 4000, "answers");
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int j = 0; j < 1000; ++j) progress.add(1);
            });
    }
    CHECK(err.str().empty());
}
