#include "assay/files/progress_line.hpp"

#include <atomic>
#include <limits>
#include <thread>

#include "test_support/test_support.hpp"

using namespace assay;
using namespace std::chrono_literals;

TEST_CASE("progress tells the share, the rate and the time left", "[progress]") {
    CHECK(progress_text({432.0, 1000.0}, "samples", 4.32) ==
          "43.2 % of 1000 samples, 100 samples/s, 6 s left");
    CHECK(progress_text({1.0, 4.0}, "answers", 0.5) ==
          "25.0 % of 4 answers, 2 answers/s, 2 s left");
    CHECK(progress_text({6.0, 10.0, 5.0}, "blocks", 2.0) ==
          "60.0 % of 10 blocks, 0.5 blocks/s, 8 s left");
    const auto left = [](double seconds) {  // for as much as was done in them
        const std::string text = progress_text({1.0, 2.0}, "steps", seconds);
        return text.substr(text.rfind(", ") + 2);
    };
    CHECK(left(725.0) == "12 min 5 s left");
    CHECK(left(3599.5) == "1 h 0 min left");
    CHECK(left(100000.0) == "1 d 3 h left");
    CHECK(left(0.0) == "unknown time left");
    CHECK(progress_text({0.0, 1.0}, "steps", 1.0).ends_with("unknown time left"));
    CHECK(progress_text({1.0, 1.0}, "steps", 1.0).ends_with(", 0 s left"));
    CHECK(progress_text({}, "steps", 1.0).starts_with("100.0 %"));
}

TEST_CASE("a terminal's line is rewritten and ended, elsewhere there is a line a minute",
          "[progress]") {
    const ProgressLine::Clock::time_point begin{};
    for (const bool is_terminal : {true, false}) {
        std::ostringstream out;
        {
            ProgressLine line(out, is_terminal, "remove: ", begin);
            line.show({10.0, 1000.0}, "samples", begin + 900ms);
            CHECK(out.str().empty());
            line.show({500.0, 1000.0}, "samples", begin + 1000s);
            line.show({600.0, 1000.0}, "samples", begin + 1000s + 100ms);
            line.show({1000.0, 1000.0}, "samples", begin + 1000s + 150ms);
        }
        const std::string first = "remove: 50.0 % of 1000 samples, 0.5 samples/s, 16 min 40 s left";
        const std::string last = "remove: 100.0 % of 1000 samples, 1 samples/s, 0 s left";
        CHECK(out.str() == (is_terminal ? "\r" + first + "\r" + last +
                                              std::string(first.size() - last.size(), ' ') + "\n"
                                        : first + "\n"));
    }
}

TEST_CASE("a text of the caller's is made when it is time, and cleared", "[progress]") {
    const ProgressLine::Clock::time_point begin{};
    std::ostringstream out;
    int asked = 0;
    const auto text = [&] { return "step " + std::to_string(++asked); };
    {
        ProgressLine line(out, true, {}, begin);
        line.clear();
        for (int i = 0; i < 10; ++i) line.show(text, begin + i * 150ms);
        CHECK(asked == 2);
        line.clear();
    }
    CHECK(out.str() == "\rstep 1\rstep 2\r      \r");
}

TEST_CASE("short work shows no progress, whichever threads do it", "[progress]") {
    std::ostringstream out;
    {
        ProgressLine line(out);
        std::atomic<int> done = 0;
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int j = 0; j < 1000; ++j)
                    line.show({static_cast<double>(++done), 4000.0}, "answers");
            });
    }
    CHECK(out.str().empty());
}
