#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <deque>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "assay/cli/program.hpp"
#include "assay/monte_carlo/ranks.hpp"

// The program assay-mpi: the one place that knows MPI.

namespace {

/// The processes of MPI_COMM_WORLD.
class MpiRanks final : public assay::Ranks {
public:
    MpiRanks() {
        MPI_Comm_rank(MPI_COMM_WORLD, &index_);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
    }
    ~MpiRanks() override {
        // The analyser does not follow requests from one function into another.
        for (Parcel& parcel : sent_)
            MPI_Wait(&parcel.request, MPI_STATUS_IGNORE);  // NOLINT(clang-analyzer-optin.mpi*)
    }

    [[nodiscard]] std::uint64_t index() const override {
        return static_cast<std::uint64_t>(index_);
    }
    [[nodiscard]] std::uint64_t count() const override {
        return static_cast<std::uint64_t>(count_);
    }
    void share(std::vector<std::uint64_t>& values) override {
        std::uint64_t size = values.size();
        MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        values.resize(size);
        MPI_Bcast(values.data(), static_cast<int>(size), MPI_UINT64_T, 0, MPI_COMM_WORLD);
    }
    // NOLINTBEGIN(clang-analyzer-optin.mpi*)
    void send(Message message) override {
        int arrived = 1;
        while (!sent_.empty() && arrived != 0) {
            MPI_Test(&sent_.front().request, &arrived, MPI_STATUS_IGNORE);
            if (arrived != 0) sent_.pop_front();
        }
        Parcel& parcel = sent_.emplace_back(Parcel{std::move(message), MPI_REQUEST_NULL});
        MPI_Isend(parcel.message.data(), static_cast<int>(parcel.message.size()), MPI_DOUBLE, 0, 0,
                  MPI_COMM_WORLD, &parcel.request);
    }
    // NOLINTEND(clang-analyzer-optin.mpi*)
    [[nodiscard]] std::optional<Message> receive() override {
        if (count_ == 1) return std::nullopt;
        int arrived = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &arrived, &status);
        if (arrived == 0) return std::nullopt;
        int size = 0;
        MPI_Get_count(&status, MPI_DOUBLE, &size);
        Message message(static_cast<std::size_t>(size));
        MPI_Recv(message.data(), size, MPI_DOUBLE, status.MPI_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        return message;
    }
    void abort(std::string_view reason) override {
        if (count_ == 1) return;
        fmt::print(stderr, "assay: rank {} of {}: {}\n", index_, count_, reason);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }

private:
    struct Parcel {
        Message message;
        MPI_Request request;
    };

    int index_ = 0;
    int count_ = 1;
    std::deque<Parcel> sent_;  // what may still be on its way, in order
};

/// The largest exit code of all ranks. A rank that failed alone, while others wait for its part of
/// a run, would wait for ever: it ends them all instead, with its reason.
int agreed_exit_code(int own, MPI_Comm at_the_end, const std::string& reason) {
    int worst = own;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&own, &worst, 1, MPI_INT, MPI_MAX, at_the_end, &request);
    if (own == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return worst;
    }
    constexpr double patience = 5.0;
    int is_agreed = 0;
    for (const double begin = MPI_Wtime(); is_agreed == 0;) {
        MPI_Test(&request, &is_agreed, MPI_STATUS_IGNORE);
        if (is_agreed == 0 && MPI_Wtime() - begin > patience) {
            std::cerr << reason << std::flush;
            MPI_Abort(MPI_COMM_WORLD, own);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return worst;  // NOLINT(clang-analyzer-optin.mpi*): MPI_Test has ended the request
}

/// Every rank runs the same command; rank 0 alone is heard.
int run_on_rank(int argc, char** argv) {
    MPI_Comm at_the_end = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &at_the_end);
    MpiRanks ranks;
    std::ostringstream unheard_out;
    std::ostringstream unheard_err;
    const bool is_heard = ranks.index() == 0;
    std::ostream& out = is_heard ? std::cout : unheard_out;
    std::ostream& err = is_heard ? std::cerr : unheard_err;
    const int own = assay::cli::run_program(argc, argv, {std::cin, out, err}, ranks);
    const int worst = agreed_exit_code(own, at_the_end, unheard_err.str());
    MPI_Comm_free(&at_the_end);
    return worst;
}

}  // namespace

int main(int argc, char** argv) {
    // The calls come from whichever thread is free, one at a time.
    int threading = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threading);
    if (threading < MPI_THREAD_SERIALIZED) {
        std::cerr << "assay: this MPI does not admit calls from several threads" << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int exit_code = run_on_rank(argc, argv);
    MPI_Finalize();
    return exit_code;
}
