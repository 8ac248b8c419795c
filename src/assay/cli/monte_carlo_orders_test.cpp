#include "assay/cli/monte_carlo_orders.hpp"

#include "test_support/test_support.hpp"

using namespace assay::cli;
using assay::test_support::refused;
using Indices = std::vector<std::int64_t>;

TEST_CASE("index lists hold numbers and ranges, the last index where the steps meet it", "[cli]") {
    CHECK(read_index_list("7") == Indices{7});
    CHECK(read_index_list("1,2,5") == Indices{1, 2, 5});
    CHECK(read_index_list("1-3,10-30:10") == Indices{1, 2, 3, 10, 20, 30});
    CHECK(read_index_list("1-6:2") == Indices{1, 3, 5});
    CHECK(read_index_list("4-4") == Indices{4});
    CHECK(read_index_list("5,3") == Indices{5, 3});
    CHECK(read_index_list("1-500,510-1000:10,1100-19900:100").size() == 739);
    for (const char* text : {"",
                             ",",
                             "1,",
                             "0",
                             "-1",
                             "1-",
                             "1-0",
                             "1:2",
                             "1-5:0",
                             "1-5:-1",
                             "1-5:",
                             "1.5",
                             "1 ",
                             "a",
                             "1--3",
                             "1-2-3",
                             "1-1000001",
                             "1-600000,1-600000",
                             "1000000000001",
                             "99999999999999999999",
                             "nan",
                             "1e3"}) {
        CAPTURE(text);
        CHECK(refused([text] { return read_index_list(text); }) == "orders");
    }
}

TEST_CASE("index lists are written short, and read back", "[cli]") {
    CHECK(index_list_text(read_index_list("1-500,510-1000:10,1100-19900:100")) ==
          "1-500,510-1000:10,1100-19900:100");
    CHECK(index_list_text(Indices{1, 2, 3, 4, 7}) == "1-4,7");
    CHECK(index_list_text(Indices{1, 2, 9, 9, 8}) == "1,2,9,9,8");
    CHECK(index_list_text(Indices{}).empty());
    assay::test_support::Random random(20250604);
    CAPTURE(random.seed());
    for (int trial = 0; trial < 200; ++trial) {
        Indices indices{1};
        const int count = random.integer(0, 40);
        for (int i = 0; i < count; ++i) indices.push_back(indices.back() + random.integer(1, 3));
        CHECK(read_index_list(index_list_text(indices)) == indices);
    }
}
