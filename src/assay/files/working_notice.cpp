#include "assay/files/working_notice.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <utility>

namespace assay {

namespace {

using Clock = ProgressLine::Clock;

/// "<what>: 3 s"
std::string with_seconds(std::string_view what, Clock::time_point begin) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
    return fmt::format("{}: {} s", what, seconds.count());
}

}  // namespace

WorkingNotice::WorkingNotice(std::ostream& err, std::string on_what)
    : WorkingNotice(err, [on_what = std::move(on_what), begin = Clock::now()] {
          return with_seconds(on_what, begin);
      }) {}

WorkingNotice::WorkingNotice(std::ostream& err, std::function<std::string()> text)
    : line_(err), thread_([this, text = std::move(text)](const std::stop_token& stop) {
          std::mutex mutex;
          std::condition_variable_any ended;
          std::unique_lock lock(mutex);
          constexpr auto pause = std::chrono::milliseconds(250);
          while (!ended.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
              std::string now = text();
              if (now.empty())
                  line_.clear();
              else
                  line_.show([&] { return now; });
          }
      }) {}

WorkingNotice::~WorkingNotice() {
    thread_.request_stop();
    thread_.join();
    line_.clear();
}

LineNotice::LineNotice(std::ostream& err, bool reads_standard_input)
    : shares_terminal_((reads_standard_input && ::isatty(STDIN_FILENO) != 0) ||
                       ::isatty(STDOUT_FILENO) != 0),
      notice_(err, [this] { return text(); }) {}

std::string LineNotice::text() const {
    const int line = line_;
    const Clock::time_point begin = begin_;
    if (is_at_work_ && Clock::now() - begin >= std::chrono::seconds(1))
        return with_seconds(fmt::format("answering line {}", line), begin);
    if (shares_terminal_ || line == 0) return {};
    return with_seconds(fmt::format("answered to line {}", is_at_work_ ? line - 1 : line), first_);
}

void LineNotice::begin(int line) {
    begin_ = Clock::now();
    line_ = line;
    is_at_work_ = true;
}

void LineNotice::end() {
    is_at_work_ = false;
    if (shares_terminal_) notice_.clear();
}

}  // namespace assay
