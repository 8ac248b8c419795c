#include "assay/files/progress_line.hpp"

#include <limits>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace std::chrono_literals;

TEST_CASE("progress tells the share, the rate and the time left", "[progress]") {
    CHECK(progress_text({432, 1000, 100.0, 5.68}, {512.0}) ==
          "43.2 % of 512000 samples, 5.12e+04 samples/s, 6 s left");
    CHECK(progress_text({1, 4, 2.0, 1.5}, {1.0, "answers"}) ==
          "25.0 % of 4 answers, 2 answers/s, 2 s left");
    const auto left = [](double seconds) {
        const std::string text = progress_text({1, 2, 1.0, seconds}, {});
        return text.substr(text.rfind(", ") + 2);
    };
    CHECK(left(0.0) == "0 s left");
    CHECK(left(725.0) == "12 min 5 s left");
    CHECK(left(3599.5) == "1 h 0 min left");
    CHECK(left(100000.0) == "1 d 3 h left");
    CHECK(left(std::numeric_limits<double>::infinity()) == "unknown time left");
    CHECK(progress_text({0, 0, 0.0, 0.0}, {}).starts_with("100.0 %"));
}

TEST_CASE("a terminal's line is rewritten and ended, elsewhere there is a line a minute",
          "[progress]") {
    const ProgressLine::Clock::time_point begin{};
    for (const bool is_terminal : {true, false}) {
        std::ostringstream out;
        {
            ProgressLine line(out, is_terminal, {10.0}, "remove: ", begin);
            line.show({1, 100, 1.0, 99.0}, begin + 100ms);
            CHECK(out.str().empty());
            line.show({50, 100, 1.0, 1234.0}, begin + 61s);
            line.show({60, 100, 1.0, 9.0}, begin + 61s + 100ms);
            line.show({100, 100, 1.0, 0.0}, begin + 62s);
        }
        const std::string first = "remove: 50.0 % of 1000 samples, 10 samples/s, 20 min 34 s left";
        const std::string last = "remove: 100.0 % of 1000 samples, 10 samples/s, 0 s left";
        CHECK(out.str() == (is_terminal ? "\r" + first + "\r" + last +
                                              std::string(first.size() - last.size(), ' ') + "\n"
                                        : first + "\n"));
    }
}
