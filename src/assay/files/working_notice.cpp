#include "assay/files/working_notice.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace assay {

WorkingNotice::WorkingNotice(std::ostream& err, std::string on_what)
    : WorkingNotice(err, [on_what = std::move(on_what)] { return on_what; }) {}

WorkingNotice::WorkingNotice(std::ostream& err, std::function<std::string()> text)
    : line_(err), thread_([this, text = std::move(text)](const std::stop_token& stop) {
          const auto begin = ProgressLine::Clock::now();
          std::mutex mutex;
          std::condition_variable_any ended;
          std::unique_lock lock(mutex);
          constexpr auto pause = std::chrono::milliseconds(250);
          while (!ended.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
              const std::string on_what = text();
              if (on_what.empty())
                  line_.clear();
              else
                  line_.show([&] {
                      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
                          ProgressLine::Clock::now() - begin);
                      return fmt::format("{}: {} s", on_what, seconds.count());
                  });
          }
      }) {}

WorkingNotice::~WorkingNotice() {
    thread_.request_stop();
    thread_.join();
    line_.clear();
}

LineNotice::LineNotice(std::ostream& err)
    : notice_(err, [this] {
          const long line = line_;
          return line == 0 ? std::string() : fmt::format("answering line {}", line);
      }) {}

void LineNotice::end() {
    line_ = 0;
    notice_.clear();
}

}  // namespace assay
