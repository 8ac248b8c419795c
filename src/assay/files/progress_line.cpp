#include "assay/files/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay {

namespace {

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

std::string progress_text(const Progress& progress, const ProgressUnit& unit) {
    const double share = progress.blocks == 0 ? 1.0
                                              : static_cast<double>(progress.blocks_done) /
                                                    static_cast<double>(progress.blocks);
    return fmt::format("{:.1f} % of {:.0f} {}, {:.3g} {}/s, {} left", 100.0 * share,
                       static_cast<double>(progress.blocks) * unit.per_block, unit.name,
                       progress.blocks_per_second * unit.per_block, unit.name,
                       time_text(progress.seconds_left));
}

ProgressLine::ProgressLine(std::ostream& out, bool is_terminal, ProgressUnit unit,
                           std::string label, Clock::time_point begin)
    : out_(out),
      is_terminal_(is_terminal),
      unit_(std::move(unit)),
      label_(std::move(label)),
      last_(begin) {}

ProgressLine::~ProgressLine() {
    if (width_ > 0) out_ << '\n' << std::flush;
}

void ProgressLine::show(const Progress& progress, Clock::time_point now) {
    const std::chrono::duration<double> pause(is_terminal_ ? 0.2 : 60.0);
    const bool is_last = width_ > 0 && progress.blocks_done == progress.blocks;
    if (now - last_ < pause && !is_last) return;
    last_ = now;
    std::string text = label_ + progress_text(progress, unit_);
    if (!is_terminal_) {
        out_ << text << std::endl;
        return;
    }
    const std::size_t width = text.size();
    text.resize(std::max(width, width_), ' ');  // covers the longer line before
    out_ << '\r' << text << std::flush;
    width_ = width;
}

}  // namespace assay
