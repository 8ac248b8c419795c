#include "assay/cli/monte_carlo_interruption.hpp"

#include "test_support/test_support.hpp"

using assay::cli::Interruption;

TEST_CASE("the first interruption is noted and the handlers are put back", "[cli]") {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        {
            const Interruption interruption;
            CHECK_FALSE(interruption.requested());
            std::raise(signal);
            CHECK(interruption.requested());
            struct sigaction now {};
            sigaction(signal, nullptr, &now);
            CHECK(now.sa_handler == SIG_DFL);  // a second one ends the program
        }
        struct sigaction after {};
        sigaction(signal, nullptr, &after);
        CHECK(after.sa_handler == before.sa_handler);
        CHECK_FALSE(Interruption().requested());
    }
    std::signal(SIGHUP, SIG_IGN);
    {
        const Interruption under_nohup;
        std::raise(SIGHUP);
        CHECK_FALSE(under_nohup.requested());
    }
    std::signal(SIGHUP, SIG_DFL);
}
