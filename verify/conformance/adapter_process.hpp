#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace assay::verify {

/// An adapter as a child process in a process group of its own, its three streams as pipes that
/// never block this one.
///   Threads    none of its own: the owner polls `input()`, `output()` and `errors()`
class AdapterProcess {
public:
    using Clock = std::chrono::steady_clock;

    /// Starts `command` in /bin/sh; `memory_mebibytes` of address space at most, 0 without a limit.
    ///   Throws     Error where no process or pipe can be had
    AdapterProcess(const std::string& command, std::uint64_t memory_mebibytes);
    /// Kills the whole process group and waits for the child.
    ~AdapterProcess();
    AdapterProcess(const AdapterProcess&) = delete;
    AdapterProcess& operator=(const AdapterProcess&) = delete;

    /// File descriptors to be polled; -1 where the stream is closed, or nothing is to be written.
    [[nodiscard]] int input() const { return outgoing_.empty() ? -1 : input_; }
    [[nodiscard]] int output() const { return output_; }
    [[nodiscard]] int errors() const { return errors_; }
    [[nodiscard]] Clock::time_point started() const { return started_; }

    /// Appends to what is to be written, without the line's end.
    void send(std::string_view line);
    /// No further questions: the input is closed when everything is written.
    void finish_input();
    [[nodiscard]] bool input_finished() const { return finishing_; }

    void write_some();
    /// Reads a part of what is there and hands out every complete line; at the end of the stream
    /// also what has no line end. Returns whether anything came.
    bool read_lines(const std::function<void(std::string_view)>& line);
    void read_errors();

    /// Whether the child has ended (or closed its output, which ends it as well).
    [[nodiscard]] bool ended();
    /// The last line on standard error, or the exit code or signal where there is none.
    [[nodiscard]] std::string last_words();

private:
    void wait(bool hang);

    pid_t pid_ = -1;
    int input_ = -1;
    int output_ = -1;
    int errors_ = -1;
    int status_ = 0;
    bool waited_ = false;
    bool finishing_ = false;
    bool skipping_ = false;  // the rest of a line that is too long for an answer
    std::string outgoing_;
    std::string incoming_;
    std::string tail_;  // of standard error
    Clock::time_point started_;
};

}  // namespace assay::verify
