#include "verify/conformance/adapter_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "assay/numeric/errors.hpp"

namespace assay::verify {

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20U;
constexpr std::size_t kept_of_errors = 8192;

void close_one(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

struct Pipe {
    int read_end = -1;
    int write_end = -1;

    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
        read_end = ends[0];
        write_end = ends[1];
    }
    ~Pipe() {
        close_one(read_end);
        close_one(write_end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
};

int taken(int& descriptor) {
    const int mine = descriptor;
    descriptor = -1;
    ::fcntl(mine, F_SETFL, ::fcntl(mine, F_GETFL) | O_NONBLOCK);
    return mine;
}

/// In the child: only calls that are safe between fork and exec.
[[noreturn]] void become(const char* command, const Pipe& in, const Pipe& out, const Pipe& err,
                         std::uint64_t memory_mebibytes) {
    ::setpgid(0, 0);
    ::dup2(in.read_end, STDIN_FILENO);
    ::dup2(out.write_end, STDOUT_FILENO);
    ::dup2(err.write_end, STDERR_FILENO);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
    if (memory_mebibytes > 0) {
        const rlimit limit{memory_mebibytes << 20U, memory_mebibytes << 20U};
        ::setrlimit(RLIMIT_AS, &limit);
    }
    ::execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
    ::_exit(127);
}

/// Appends what can be read now; false at the end of the stream.
bool read_available(int descriptor, std::string& text) {
    std::array<char, 65536> buffer{};
    // One buffer a call: an adapter that never stops printing must not keep the others waiting.
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

}  // namespace

AdapterProcess::AdapterProcess(const std::string& command, std::uint64_t memory_mebibytes) {
    Pipe in;
    Pipe out;
    Pipe err;
    started_ = Clock::now();
    pid_ = ::fork();
    if (pid_ < 0) throw Error(fmt::format("no process: {}", std::strerror(errno)));
    if (pid_ == 0) become(command.c_str(), in, out, err, memory_mebibytes);
    ::setpgid(pid_, pid_);  // here as well: whichever of both comes first
    input_ = taken(in.write_end);
    output_ = taken(out.read_end);
    errors_ = taken(err.read_end);
}

AdapterProcess::~AdapterProcess() {
    if (pid_ > 0) ::kill(-pid_, SIGKILL);
    wait(true);
    close_one(input_);
    close_one(output_);
    close_one(errors_);
}

void AdapterProcess::wait(bool hang) {
    if (waited_ || pid_ <= 0) return;
    pid_t got = 0;
    do {
        got = ::waitpid(pid_, &status_, hang ? 0 : WNOHANG);
    } while (got < 0 && errno == EINTR);
    waited_ = got == pid_;
}

void AdapterProcess::send(std::string_view line) {
    outgoing_.append(line).push_back('\n');
    write_some();
}

void AdapterProcess::finish_input() {
    finishing_ = true;
    if (outgoing_.empty()) close_one(input_);
}

void AdapterProcess::write_some() {
    while (!outgoing_.empty() && input_ >= 0) {
        const ssize_t put = ::write(input_, outgoing_.data(), outgoing_.size());
        if (put > 0) {
            outgoing_.erase(0, static_cast<std::size_t>(put));
        } else if (errno == EINTR) {
            continue;
        } else if (errno == EAGAIN) {
            return;
        } else {  // it reads no more; whether it still answers will be seen on its output
            outgoing_.clear();
            close_one(input_);
        }
    }
    if (finishing_ && outgoing_.empty()) close_one(input_);
}

bool AdapterProcess::read_lines(const std::function<void(std::string_view)>& line) {
    if (output_ < 0) return false;
    const std::size_t before = incoming_.size();
    const bool open = read_available(output_, incoming_);
    const bool came = incoming_.size() > before;
    std::size_t begin = 0;
    for (std::size_t end = incoming_.find('\n'); end != incoming_.npos;
         end = incoming_.find('\n', begin)) {
        if (!skipping_) line(std::string_view(incoming_).substr(begin, end - begin));
        skipping_ = false;
        begin = end + 1;
    }
    incoming_.erase(0, begin);
    if (incoming_.size() > longest_line) {
        incoming_.clear();
        skipping_ = true;
    }
    if (open) return came;
    if (!incoming_.empty() && !skipping_) line(incoming_);
    incoming_.clear();
    close_one(output_);
    return came;
}

void AdapterProcess::read_errors() {
    if (errors_ < 0) return;
    if (!read_available(errors_, tail_)) close_one(errors_);
    if (tail_.size() > kept_of_errors) tail_.erase(0, tail_.size() - kept_of_errors);
}

bool AdapterProcess::ended() {
    if (output_ < 0) return true;
    wait(false);
    return waited_;
}

std::string AdapterProcess::last_words() {
    // What was written before the end may still be in the pipe.
    for (int reads = 0; errors_ >= 0 && reads < 64; ++reads) {
        const std::size_t before = tail_.size();
        read_errors();
        if (tail_.size() == before) break;
    }
    std::string_view text = tail_;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
        text.remove_suffix(1);
    if (!text.empty()) return std::string(text.substr(text.rfind('\n') + 1));
    // A child that closed its output may live on, and need not heed a polite signal.
    wait(false);
    const bool lived_on = !waited_;
    if (pid_ > 0) ::kill(-pid_, SIGKILL);
    wait(true);
    if (lived_on) return "closed its output";
    if (WIFSIGNALED(status_)) return fmt::format("ended by signal {}", WTERMSIG(status_));
    return fmt::format("ended with exit code {}", WEXITSTATUS(status_));
}

}  // namespace assay::verify
