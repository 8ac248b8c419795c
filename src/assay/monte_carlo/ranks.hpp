#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

/// The processes that share a run. The library knows one process; the program assay-mpi brings
/// those of MPI, so that nothing else depends on it. Calls are made one at a time, from any thread.
class Ranks {
public:
    using Message = std::vector<double>;

    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks() = default;

    [[nodiscard]] virtual std::uint64_t index() const = 0;
    [[nodiscard]] virtual std::uint64_t count() const = 0;

    /// Gives every rank the values of rank 0.
    virtual void share(std::vector<std::uint64_t>& values) = 0;
    /// Sends to rank 0 without waiting for it; messages of one rank arrive in order.
    virtual void send(Message message) = 0;
    /// On rank 0: a message that has arrived, from whichever rank.
    [[nodiscard]] virtual std::optional<Message> receive() = 0;
    /// Ends all ranks after an error of this one; returns only where there is no other rank.
    virtual void abort(std::string_view reason) = 0;
};

/// This process alone: shares with nobody, receives nothing.
class SingleRank final : public Ranks {
public:
    [[nodiscard]] std::uint64_t index() const override { return 0; }
    [[nodiscard]] std::uint64_t count() const override { return 1; }
    void share(std::vector<std::uint64_t>&) override {}
    void send(Message) override {}
    [[nodiscard]] std::optional<Message> receive() override { return std::nullopt; }
    void abort(std::string_view) override {}
};

}  // namespace assay
