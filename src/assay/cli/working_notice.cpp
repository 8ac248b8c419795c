#include "assay/cli/working_notice.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace assay::cli {

WorkingNotice::WorkingNotice(std::ostream& err, std::string on_what)
    : line_(err), thread_([this, on_what = std::move(on_what)](const std::stop_token& stop) {
          const auto begin = ProgressLine::Clock::now();
          std::mutex mutex;
          std::condition_variable_any ended;
          std::unique_lock lock(mutex);
          constexpr auto pause = std::chrono::milliseconds(250);
          while (!ended.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); }))
              line_.show([&] {
                  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
                      ProgressLine::Clock::now() - begin);
                  return fmt::format("{}: {} s", on_what, seconds.count());
              });
      }) {}

WorkingNotice::~WorkingNotice() {
    thread_.request_stop();
    thread_.join();
    line_.clear();
}

}  // namespace assay::cli
