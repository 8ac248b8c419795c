#include "assay/files/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <utility>

namespace assay {

namespace {

using namespace std::chrono_literals;

std::string time_text(double seconds) {
    if (!(seconds < 1e9)) return "unknown time";
    const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    const std::int64_t hours = whole / 3600;
    if (hours < 24) return fmt::format("{} h {} min", hours, whole / 60 % 60);
    return fmt::format("{} d {} h", hours / 24, hours % 24);
}

}  // namespace

std::string progress_text(const Progress& progress, std::string_view unit, double seconds) {
    const double share = progress.total == 0.0 ? 1.0 : progress.done / progress.total;
    const double rate = seconds > 0.0 ? (progress.done - progress.before) / seconds : 0.0;
    const double left = rate > 0.0 ? (progress.total - progress.done) / rate
                                   : std::numeric_limits<double>::infinity();
    return fmt::format("{:.1f} % of {:.0f} {}, {:.3g} {}/s, {} left", 100.0 * share, progress.total,
                       unit, rate, unit, time_text(left));
}

ProgressLine::ProgressLine(std::ostream& out, std::string label)
    : ProgressLine(out, &out == &std::cerr && ::isatty(STDERR_FILENO) != 0, std::move(label)) {}

ProgressLine::ProgressLine(std::ostream& out, bool is_terminal, std::string label,
                           Clock::time_point begin)
    : out_(out),
      is_terminal_(is_terminal),
      label_(std::move(label)),
      begin_(begin),
      next_(begin + (is_terminal ? Clock::duration(1s) : Clock::duration(60s))) {}

ProgressLine::~ProgressLine() {
    if (width_ > 0) out_ << '\n' << std::flush;
}

void ProgressLine::show(const Progress& progress, std::string_view unit, Clock::time_point now) {
    const std::chrono::duration<double> elapsed = now - begin_;
    write([&] { return label_ + progress_text(progress, unit, elapsed.count()); },
          progress.done == progress.total, now);
}

void ProgressLine::show(const std::function<std::string()>& text, Clock::time_point now) {
    write(text, false, now);
}

void ProgressLine::write(const std::function<std::string()>& text, bool is_end,
                         Clock::time_point now) {
    const std::unique_lock one(mutex_, std::try_to_lock);
    if (!one || (now < next_ && !(is_end && width_ > 0))) return;
    next_ = now + (is_terminal_ ? Clock::duration(200ms) : Clock::duration(60s));
    std::string line = text();
    if (!is_terminal_) {
        out_ << line << std::endl;
        return;
    }
    const std::size_t width = line.size();
    line.resize(std::max(width, width_), ' ');  // covers the longer line before
    out_ << '\r' << line << std::flush;
    width_ = width;
}

void ProgressLine::clear() {
    const std::scoped_lock one(mutex_);
    if (width_ > 0) out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
    width_ = 0;
}

}  // namespace assay
